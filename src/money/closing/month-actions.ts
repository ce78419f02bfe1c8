import { findConnection } from '../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { businessDate, formatDate, formatDateTime, startOfDay } from '../../foundation/lib/clock.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { findAccount, getAccounts, getDays, getLastClosedDay, lockAccount } from '../reconciliation/bank-day-actions.ts'
import type { BankDay } from '../reconciliation/bank-day-rules.ts'
import { type ClosingMonth, getOpenMovements, listProblems, openOverdueCases } from './month-check-actions.ts'
import { ageAt, type Month, type MonthReport, monthAfter, monthOf, type OpenMovement } from './month-rules.ts'
import {
  type ClosedMonthRow,
  findClosedMonth,
  findClosing,
  insertClosedMonth,
  listClosedMonths,
  listDecidedCases,
  listDecisionsOfMonth,
  sumByBooking,
  sumByKind,
  updateReopened,
} from './month-store.ts'

export type ClosedMonth = Omit<ClosedMonthRow, 'reportSealed'>

const MAX_LISTED = 500

/** Lists the latest closings, the latest month first. A reopened month stays in the list. */
export async function getClosedMonths({
  sql,
}: Pick<Deps, 'sql'>): Promise<{ months: ClosedMonth[]; hasMore: boolean }> {
  const rows = await listClosedMonths(sql, MAX_LISTED + 1)
  const months = rows.slice(0, MAX_LISTED).map(({ reportSealed, ...month }) => month)
  return { months, hasMore: rows.length > MAX_LISTED }
}

/** Returns the stored report of a closing, or null. */
export async function getReport(
  { sql, keyRing }: Pick<Deps, 'sql' | 'keyRing'>,
  id: string,
): Promise<MonthReport | null> {
  const row = await findClosedMonth(sql, id)
  return row && (JSON.parse(keyRing.openText(row.reportSealed, 'month report')) as MonthReport)
}

/** Draws a report as a PDF. The same report gives the same bytes. */
export const drawReport = ({ drawings }: Pick<Deps, 'drawings'>, report: MonthReport): Promise<Buffer> =>
  drawings.paper.schedule({ platformId: 'operator' }, (run) => run<Buffer>('monthReport', report))

/**
 * Returns the accounts to which a command applies: the named account (`first:operating`), or all accounts with statements. @throws
 * StartProblem
 */
export async function chooseAccounts(deps: Pick<Deps, 'sql'>, name: string | undefined): Promise<string[]> {
  const all = (await getAccounts(deps)).map(({ connectionId, accountId }) => `${connectionId}:${accountId}`)
  if (all.length === 0) throw new StartProblem('No bank statement was read yet.')
  if (name === undefined) return all
  if (all.includes(name)) return [name]
  throw new StartProblem(`--account must be one of ${all.join(', ')}.`)
}

/**
 * Closes a month of an account: locks the month and stores its report. Before that, opens cases about movements that the bank has not
 * booked.
 *
 * @returns the id of the closing, the open items if the month cannot be closed, or why there is nothing to close
 * @throws StartProblem
 */
export async function closeMonth(
  deps: Deps,
  { account, month, by }: { account: string; month: Month; by: string },
): Promise<{ id: string } | { problems: string[] } | { nothing: string }> {
  const closing = await closingMonth(deps, account, month)
  if ('nothing' in closing) return closing
  await openOverdueCases(deps, closing)
  return inTransaction(deps, async (tx) => {
    await lockAccount(tx, closing)
    if (await isClosedAlready(tx, closing)) return { nothing: `${month.name} is closed already for ${account}.` }
    const days = await getDays(tx, { ...closing, from: closing.firstDay, to: closing.lastDay })
    const problems = await listProblems(tx, closing, days)
    if (problems.length > 0) return { problems }
    const id = newId(tx)
    const now = tx.clock.now()
    const report = await reportOf(tx, closing, { account, days, by, now })
    await insertClosedMonth(tx.sql, {
      ...{ id, connectionId: closing.connectionId, accountId: closing.accountId },
      ...{ firstDay: closing.firstDay, lastDay: closing.lastDay },
      ...{ openingCents: report.openingCents, closingCents: report.closingCents },
      lineCount: days.reduce((sum, { lineCount }) => sum + lineCount, 0),
      reportSealed: tx.keyRing.seal(JSON.stringify(report), 'month report'),
      ...{ closedAt: now, closedBy: by },
    })
    return { id }
  })
}

