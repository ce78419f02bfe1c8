import { formatDollars } from '../../foundation/core/money.ts'
import { addDays, formatDate } from '../../foundation/lib/clock.ts'

/**
 * The calendar days after settlement in which an entry can be returned. An unauthorized debit: 60 (Nacha Operating Rules, 3.12.4). A
 * credit: two banking days, which are at most five calendar days.
 */
export const RETURN_WINDOW_DAYS = { debit: 60, credit: 5 } as const

/** Facts that prevent the deletion of a user. */
export type UserObligations = {
  hasUnfinishedPayments: boolean
  debtCents: number
  walletCents: number
  /** Whether the service still has money of the user's ended or failed payments. */
  hasPayable: boolean
  /** Whether legs of such payments have not ended. */
  hasLegsUnderWay: boolean
  lastDebitAt: Date | null
  lastCreditAt: Date | null
}

/** Explains why a user cannot be deleted or lose its last API key. Returns null if it can. */
export function busyReason(obligations: UserObligations, now: Date): string | null {
  if (obligations.hasUnfinishedPayments) return 'The user has open payments. Void them or wait until they are final.'
  if (obligations.debtCents > 0)
    return `The user owes ${formatDollars(obligations.debtCents)} because a debit was returned. Settle the debt first.`
  if (obligations.walletCents > 0)
    return `The user’s wallets hold ${formatDollars(obligations.walletCents)}. Withdraw it first.`
  if (obligations.hasPayable || obligations.hasLegsUnderWay)
    return 'Money of earlier payments is in transit. Wait until it arrives.'
  const until = returnsPossibleUntil(obligations)
  return until && until > now
    ? `Earlier payments can still be returned until ${formatDate(until)}. Try again after that date.`
    : null
}

function returnsPossibleUntil({ lastDebitAt, lastCreditAt }: UserObligations): Date | null {
  const ends = [
    lastDebitAt && addDays(lastDebitAt, RETURN_WINDOW_DAYS.debit),
    lastCreditAt && addDays(lastCreditAt, RETURN_WINDOW_DAYS.credit),
  ].filter((end) => end !== null)
  return ends.sort((a, b) => b.getTime() - a.getTime())[0] ?? null
}
