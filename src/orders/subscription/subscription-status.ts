import type { Transitions } from '../../foundation/lib/transitions.ts'
import { PAYMENT_STATUSES } from '../../payments/payment/payment-status.ts'

export const SUBSCRIPTION_STATES = ['ACTIVE', 'ENDED', 'CANCELED'] as const
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

export const subscriptionTransitions = {
  // event   may leave            leads to         specification.md 5.9
  run: { from: ['ACTIVE'], to: 'ACTIVE' }, //      a run happened, failed or was skipped, and another one follows
  end: { from: ['ACTIVE'], to: 'ENDED' }, // the last run happened, failed or was skipped
  cancel: { from: ['ACTIVE'], to: 'CANCELED' }, // by its user, or because its user is deleted
} as const satisfies Transitions<SubscriptionState>

export type SubscriptionEvent = keyof typeof subscriptionTransitions

/** The statuses in answers: UNPAID before the first run, then the status of the payment or invoice of the latest run, or CANCELED. */
export const SUBSCRIPTION_STATUSES = [...PAYMENT_STATUSES, 'OVERDUE', 'CANCELED'] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

export const RUN_OUTCOMES = ['SKIPPED', 'PAID', 'PREPARED', 'INVOICED', 'FAILED'] as const
export type RunOutcome = (typeof RUN_OUTCOMES)[number]
