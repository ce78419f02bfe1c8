import { formatDollars } from '../../core/money.ts'
import { isCalendarDate } from '../../lib/clock.ts'
import { parseCsv } from '../../lib/text/csv.ts'
import { isInFlight, type LegStatus } from '../../rail/leg-status.ts'
import { centsOfAmount, withoutZeros } from '../printing/print-rules.ts'

/** A check that the bank paid. */
export type PaidItem = { line: number; account: string; number: number; cents: number; paidOn: string }

/** A line that needs manual review. */
export type SetAside = { line: number; reason: string }

export type PaidReading = { items: PaidItem[]; setAside: SetAside[] } | { items: null; problems: string[] }

const COLUMNS = ['account', 'number', 'amount', 'date'] as const
type Column = (typeof COLUMNS)[number]

/** Reads a file of paid checks. Never throws. Columns may come in any order, and unknown ones are ignored. */
export function readPaidFile(bytes: Buffer): PaidReading {
  const text = utf8Of(bytes)
  if (text === null) return { items: null, problems: ['it is not UTF-8'] }
  const reading = parseCsv(text)
  if (reading.rows === null) return { items: null, problems: [reading.problem] }
  const [header, ...rows] = reading.rows
  const names = header?.fields.map((name) => name.trim().toLowerCase()) ?? []
  const problems = COLUMNS.flatMap((column) => {
    const count = names.filter((name) => name === column).length
    return count === 1 ? [] : [`the first line must name the column ${column} once`]
  })
  if (problems.length > 0) return { items: null, problems }
  const items: PaidItem[] = []
  const setAside: SetAside[] = []
  for (const { line, fields } of rows) {
    const field = (column: Column) => fields[names.indexOf(column)]?.trim() ?? ''
    const item = fields.length === names.length ? itemOf(field) : `it has ${fields.length} fields, not ${names.length}`
    if (typeof item === 'string') setAside.push({ line, reason: item })
    else items.push({ line, ...item })
  }
  return { items, setAside }
}

function utf8Of(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * @returns the item, or why it is unreadable. The reason never quotes the line, which can contain an account number.
 */
function itemOf(field: (column: Column) => string): Omit<PaidItem, 'line'> | string {
  const cents = centsOfAmount(field('amount'))
  const paidOn = field('date').replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2')
  const number = withoutZeros(field('number'))
  if (!/^\d{4,17}$/.test(field('account'))) return 'the account must be 4 to 17 digits'
  if (!/^\d{1,15}$/.test(number)) return 'the number must be at most 15 digits'
  if (cents === null) return 'the amount must be above 0, with two decimals'
  if (!isCalendarDate(paidOn)) return 'the date must be YYYY-MM-DD or MM/DD/YYYY'
  return { account: withoutZeros(field('account')), number: Number(number), cents, paidOn }
}

/** A check on the operator's account. */
export type KnownCheck = {
  platformId: string
  legId: string
  paymentId: string
  number: number
  cents: number
  status: LegStatus
  stoppedOn: string | null // in the time zone of the business
  paidOn: string | null
}

/** Why a paid item does not match the check with its account and number. Null if it matches. */
export function rejectionReason(known: KnownCheck | null, { cents, paidOn }: PaidItem): string | null {
  if (!known) return 'no check of this number was drawn on this account'
  if (known.cents !== cents) return `${formatDollars(cents)}: ${nameOf(known)}`
  if (isInFlight(known.status)) return null
  // Banks' reports overlap: a repeated line is not a second payment.
  if (known.paidOn === paidOn) return `${nameOf(known)} already, on ${paidOn}`
  return `${nameOf(known)} ${known.paidOn ?? known.stoppedOn ?? ''}`.trim()
}

const states: Record<LegStatus, string> = {
  WAITING: 'is not out yet',
  SENT: 'is out',
  ACCEPTED: 'is out',
  SETTLED: 'was paid',
  TRUSTED: 'was paid',
  STOPPING: 'is out',
  RETURNED: 'was returned',
  CANCELLED: 'was stopped',
}

export const nameOf = ({ number, paymentId, cents, status }: KnownCheck): string =>
  `check ${number} of payment ${paymentId}, ${formatDollars(cents)}, ${states[status]}`

/** The report about a file of paid checks, or null when there is nothing to report. */
export function reportOnPaid(name: string, usedCount: number, setAside: readonly SetAside[]): string | null {
  if (setAside.length === 0) return null
  return [
    `Of ${name}, which is in done/, these lines were set aside:`,
    '',
    ...setAside.map(({ line, reason }) => `  line ${line}: ${reason}`),
    '',
    `Used: ${usedCount} paid checks.`,
    '',
  ].join('\n')
}
