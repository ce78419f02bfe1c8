import { Badge } from '@mantine/core'
import type { UserDetails } from '../../answers.ts'

type Status = UserDetails['status']

const statuses: Record<Status, { name: string; color: string }> = {
  UNVERIFIED: { name: 'Unverified', color: 'gray' },
  PENDING: { name: 'In review', color: 'yellow' },
  VERIFIED: { name: 'Verified', color: 'green' },
  SUSPENDED: { name: 'Suspended', color: 'red' },
  CLOSED: { name: 'Closed', color: 'gray' },
}

export const UserBadge = ({ status }: { status: Status }) => (
  <Badge tt="none" fw={600} radius="sm" variant="light" miw="max-content" size="lg" color={statuses[status].color}>
    {statuses[status].name}
  </Badge>
)

/** What the status means for the user's payments. */
export const userStatusWords: Record<Status, string> = {
  UNVERIFIED: 'The profile is not complete yet.',
  PENDING: 'The profile is being checked.',
  VERIFIED: 'The profile was checked.',
  SUSPENDED: 'This user cannot send, receive or change anything.',
  CLOSED: 'This account is closed.',
}
