import type { Connection } from '../../foundation/core/connections.ts'
import { decimalAmount, formatDollars } from '../../foundation/core/money.ts'
import { addDays, DAY_MS, formatDate } from '../../foundation/lib/clock.ts'
import { csvForMachine } from '../../foundation/lib/text/csv.ts'
import { protectedCell } from '../../foundation/lib/text/sheet.ts'

/** A month by its first and its last day, both YYYY-MM-DD. */
export type Month = { name: string; firstDay: string; lastDay: string }

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/

/** Reads a month such as `2026-03`. @returns null if the text is not a month */
export function readMonth(text: string): Month | null {
  const [, year, number] = MONTH.exec(text) ?? []
  if (year === undefined) return null
  const lastDay = formatDate(new Date(Date.UTC(Number(year), Number(number), 0)))
  return { name: text, firstDay: `${text}-01`, lastDay }
}

/** Returns the month of a day. */
export const monthOf = (day: string): Month => readMonth(day.slice(0, 7)) as Month

/** Returns the month that follows the month with this last day. */
export const monthAfter = (lastDay: string): Month => monthOf(formatDate(addDays(new Date(lastDay), 1)))

/** Returns the rails whose money moves over an account of a connection. */
export function railsOfAccount(
  { accounts, ach, checks, iso20022 }: Pick<Connection, 'accounts' | 'ach' | 'checks' | 'iso20022'>,
  accountId: string,
): string[] {
  const achAccount = ach?.balancingAccount ?? accounts.find(({ id }) => id !== checks?.account)?.id ?? accounts[0]?.id
  return [
    ...(achAccount === accountId ? ['ACH'] : []),
    ...(checks?.account === accountId ? ['MAIL', 'PRINT'] : []),
    ...(iso20022?.account === accountId ? ['RTP', 'WIRE', 'SWIFT'] : []),
  ]
}

/** A movement that no statement line of the month books. `bookedOn`: the day of a later line that books it, or null. */
export type OpenMovement = {
  platformId: string
  legId: string
  paymentId: string | null
  userId: string | null
  purpose: string
  rail: string
  part: 'sent' | 'returned'
  /** The amount in cents, with the sign that its statement line would have. */
  cents: number
  at: Date
  /** The time of settlement: a check was cashed, or the bank executed an order. */
  settledAt: Date | null
  bookedOn: string | null
}

/** The report of a closed month. Amounts are in cents, and credits are positive. Days are YYYY-MM-DD, times are UTC. */
export type MonthReport = {
  month: string
  account: string
  openingCents: number
  closingCents: number
  closedBy: string
  closedAt: string
  kinds: { kind: string; count: number; creditCents: number; debitCents: number }[]
  /**
   * The sums of lines by the other ledger account, and by the person or rule that decided about them. `what`: the movement that a line of
   * the account `world` books, or null for a payment and for other accounts.
   */
  bookings: {
    account: string
    what: 'funded' | 'taken_back' | 'micro-deposit' | null
    decidedBy: string
    count: number
    cents: number
  }[]
  openItems: { day: string; ageDays: number; what: string; cents: number; paymentId: string | null; note: string }[]
  /** Later open items, which are not listed. */
  moreOpenItems: { count: number; cents: number }
  decisions: {
    at: string
    by: string
    action: string
    lineDay: string
    cents: number
    detail: string
    why: string | null
  }[]
  /** `by`: the operator who decided a case, or null if it ended by itself. */
  cases: {
    openedOn: string
    closedOn: string
    cents: number | null
    note: string
    resolution: string
    by: string | null
  }[]
}

/** Returns the age of an open item at the end of a month, in days. */
export const ageAt = (lastDay: string, at: Date): number =>
  Math.max(0, Math.floor((Date.parse(lastDay) + DAY_MS - at.getTime()) / DAY_MS))

/** Returns the name of a report's file, without its extension. */
export const reportName = ({ account, month }: Pick<MonthReport, 'account' | 'month'>): string =>
  `reconciliation-${account.replace(':', '-')}-${month}`

