import { Badge } from '@mantine/core'

/** Shows an HTTP status. */
export const StatusCodeBadge = ({ status }: { status: number }) => (
  <Badge color={status >= 400 ? 'red' : 'green'} variant="light" radius="sm" fw={600} miw="max-content">
    {status}
  </Badge>
)
