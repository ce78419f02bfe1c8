import { addDays, formatDate } from '../lib/clock.ts'
import { formatDollars } from '../lib/money.ts'

/**
 * Calendar days after its settlement in which an entry can still come back: a debit that was not authorized (Nacha Operating
 * Rules, 3.12.4), a credit within two banking days.
 */
export const RETURN_WINDOW_DAYS = { debit: 60, credit: 5 } as const

/** What keeps a user here. */
export type UserTies = {
  hasUnfinishedPayments: boolean
  debtCents: number
  walletCents: number
  /** Money of payments that ended, and of failed ones, which is still to go back. */
  hasPayable: boolean
  /** Legs of such payments that are on their way. */
  hasLegsUnderWay: boolean
  lastDebitAt: Date | null
  lastCreditAt: Date | null
}

/** Why a user cannot go: the one rule for deleting it and for taking its last API key. Null: it can. */
export function busyReason(ties: UserTies, now: Date): string | null {
  if (ties.hasUnfinishedPayments) return 'Payments are on their way. Void them or wait until they are final.'
  if (ties.debtCents > 0) return `The user owes ${formatDollars(ties.debtCents)}, because a debit came back.`
  if (ties.walletCents > 0) return `The wallets of the user hold ${formatDollars(ties.walletCents)}. Send it first.`
  if (ties.hasPayable || ties.hasLegsUnderWay)
    return 'Money of earlier payments is on its way. Wait until it has arrived.'
  const until = returnsPossibleUntil(ties)
  return until && until > now ? `Earlier payments can come back until ${formatDate(until)}.` : null
}

function returnsPossibleUntil({ lastDebitAt, lastCreditAt }: UserTies): Date | null {
  const ends = [
    lastDebitAt && addDays(lastDebitAt, RETURN_WINDOW_DAYS.debit),
    lastCreditAt && addDays(lastCreditAt, RETURN_WINDOW_DAYS.credit),
  ].filter((end) => end !== null)
  return ends.sort((a, b) => b.getTime() - a.getTime())[0] ?? null
}
