import { calendarOfRail } from '../../connections/exchange/bank-calendar-rules.ts'
import type { Connections, CurrentConnections } from '../../foundation/core/connections.ts'
import type { EnvironmentSettings } from '../../foundation/core/environment.ts'
import { connectionOfRail } from '../../foundation/core/operator-account.ts'
import { addBankingDays, nextAchWindow, nextSettlementDate } from '../../foundation/lib/banking-day.ts'
import { businessDate, formatDate, localClock } from '../../foundation/lib/clock.ts'
import type { Rail } from '../../money/rail/rail-rules.ts'
import type { FundingKind, PaymentRow } from './payment-types.ts'

/**
 * The settings and banks from which expected days follow. `connections`: the banks, whose cut-offs and holidays count for the rails that
 * they carry.
 */
export type Calendar = Pick<EnvironmentSettings, 'timeZone' | 'trustBankingDays'> & { connections: Connections }

/** Returns the calendar of an environment with its current connections. */
export const calendarNow = ({
  settings,
  connections,
}: {
  settings: Pick<EnvironmentSettings, 'timeZone' | 'trustBankingDays'>
  connections: CurrentConnections
}): Calendar => ({ ...settings, connections: connections.current() })

/** The banking days from the deposit until the recipient has the money. ACH has its own rules, and all other rails pay at once. */
const BANKING_DAYS: Partial<Record<Rail, number>> = { MAIL: 5, PRINT: 5, SWIFT: 2 }

/** Returns the day on which the recipient should have the money (`YYYY-MM-DD`), or null before the deposit. */
export function expectedDay(
  { rail, fundingKind, depositedAt }: Pick<PaymentRow, 'rail' | 'fundingKind' | 'depositedAt'>,
  calendar: Calendar,
): string | null {
  return rail && depositedAt && arrivalDay({ rail, fundingKind, at: depositedAt }, calendar)
}

/** Returns the day on which money that is deposited at `at` should arrive (`YYYY-MM-DD`). */
export function arrivalDay(
  { rail, fundingKind, at }: { rail: Rail; fundingKind: FundingKind; at: Date },
  { timeZone, trustBankingDays, connections }: Calendar,
): string {
  const bank = calendarOfRail(connections, rail)
  if (rail !== 'ACH') {
    const day = new Date(businessDate(at, connectionOfRail(connections, rail)?.timeZone ?? timeZone))
    return formatDate(addBankingDays(day, BANKING_DAYS[rail] ?? 0, bank))
  }
  // The debit settles one day after its window and is trusted some days later. Then the credit takes another day (specification.md 8.2).
  const days = fundingKind === 'bank' ? 1 + trustBankingDays + 1 : 1
  return formatDate(addBankingDays(localClock(nextAchWindow(at, bank), bank.timeZone), days, bank))
}

/** Returns the day on which money that is deposited at `at` leaves the sender's account (`YYYY-MM-DD`). */
export function debitDay(fundingKind: FundingKind, at: Date, { timeZone, connections }: Calendar): string {
  if (fundingKind !== 'bank') return businessDate(at, timeZone)
  const bank = calendarOfRail(connections, 'ACH')
  return formatDate(nextSettlementDate(nextAchWindow(at, bank), bank))
}
