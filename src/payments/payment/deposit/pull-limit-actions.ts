import { ApiError, type ErrorCode } from '../../../foundation/core/errors.ts'
import { formatDollars } from '../../../foundation/core/money.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { businessDate, startOfDay } from '../../../foundation/lib/clock.ts'
import { entryClasses } from '../../../money/ach/format/nacha-authorization-rules.ts'
import { limitsOf } from '../../../people/user/limit/limit-actions.ts'
import { remainingCents, type UserLimits } from '../../../people/user/limit/limit-rules.ts'
import { isVerified, lockUser } from '../../../people/user/user-lock-actions.ts'
import type { PaymentRow } from '../payment-types.ts'
import { findDebitedCents, findPulledCents, isCheckOfThisService, lockDebitedAccount } from './scanned-deposit-store.ts'

// Limits the debits of accounts whose holder is not a user here: only a scanned check, or the payer of an invoice, names the account. A
// debit for a forged check can be returned for 60 days. By then, its money may be gone.

/**
 * Refuses a scanned check that its user may not collect: the user is not verified, the check is too large for an ACH entry, or a limit of
 * the user or of the drawer's account is reached. A check of this service needs no debit.
 *
 * @throws ApiError user_not_verified, not_depositable, payment_limit_reached, day_limit_reached, month_limit_reached
 */
export async function requireCollectable(deps: TxDeps, payment: PaymentRow): Promise<void> {
  const { platformId, id: paymentId, senderId: userId, amountCents, fundingId } = payment
  if (payment.kind !== 'SCANNED' || (await isCheckOfThisService(deps.sql, { platformId, paymentId }))) return
  const user = { platformId, userId }
  await lockUser(deps, user)
  if (deps.settings.mustBeVerified && !(await isVerified(deps, user))) {
    throw new ApiError('user_not_verified', {
      message: 'Only VERIFIED users can deposit scanned checks. Ask the operator to verify this user.',
    })
  }
  const { maxCents } = entryClasses.check
  if (amountCents > maxCents) {
    throw new ApiError('not_depositable', {
      message: `A check of more than ${formatDollars(maxCents)} cannot be collected as an ACH entry. Deposit the paper at your bank.`,
    })
  }
  requireWithin(await limitsOf(deps, user), amountCents, await findPulledCents(deps.sql, user, periodsOf(deps)))
  await requireAccountWithin(deps, { platformId, bankId: fundingId, cents: amountCents })
}

/**
 * Refuses a debit that would exceed the default limits for one account. The limits count the debits of all users, because each invoice to a
 * person without an account creates a new payer. Called before the debit is created.
 *
 * @throws ApiError day_limit_reached, month_limit_reached
 */
export async function requireAccountWithin(
  deps: TxDeps,
  { cents, ...bank }: { platformId: string; bankId: string; cents: number },
): Promise<void> {
  const { limits } = deps.settings
  if (limits === null) return
  await lockDebitedAccount(deps.sql, bank)
  const debited = await findDebitedCents(deps.sql, bank, periodsOf(deps))
  requireWithin({ ...limits, paymentCents: null }, cents, debited)
}

function requireWithin(limits: UserLimits, cents: number, used: { dayCents: number; monthCents: number }): void {
  const lefts: [ErrorCode, number | null][] = [
    ['payment_limit_reached', limits.paymentCents],
    ['day_limit_reached', remainingCents(limits.dayCents, used.dayCents)],
    ['month_limit_reached', remainingCents(limits.monthCents, used.monthCents)],
  ]
  for (const [code, left] of lefts) {
    if (left === null || cents <= left) continue
    throw new ApiError(code, { message: `This exceeds a limit: ${formatDollars(left)} is left of it.` })
  }
}

/** Returns when the current day and month of the business began. These limits count since then. */
function periodsOf({ clock, settings }: Pick<TxDeps, 'clock' | 'settings'>): { day: Date; month: Date } {
  const today = businessDate(clock.now(), settings.timeZone)
  const beginOf = (date: string) => startOfDay(new Date(`${date}T00:00:00Z`), settings.timeZone)
  return { day: beginOf(today), month: beginOf(`${today.slice(0, 7)}-01`) }
}
