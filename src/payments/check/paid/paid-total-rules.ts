import type { FramedLine, PaidLine } from './paid-line-rules.ts'
import { plainValue, readAccount, readAmount, readDate } from './paid-value-rules.ts'

// Reads lines that state the number of checks in a list and their sum.

const TOTAL_WORDS = /\b((sub|grand)? ?totals?|subtotals?|count|sum|number of|items?|records?|checks? paid|end of)\b/i
const TRAILER_CODES = /^(t|trl|trailer|z|eof|ftr|footer)$/i

/** Matches words for totals of something else than paid checks. */
const OTHER_TOTALS = /\b(outstanding|issued|void(ed)?|stop(ped)?|deposits?|credits?|balance|fees?)\b/i

/**
 * Returns whether a line below the table states totals. Only its first value is checked, because the name of a payee can contain such
 * words.
 */
export function isTotalsLine(fields: readonly string[]): boolean {
  const first = fields.map(plainValue).find((value) => value !== '') ?? ''
  return TOTAL_WORDS.test(first) || TRAILER_CODES.test(first)
}

/** Returns whether a title above the table states totals. */
export const isTotalsTitle = ({ text }: FramedLine): boolean =>
  /\b(total|number|count)\b/i.test(text) && /\b(paid|checks?|items?)\b/i.test(text) && !OTHER_TOTALS.test(text)

const DATES = /\d{1,4}[-/]\d{1,2}[-/]\d{2,4}|\d{1,2}[- ][a-z]{3}[a-z]*[- ]\d{2,4}|\d{1,2}:\d\d(:\d\d)?/gi

/** Compares totals with the lines since the previous totals. @returns the difference in words, or null */
export function totalsProblem(
  totals: FramedLine,
  { all, since, separator }: { all: readonly PaidLine[]; since: readonly PaidLine[]; separator: string },
): string | null {
  if (OTHER_TOTALS.test(totals.text)) return null
  const text = totals.text.replace(/"/g, ' ').replace(DATES, ' ')
  const readings = [text.split(separator).flatMap((field) => field.split(/\s+/)), text.split(/[\s|;]+|,(?!\d{3}\b)/)]
  const sums = [sumsOf(all), sumsOf(since)]
  const addsUp = readings.some((tokens) => sums.some((sum) => tokens.every((token) => isStated(token, sum))))
  if (addsUp) return null
  return `line ${totals.number}: its totals do not add up. ${all.length} checks are listed above it`
}

type Sums = {
  counts: readonly number[]
  cents: readonly number[]
  /** The minimum that the lines can add up to. Null: each amount is known. */
  leastCents: number | null
  accounts: readonly string[]
}

/** Returns the sums that the lines can have: with amounts read as dollars or as cents, and with and without lines that are not payments. */
function sumsOf(lines: readonly PaidLine[]): Sums {
  const distinct = [...new Map(lines.map((one) => [one.line.text.trim(), one])).values()]
  const paid = distinct.filter(({ listedAs }) => listedAs === null)
  const sum = (some: readonly PaidLine[], unit: number) =>
    some.reduce((total, { cents }) => total + (cents[unit] ?? cents[0] ?? 0), 0)
  const isCertain = ({ problem, isAmountUncertain }: PaidLine) => problem === null && !isAmountUncertain
  const least = paid.filter(isCertain).reduce((total, { cents }) => total + Math.min(...cents), 0)
  return {
    counts: [distinct.length, paid.length],
    cents: [0, 1].flatMap((unit) => [sum(distinct, unit), sum(paid, unit)]),
    accounts: distinct.flatMap(({ account }) => account?.digits ?? []),
    leastCents: distinct.every(isCertain) ? null : least,
  }
}

/**
 * Returns whether a value of a totals line is the count, the sum, or unrelated to them. Lines with an uncertain amount can only increase
 * the sum.
 */
function isStated(token: string, { counts, cents, leastCents, accounts }: Sums): boolean {
  const value = token.replace(/[:=]+$/g, '')
  const digits = value.replace(/\D/g, '')
  if (digits === '' || Number(digits) === 0) return true
  if (/^\(?\d{1,7}\)?$/.test(value) && counts.includes(Number(digits))) return true
  if (accounts.includes(digits) || readAccount(value)?.isSuffix || (digits.length === 8 && readDate(value).on))
    return true
  const amount = readAmount(value)
  return amount?.cents.some((one) => (leastCents === null ? cents.includes(one) : one >= leastCents)) ?? false
}
