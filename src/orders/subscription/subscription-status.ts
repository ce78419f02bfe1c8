import type { Transitions } from '../../foundation/lib/transitions.ts'
import { PAYMENT_STATUSES } from '../../payments/payment/payment-status.ts'

export const SUBSCRIPTION_STATES = ['ACTIVE', 'ENDED', 'CANCELED'] as const
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

export const subscriptionTransitions = {
  // event   may leave            leads to         specification.md 5.9
  run: { from: ['ACTIVE'], to: 'ACTIVE' }, //      a run happened, failed or was skipped, and another one follows
  end: { from: ['ACTIVE'], to: 'ENDED' }, //       the same for the last run
  cancel: { from: ['ACTIVE'], to: 'CANCELED' }, // by its user, or its user is gone
} as const satisfies Transitions<SubscriptionState>

export type SubscriptionEvent = keyof typeof subscriptionTransitions

/** What answers show: UNPAID before the first run, then the status of what the latest run made, or CANCELED. */
export const SUBSCRIPTION_STATUSES = [...PAYMENT_STATUSES, 'OVERDUE', 'CANCELED'] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

export const RUN_OUTCOMES = ['SKIPPED', 'PAID', 'PREPARED', 'INVOICED', 'FAILED'] as const
export type RunOutcome = (typeof RUN_OUTCOMES)[number]
