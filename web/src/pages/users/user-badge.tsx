import { Badge } from '@mantine/core'
import type { UserStatus } from '../../answers.ts'
import { userStatuses } from './user-words.ts'

export const UserBadge = ({ status, size = 'lg' }: { status: UserStatus; size?: 'md' | 'lg' }) => (
  <Badge
    tt="none"
    fw={600}
    radius="sm"
    variant="light"
    miw="max-content"
    size={size}
    color={userStatuses[status].color}
  >
    {userStatuses[status].name}
  </Badge>
)
