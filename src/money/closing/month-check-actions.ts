import { calendarOf } from '../../connections/exchange/bank-calendar-rules.ts'
import type { Connection } from '../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { recordBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { eventOfCount } from '../../foundation/exception/bank-case-rules.ts'
import { isBankingDay } from '../../foundation/lib/banking-day.ts'
import { addDays, formatDate, startOfDay } from '../../foundation/lib/clock.ts'
import { getNextDay } from '../reconciliation/bank-day-actions.ts'
import type { BankDay } from '../reconciliation/bank-day-rules.ts'
import { getWaitingLines } from '../reconciliation/decision/line-view-actions.ts'
import { type OpenMovement, railsOfAccount, signedAmount } from './month-rules.ts'
import {
  listOpenCases,
  listOpenMovements,
  listOverdueMovements,
  type MonthKey,
  type MovementRange,
  sumOpenMovements,
} from './month-store.ts'

/** A month of an account, with its connection. `firstStatementDay`: the first day for which the account has a statement. */
export type ClosingMonth = MonthKey & { connection: Connection; firstStatementDay: string }

/** The maximum number of movements that a report lists. The report has the number and the sum of the others. */
const MAX_LISTED = 10_000

/**
 * Lists the movements of an account that no line of the month books, oldest first. `more`: the number and the sum of the movements that are
 * not listed.
 */
export async function getOpenMovements(
  { sql }: Pick<TxDeps, 'sql'>,
  month: ClosingMonth,
): Promise<{ listed: OpenMovement[]; more: { count: number; cents: number } }> {
  const range = rangeOf(month)
  const listed = await listOpenMovements(sql, range, MAX_LISTED)
  const all = await sumOpenMovements(sql, range)
  const cents = listed.reduce((sum, one) => sum + one.cents, 0)
  return { listed, more: { count: all.count - listed.length, cents: all.cents - cents } }
}

const rangeOf = ({ connection, accountId, lastDay, firstStatementDay }: ClosingMonth): MovementRange => ({
  connectionId: connection.id,
  rails: railsOfAccount(connection, accountId),
  lastDay,
  start: startOfDay(new Date(firstStatementDay), connection.timeZone),
  end: endOf(connection, lastDay),
})

/** Returns the time at which a day ends in the time zone of the bank. */
export const endOf = ({ timeZone }: Connection, day: string): Date => startOfDay(addDays(new Date(day), 1), timeZone)

/** The number of days that a bank may take to book a movement that it confirmed. */
const BOOKING_DAYS = 10

/** The maximum number of cases that one transaction opens. */
const CASES_AT_A_TIME = 500

/** Opens a case for each movement and return that the bank should have booked in the month. The case closes when a line books it. */
export async function openOverdueCases(deps: Deps, month: ClosingMonth): Promise<void> {
  const before = addDays(endOf(month.connection, month.lastDay), -BOOKING_DAYS)
  for (let count = CASES_AT_A_TIME; count === CASES_AT_A_TIME; )
    count = await inTransaction(deps, (tx) => recordOverdue(tx, month, before))
}

/** @returns the number of new cases */
async function recordOverdue(tx: TxDeps, month: ClosingMonth, before: Date): Promise<number> {
  const { connection, lastDay } = month
  const movements = await listOverdueMovements(tx.sql, rangeOf(month), { before, limit: CASES_AT_A_TIME })
  for (const one of movements) {
    await recordBankCase(tx, {
      ...{
        connectionId: connection.id,
        source: 'statement',
        line: 0,
        event: eventOfCount(one.formerCount),
        isBankWide: false,
      },
      kind: one.part === 'sent' ? 'movement_not_booked' : 'return_not_booked',
      file: { id: one.legId, name: 'bank statement' },
      leg: { ...one, id: one.legId, subjectId: one.paymentId ?? one.legId },
      cents: Math.abs(one.cents),
      note: `No line of a statement until ${lastDay} books ${movementWords(one)}.`,
      content: { lines: [] },
    })
  }
  return movements.length
}

const movementWords = ({ part, rail, cents, at }: OpenMovement): string =>
  part === 'sent'
    ? `the ${rail} movement of ${signedAmount(cents)} that was sent on ${formatDate(at)}`
    : `the return of ${signedAmount(cents)} over ${rail} that the bank reported on ${formatDate(at)}`

/** Lists the problems that prevent closing a month of an account, as sentences with the command that solves each of them. */
export async function listProblems(tx: TxDeps, month: ClosingMonth, days: readonly BankDay[]): Promise<string[]> {
  const { lines } = await getWaitingLines(tx, { scope: month })
  const moreCount = days.reduce((sum, { waitingCount }) => sum + waitingCount, 0) - lines.length
  const cases = await listOpenCases(tx.sql, month, rangeOf(month))
  const hasGap = cases.some(({ kind, day }) => kind === 'statement_gap' && day !== null && day <= month.lastDay)
  return [
    ...(await missingDays(tx, month, { days, hasGap })).map(
      (day) => `The statement of ${day} is missing. Ask the bank for it.`,
    ),
    ...days
      .filter(({ isMatched }) => !isMatched)
      .map(({ day }) => `Lines of ${day} are not matched yet. The service does it within a minute.`),
    ...days
      .filter((one) => one.isMatched && one.closingCents !== one.ledgerCents)
      .map((one) => `The balance of ${one.day} is not the ledger's. Run remit verify-ledger.`),
    ...lines.map(
      ({ id, bookedOn, day, cents, finding }) =>
        `The line of ${bookedOn ?? day} of ${signedAmount(cents)} waits: ${finding} See remit reconcile show ${id}`,
    ),
    ...(moreCount > 0 ? [`Lines that wait and are not listed here: ${moreCount}. Decide the listed ones first.`] : []),
    ...cases.map(({ id, note }) => `${note} Decide with remit exceptions close ${id} --note TEXT`),
  ]
}

/**
 * Returns the banking days whose statement is missing: days in a gap with an open case, and days at the end of the month unless the next
 * statement continues the balance. Other days without a statement had no lines, because the balances before and after them are equal.
 */
async function missingDays(
  tx: TxDeps,
  month: ClosingMonth,
  { days, hasGap }: { days: readonly BankDay[]; hasGap: boolean },
): Promise<string[]> {
  const { connection, firstDay, lastDay, firstStatementDay } = month
  const known = new Map(days.map((one) => [one.day, one]))
  const missing: string[] = []
  let waiting: string[] = []
  const start = firstStatementDay > firstDay ? firstStatementDay : firstDay
  for (let day = start; day <= lastDay; day = formatDate(addDays(new Date(day), 1))) {
    const one = known.get(day)
    if (one && hasGap && one.gapCents !== 0) missing.push(...waiting)
    if (one) waiting = []
    else if (isBankingDay(new Date(day), calendarOf(connection))) waiting.push(day)
  }
  const next = await getNextDay(tx, month, lastDay)
  return next?.gapCents === 0 ? missing : [...missing, ...waiting]
}
