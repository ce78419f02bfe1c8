import type { Transitions } from '../../foundation/lib/transitions.ts'

/** The statuses of one of the several recipients of a payment. */
export const RECIPIENT_STATUSES = ['WAITING', 'ENDORSED', 'DEPOSITOR'] as const
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number]

export const recipientTransitions = {
  // event     may leave                          leads to          specification.md 5.10
  endorse: { from: ['WAITING'], to: 'ENDORSED' }, // endorses the payment for the others
  deposit: { from: ['WAITING', 'ENDORSED'], to: 'DEPOSITOR' }, //   chooses where the money goes, once all others have endorsed
} as const satisfies Transitions<RecipientStatus>

export type RecipientEvent = keyof typeof recipientTransitions
