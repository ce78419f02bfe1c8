import type { EnvironmentSettings } from '../../foundation/core/environment.ts'
import { addBankingDays, nextAchWindow, nextSettlementDate, pacificClock } from '../../foundation/lib/banking-day.ts'
import { businessDate, formatDate } from '../../foundation/lib/clock.ts'
import type { Rail } from '../../money/rail/rail-rules.ts'
import type { FundingKind, PaymentRow } from './payment-types.ts'

export type Calendar = Pick<EnvironmentSettings, 'timeZone' | 'trustBankingDays'>

/** Banking days from the deposit until the recipient has the money. ACH has rules of its own, and the other rails pay at once. */
const BANKING_DAYS: Partial<Record<Rail, number>> = { MAIL: 5, PRINT: 5, SWIFT: 2 }

/** The day on which the recipient should have the money, `YYYY-MM-DD`; null before the deposit. */
export function expectedDay(
  { rail, fundingKind, depositedAt }: Pick<PaymentRow, 'rail' | 'fundingKind' | 'depositedAt'>,
  calendar: Calendar,
): string | null {
  return rail && depositedAt && arrivalDay({ rail, fundingKind, at: depositedAt }, calendar)
}

/** The day on which money that is deposited at `at` should arrive, `YYYY-MM-DD`. */
export function arrivalDay(
  { rail, fundingKind, at }: { rail: Rail; fundingKind: FundingKind; at: Date },
  { timeZone, trustBankingDays }: Calendar,
): string {
  if (rail !== 'ACH') return formatDate(addBankingDays(new Date(businessDate(at, timeZone)), BANKING_DAYS[rail] ?? 0))
  // The debit settles a day after its window, is trusted later, and then the credit takes a day (specification.md 8.2).
  const days = fundingKind === 'bank' ? 1 + trustBankingDays + 1 : 1
  return formatDate(addBankingDays(pacificClock(nextAchWindow(at)), days))
}

/** The day on which money that is deposited at `at` leaves the account of the sender, `YYYY-MM-DD`. */
export const debitDay = (fundingKind: FundingKind, at: Date, { timeZone }: Calendar): string =>
  fundingKind === 'bank' ? formatDate(nextSettlementDate(nextAchWindow(at))) : businessDate(at, timeZone)
