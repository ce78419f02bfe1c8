import type { Transitions } from '../../foundation/lib/transitions.ts'

export const USER_STATUSES = ['UNVERIFIED', 'PENDING', 'VERIFIED', 'SUSPENDED', 'CLOSED'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

export const userTransitions = {
  // event      may leave                                 leads to             specification.md 3.2
  submit: { from: ['UNVERIFIED'], to: 'PENDING' }, // the profile has enough data
  verify: { from: ['UNVERIFIED', 'PENDING', 'SUSPENDED'], to: 'VERIFIED' }, // by the operator
  suspend: { from: ['UNVERIFIED', 'PENDING', 'VERIFIED'], to: 'SUSPENDED' },
  close: { from: ['UNVERIFIED', 'PENDING', 'VERIFIED', 'SUSPENDED'], to: 'CLOSED' },
} as const satisfies Transitions<UserStatus>

export type UserEvent = keyof typeof userTransitions

/**
 * Whether a user may send, receive and change anything. It depends on the user's own status and that of the platform's owner, as
 * `standing_v1` defines. A user that is not ACTIVE is called stopped.
 */
export type Standing = 'ACTIVE' | 'SUSPENDED' | 'CLOSED'

/** Returns whether the user's own status allows sending and receiving. */
export const isActive = (status: UserStatus): boolean => status !== 'SUSPENDED' && status !== 'CLOSED'

type KnownData = {
  firstName: string | null
  lastName: string | null
  businessName: string | null
  dob: string | null
  phone: string | null
  hasSsn: boolean
  hasTaxId: boolean
  hasAddress: boolean
}

/** Returns whether the profile has enough data to verify the user (specification.md 3.2). For an individual a phone is enough. */
export function hasEnoughData(user: KnownData): boolean {
  const isBusiness = user.businessName !== null
  if (!isBusiness && user.phone !== null) return true
  const hasPersonData = user.firstName !== null && user.lastName !== null && user.dob !== null
  return hasPersonData && user.hasAddress && user.hasSsn && (!isBusiness || user.hasTaxId)
}

/** Masks an SSN or a tax id for answers: `6789` → `*****6789`. */
export const maskNumber = (digits: string): string => `*****${digits.slice(-4)}`