/** Returns the month with its account and connection, or why there is nothing to close. @throws StartProblem */
async function closingMonth(deps: Deps, account: string, month: Month): Promise<ClosingMonth | { nothing: string }> {
  const [connectionId = '', accountId = ''] = account.split(':')
  const connection = findConnection(deps.connections.current(), connectionId)
  if (!connection) throw new StartProblem(`connections.json has no connection ${connectionId}.`)
  const known = await findAccount(deps, { connectionId, accountId })
  if (!known) throw new StartProblem(`${account} has no bank statement.`)
  const { firstDay, lastDay } = month
  if (businessDate(deps.clock.now(), connection.timeZone) <= lastDay)
    throw new StartProblem(`${month.name} has not ended at the bank ${connectionId}.`)
  if (known.firstDay > lastDay) return { nothing: `The first statement of ${account} is of ${known.firstDay}.` }
  return { connection, connectionId, accountId, firstDay, lastDay, firstStatementDay: known.firstDay }
}

/** Returns whether a month is closed already. @throws StartProblem if an earlier month must be closed first */
async function isClosedAlready(tx: TxDeps, closing: ClosingMonth): Promise<boolean> {
  const account = `${closing.connectionId}:${closing.accountId}`
  const closed = await getLastClosedDay(tx, closing)
  const next = closed === null ? monthOf(closing.firstStatementDay) : monthAfter(closed)
  if (closing.firstDay > next.firstDay) throw new StartProblem(`Close ${next.name} of ${account} first.`)
  return closing.firstDay < next.firstDay
}

async function reportOf(
  tx: TxDeps,
  closing: ClosingMonth,
  { account, days, by, now }: { account: string; days: readonly BankDay[]; by: string; now: Date },
): Promise<MonthReport> {
  const { connection, firstDay, lastDay } = closing
  const before = await findClosing(tx.sql, { ...closing, lastDay: dayBefore(firstDay) })
  const since = before?.closedAt ?? startOfDay(new Date(firstDay), connection.timeZone)
  const decisions = await listDecisionsOfMonth(tx.sql, closing)
  const cases = await listDecidedCases(tx.sql, closing, since)
  const movements = await getOpenMovements(tx, closing)
  const carried = before?.closingCents ?? 0
  return {
    ...{ month: firstDay.slice(0, 7), account, closedBy: by, closedAt: formatDateTime(now) },
    openingCents: days[0]?.openingCents ?? carried,
    closingCents: days.at(-1)?.closingCents ?? carried,
    kinds: await sumByKind(tx.sql, closing),
    bookings: await sumByBooking(tx.sql, closing),
    openItems: movements.listed.map((one) => openItemOf(one, lastDay)),
    moreOpenItems: movements.more,
    decisions: decisions.map(({ at, ...one }) => ({ ...one, at: formatDateTime(at) })),
    cases: cases.map(({ createdAt, closedAt, ...one }) => ({
      ...one,
      openedOn: formatDate(createdAt),
      closedOn: formatDate(closedAt),
    })),
  }
}

const dayBefore = (day: string): string => formatDate(new Date(Date.parse(day) - 1))

const openItemOf = ({ at, cents, rail, part, paymentId, bookedOn }: OpenMovement, lastDay: string) => ({
  day: formatDate(at),
  ageDays: ageAt(lastDay, at),
  what: part === 'sent' ? `${rail} sent` : `${rail} returned`,
  cents,
  paymentId,
  note: bookedOn === null ? 'not booked yet' : `booked on ${bookedOn}`,
})

/** Reopens the latest closed month of an account, so that its lines can change again. @throws StartProblem */
export async function reopenMonth(
  tx: TxDeps,
  { account, month, by, why }: { account: string; month: Month; by: string; why: string },
): Promise<void> {
  const [connectionId = '', accountId = ''] = account.split(':')
  const key = { connectionId, accountId }
  await lockAccount(tx, key)
  const closing = await findClosing(tx.sql, { ...key, ...month })
  if (!closing) throw new StartProblem(`${month.name} is not closed for ${account}.`)
  const last = await getLastClosedDay(tx, key)
  if (last !== month.lastDay) throw new StartProblem(`Reopen ${last?.slice(0, 7)} of ${account} first.`)
  await updateReopened(tx.sql, closing.id, { at: tx.clock.now(), by, why })
}

/** Finds the current closing of a month. Reopened closings do not count. @throws StartProblem */
export async function requireClosing(deps: Pick<Deps, 'sql'>, account: string, month: Month): Promise<ClosedMonth> {
  const [connectionId = '', accountId = ''] = account.split(':')
  const closing = await findClosing(deps.sql, { connectionId, accountId, ...month })
  if (!closing) throw new StartProblem(`${month.name} is not closed for ${account}.`)
  return closing
}
