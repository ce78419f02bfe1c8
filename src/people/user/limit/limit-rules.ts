import { decimalAmount } from '../../../foundation/core/money.ts'

/** Limits of a user in cents. Null means that this limit is not set. */
export type UserLimits = { paymentCents: number | null; dayCents: number | null; monthCents: number | null }

export const NO_LIMITS: UserLimits = { paymentCents: null, dayCents: null, monthCents: null }

/** The limits of a user, by who set them. The owner of a platform can only lower those of the operator. */
export type SetLimits = { byOperator: UserLimits; byOwner: UserLimits }

/** Returns the limits that the operator or the environment set. An owner can lower them. */
export const highestLimits = ({ byOperator }: SetLimits, usual: UserLimits): UserLimits => ({
  paymentCents: byOperator.paymentCents ?? usual.paymentCents,
  dayCents: byOperator.dayCents ?? usual.dayCents,
  monthCents: byOperator.monthCents ?? usual.monthCents,
})

/** Returns the limits that apply to a user. `order_states_v1` computes the same limits in SQL. */
export function effectiveLimits(set: SetLimits, usual: UserLimits): UserLimits {
  const highest = highestLimits(set, usual)
  return {
    paymentCents: lower(highest.paymentCents, set.byOwner.paymentCents),
    dayCents: lower(highest.dayCents, set.byOwner.dayCents),
    monthCents: lower(highest.monthCents, set.byOwner.monthCents),
  }
}

const lower = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)

/** Returns the cents that are left of a limit, or null without a limit. */
export const remainingCents = (limit: number | null, sentCents: number): number | null =>
  limit === null ? null : Math.max(limit - sentCents, 0)

/** Returns the largest payment that the limits allow now, or null without a limit. */
export const largestPayment = (limits: UserLimits, sent: { dayCents: number; monthCents: number }): number | null =>
  [remainingCents(limits.dayCents, sent.dayCents), remainingCents(limits.monthCents, sent.monthCents)].reduce(
    lower,
    limits.paymentCents,
  )

/** Formats a limit for the audit trail. */
export const limitText = (cents: number | null, unset = 'default'): string =>
  cents === null ? unset : decimalAmount(cents)
