import type { DatePattern, ListColumn } from '../../../foundation/core/check-layout.ts'
import { SEPARATORS, type Separator, splitLine } from '../../../foundation/lib/text/loose-row.ts'

/** The columns of a list of paid checks. `status` is the status that the bank gives a check. */
export type PaidColumn = 'number' | 'amount' | 'account' | 'date' | 'status'

/** An additional name of a column, from the layout of the operator's bank. */
export type PaidColumnName = { column: PaidColumn; name: string }

/**
 * The headings that banks use for the columns of a list of paid checks, as `nameOf` normalizes them. The layout of the bank adds more. A
 * list needs at least the number and the amount.
 */
const KNOWN_NAMES: Record<PaidColumn, readonly string[]> = {
  number: [
    ...['number', 'check', 'check number', 'serial', 'serial number', 'check serial', 'check serial number'],
    ...['item number', 'check id', 'check number serial', 'serial check number'],
  ],
  amount: [
    ...['amount', 'check amount', 'paid amount', 'amount paid', 'item amount', 'posted amount', 'cleared amount'],
    ...['debit', 'debit amount', 'debits', 'withdrawal', 'withdrawal amount', 'transaction amount'],
  ],
  account: ['account', 'account number', 'bank account', 'bank account number', 'from account', 'dda', 'dda account'],
  date: [
    ...[
      'date',
      'paid date',
      'date paid',
      'paid on',
      'posted',
      'posted date',
      'date posted',
      'posting date',
      'post date',
    ],
    ...['cleared', 'cleared date', 'date cleared', 'clear date', 'transaction date', 'process date', 'processed date'],
  ],
  status: ['status', 'check status', 'item status', 'type', 'transaction type', 'item type', 'debit credit', 'dr cr'],
}

/** The position of each column in a line. A list can have several columns that say what happened to the check. */
export type PaidColumns = {
  number: number
  amount: number
  account: number | null
  date: number | null
  status: number[]
}

/**
 * The form of the values. `datePattern`: null for any usual form. `hasImpliedCents`: whether the last two digits are cents, so that 125000
 * means 1250.00.
 */
export type PaidValueForms = { datePattern: DatePattern | null; hasImpliedCents: boolean }

/** `fixed`: the positions of the columns in a list without separators. `texts`: texts that each line must have in some columns. */
export type PaidHeader = {
  separator: Separator
  width: number
  columns: PaidColumns
  fixed: readonly ListColumn[] | null
  texts: readonly { at: number; text: string }[]
  forms: PaidValueForms
}

export type HeaderReading =
  | { kind: 'header'; header: PaidHeader }
  /** The line names some columns but cannot be used as the header, because of its `problem`. */
  | { kind: 'unusable'; problem: string; score: number }
  | { kind: 'other' }

/** The headings and forms that the layout defines for a list with a line of headings. */
export type OwnNames = { own: readonly PaidColumnName[]; forms: PaidValueForms }

/** Reads a line as the header of a list, if it names the columns. Never throws. */
export function readHeader(text: string, names: OwnNames): HeaderReading {
  const readings = SEPARATORS.map((separator) => readHeaderWith(text, separator, names))
  return (
    readings.find(({ kind }) => kind === 'header') ??
    readings.filter((one) => one.kind === 'unusable').sort((a, b) => b.score - a.score)[0] ?? { kind: 'other' }
  )
}

function readHeaderWith(text: string, separator: Separator, { own, forms }: OwnNames): HeaderReading {
  const names = withoutBlankEnd((splitLine(text, separator).readings[0] ?? []).map(nameOf))
  if (names.length < 2) return { kind: 'other' }
  const places = (column: PaidColumn): number[] => placesOf(names, column, own)
  const [number, amount, account, date] = [places('number'), places('amount'), places('account'), places('date')]
  const found = Object.entries({ number, amount, account, date })
  const score = found.filter(([, at]) => at.length > 0).length
  if (score < 2) return { kind: 'other' }
  const [numberAt] = number
  const [amountAt] = amount
  const doubled = found.filter(([, at]) => at.length > 1).map(([column]) => column)
  if (numberAt === undefined || amountAt === undefined || doubled.length > 0) {
    return { kind: 'unusable', score, problem: headerProblem(found, doubled) }
  }
  const columns = { number: numberAt, amount: amountAt, account: account[0] ?? null, date: date[0] ?? null }
  return {
    kind: 'header',
    header: {
      separator,
      width: names.length,
      fixed: null,
      texts: [],
      forms,
      columns: { ...columns, status: places('status') },
    },
  }
}

function headerProblem(found: readonly [string, number[]][], doubled: readonly string[]): string {
  const known = found.filter(([, at]) => at.length > 0).map(([column]) => column)
  const missing = found.filter(([column, at]) => at.length === 0 && ['number', 'amount'].includes(column))
  return [
    `the header names the columns ${known.join(', ')}`,
    ...missing.map(([column]) => `no column for the ${column} of a check is known`),
    ...doubled.map((column) => `several columns can be the ${column}`),
  ].join('; ')
}

/** Returns the positions of a column in the header. If the header contains names from the layout, only those count. */
function placesOf(names: readonly string[], column: PaidColumn, own: readonly PaidColumnName[]): number[] {
  const ownNames = own.filter((one) => one.column === column).map(({ name }) => nameOf(name))
  const placesIn = (wanted: readonly string[]) => names.flatMap((name, at) => (wanted.includes(name) ? [at] : []))
  const chosen = placesIn(ownNames)
  return chosen.length > 0 ? chosen : placesIn(KNOWN_NAMES[column])
}

/** Normalizes a heading. Headings differ in case, punctuation and abbreviations. */
export const nameOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\((usd|\$)\)|\busd\b|\$/g, ' ')
    .replace(/#/g, ' number ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(no|nbr|num|nr)\b/g, 'number')
    .replace(/\b(acct|acc)\b/g, 'account')
    .replace(/\bamt\b/g, 'amount')
    .replace(/\b(chk|ck|cheque|checks)\b/g, 'check')
    .trim()

function withoutBlankEnd(names: readonly string[]): readonly string[] {
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1)
}