const MOVEMENTS = {
  funded: 'Credits to wallets',
  taken_back: 'Returned credits to wallets',
  'micro-deposit': 'Micro-deposits',
}

/** Returns the name of a booking for people: of its movement, or of its ledger account. */
export function bookingWords({ account, what }: Pick<MonthReport['bookings'][number], 'account' | 'what'>): string {
  if (account !== 'world') return account.replace(/^operator:/, '').replace(/^suspense:.*/, 'In suspense')
  return what === null ? 'Payments' : MOVEMENTS[what]
}

const DECIDED_BY: Partial<Record<string, string>> = {
  reference: 'by a reference of ours',
  file: 'by the name of a file',
  amount: 'by its amount',
  rule: 'by a rule of the operator',
  person: 'by a person',
  nobody: 'by nobody',
}

export const decidedByWords = (decidedBy: string): string => DECIDED_BY[decidedBy] ?? decidedBy

const HEADING = ['section', 'date', 'text', 'count', 'credits', 'debits', 'amount', 'age_days', 'payment', 'by', 'why']

type Cells = Partial<Record<(typeof HEADING)[number], string>>

/** Returns a sentence about the open items that are not listed, if there are any. */
export const moreItems = ({ moreOpenItems: { count } }: Pick<MonthReport, 'moreOpenItems'>): string[] =>
  count > 0 ? [`${count.toLocaleString('en-US')} later open items`] : []

/** Returns a cell of the CSV. Protects texts that a spreadsheet could take for formulas. Negative amounts stay numbers. */
const cellOf = (name: (typeof HEADING)[number], text: string): string =>
  (TEXTS as readonly string[]).includes(name) ? protectedCell(text) : text

const TEXTS = ['text', 'by', 'why'] as const

/** Formats the report as CSV for a spreadsheet: one row for each fact, with its section in the first column. */
export function reportCsv(report: MonthReport): string {
  const { account, month, openingCents, closingCents, closedAt, closedBy } = report
  const rows: Cells[] = [
    { section: 'month', date: month, text: account },
    { section: 'opening balance', amount: decimalAmount(openingCents) },
    ...report.kinds.map(({ kind, count, creditCents, debitCents }) => ({
      ...{ section: 'lines', text: kind, count: String(count), amount: decimalAmount(creditCents - debitCents) },
      ...{ credits: decimalAmount(creditCents), debits: decimalAmount(debitCents) },
    })),
    { section: 'closing balance', amount: decimalAmount(closingCents) },
    ...report.bookings.map((one) => ({
      ...{ section: 'booked as', text: bookingWords(one), count: String(one.count) },
      ...{ amount: decimalAmount(one.cents), by: decidedByWords(one.decidedBy) },
    })),
    ...report.openItems.map((one) => ({
      ...{ section: 'open item', date: one.day, text: `${one.what}: ${one.note}`, amount: decimalAmount(one.cents) },
      ...{ age_days: String(one.ageDays), payment: one.paymentId ?? '' },
    })),
    ...moreItems(report).map((text) => ({
      ...{ section: 'open items not listed', text, count: String(report.moreOpenItems.count) },
      amount: decimalAmount(report.moreOpenItems.cents),
    })),
    ...report.decisions.map((one) => ({
      ...{ section: 'decision', date: one.at, text: `${one.action} ${one.detail}`, amount: decimalAmount(one.cents) },
      ...{ by: one.by, why: one.why ?? '' },
    })),
    ...report.cases.map((one) => ({
      ...{ section: 'case', date: one.openedOn, text: one.note, by: one.by ?? '', why: one.resolution },
      amount: one.cents === null ? '' : decimalAmount(one.cents),
    })),
    { section: 'closed', date: closedAt, by: closedBy },
  ]
  return csvForMachine([HEADING, ...rows.map((cells) => HEADING.map((name) => cellOf(name, cells[name] ?? '')))])
}

/** Formats an amount with a minus sign for debits. */
export const signedAmount = (cents: number): string => (cents < 0 ? `-${formatDollars(-cents)}` : formatDollars(cents))
