import type { Transitions } from '../../foundation/lib/transitions.ts'

export const MAILBOX_STATUSES = ['ACTIVE', 'CLOSED'] as const
export type MailboxStatus = (typeof MAILBOX_STATUSES)[number]

export const mailboxTransitions = {
  // event    may leave             leads to    specification.md 6.3
  close: { from: ['ACTIVE'], to: 'CLOSED' }, // its user was deleted
} as const satisfies Transitions<MailboxStatus>

export type MailboxEvent = keyof typeof mailboxTransitions

export const LETTER_STATUSES = ['RECEIVED'] as const
export type LetterStatus = (typeof LETTER_STATUSES)[number]
