import type { UserStatus } from '../../answers.ts'

export const userStatuses: Record<UserStatus, { name: string; color: string }> = {
  UNVERIFIED: { name: 'Unverified', color: 'gray' },
  PENDING: { name: 'In review', color: 'yellow' },
  VERIFIED: { name: 'Verified', color: 'green' },
  SUSPENDED: { name: 'Suspended', color: 'red' },
  CLOSED: { name: 'Closed', color: 'gray' },
}

/** Explains each status of a user. */
export const userStatusWords: Record<UserStatus, string> = {
  UNVERIFIED: 'The profile is not complete yet.',
  PENDING: 'The profile is being checked.',
  VERIFIED: 'The profile was checked.',
  SUSPENDED: 'This user cannot send, receive or change anything.',
  CLOSED: 'This account is closed.',
}
