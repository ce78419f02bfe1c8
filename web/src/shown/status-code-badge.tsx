import { Badge } from '@mantine/core'

/** An HTTP status. */
export const StatusCodeBadge = ({ status }: { status: number }) => (
  <Badge color={status >= 400 ? 'red' : 'green'} variant="light" radius="sm" fw={600} miw="max-content">
    {status}
  </Badge>
)
