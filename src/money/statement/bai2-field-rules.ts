import { isCalendarDate } from '../../foundation/lib/clock.ts'
import { readWholeCents } from './amount-text-rules.ts'
import { balanceKindOf, typeCodeOf } from './bai2-code-rules.ts'
import type { BankTotals } from './statement-tally-rules.ts'
import type { StatementBalance } from './statement-types.ts'

/** Reads YYMMDD, or the YYYYMMDD of version 3, as YYYY-MM-DD. Returns null if the text is not a date. */
export function readBai2Date(text: string): string | null {
  const [, year = '', month = '', day = ''] = /^((?:20)?\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  const date = `${year.padStart(4, '20')}-${month}-${day}`
  return isCalendarDate(date) ? date : null
}

/** The maximum number of days over which the availability of one amount is distributed. No bank uses more. */
const MAX_DISTRIBUTIONS = 200

/** Returns the number of fields that belong to the funds type at `fields[at]`. Returns null if there is no funds type. */
export function fundsLength(fields: readonly string[], at: number): number | null {
  const type = fields[at] ?? ''
  if (type === '' || /^[012Z]$/.test(type)) return 0
  if (type === 'S') return 3
  if (type === 'V') return 2
  if (type !== 'D') return null
  const count = fields[at + 1] ?? ''
  return /^\d{1,3}$/.test(count) && Number(count) <= MAX_DISTRIBUTIONS ? 1 + 2 * Number(count) : null
}

/** The account, its balances and its totals in a 03 record. `totalCents`: the sum of all amounts, for the trailer. */
export type AccountFields = {
  account: string
  currency: string
  balances: StatementBalance[]
  totals: BankTotals
  totalCents: number
  problems: string[]
}

/** Reads the fields of a 03 record: account, currency, and then any number of amounts with their type code, count and funds type. */
export function readAccountFields(fields: readonly string[], on: string | null): AccountFields {
  const [account = '', currency = ''] = fields
  const read: AccountFields = {
    account,
    currency,
    balances: [],
    totals: { count: null, creditCents: null, debitCents: null },
    totalCents: 0,
    problems: [],
  }
  for (let at = 2; at < fields.length; ) {
    // An empty field is an omitted amount, or an extra comma at the end of a line.
    if (fields[at] === '') at++
    else at = readAmount(fields, at, read, on)
  }
  return read
}

/** Reads the amount that begins at `at`. @returns the index of the next amount */
function readAmount(fields: readonly string[], at: number, read: AccountFields, on: string | null): number {
  const code = fields[at] as string
  if (!/^\d{3}$/.test(code)) {
    read.problems.push(`field ${at + 2} should be a type code of three digits. The fields after it were not read`)
    return fields.length
  }
  const amount = fields[at + 1] ?? ''
  if (amount !== '') addAmount(code, amount, read, on)
  const fundsAt = at + 3
  // Some banks leave out the last field before a continuation record.
  if (/^\d{3}$/.test(fields[fundsAt] ?? '')) return fundsAt
  const length = fundsLength(fields, fundsAt)
  if (length !== null) return fundsAt + 1 + length
  read.problems.push(`field ${fundsAt + 2} should be a funds type. The fields after it were not read`)
  return fields.length
}

function addAmount(code: string, text: string, read: AccountFields, on: string | null): void {
  const { cents, problem } = readWholeCents(text)
  if (cents === null) {
    read.problems.push(`type code ${code}: ${problem}`)
    return
  }
  read.totalCents += cents
  if (code === '100') read.totals.creditCents = cents
  else if (code === '400') read.totals.debitCents = cents
  else if (typeCodeOf(code).level === 'status') read.balances.push({ kind: balanceKindOf(code), code, cents, on })
}
