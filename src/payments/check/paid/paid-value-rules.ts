import type { DatePattern } from '../../../foundation/core/check-layout.ts'
import { MAX_AMOUNT_CENTS } from '../../../foundation/core/money.ts'
import { isCalendarDate } from '../../../foundation/lib/clock.ts'

// The values of one line, in the forms in which American banks and spreadsheets write them.

/** Removes what spreadsheets put around a value: blanks, quotation marks, `="…"` and a leading apostrophe. */
export const plainValue = (text: string): string =>
  text
    .replace(/^[\s\u200b\ufeff]+|[\s\u200b\ufeff]+$/g, '')
    .replace(/^="?(.*?)"?$/, '$1')
    .replace(/^["']+|["']+$/g, '')
    .trim()

/**
 * The readings of an amount. An amount without a decimal point can be dollars or cents, so it has two readings, dollars first.
 * `isNegative`: some banks write a debit this way.
 */
export type ReadAmount = { cents: readonly number[]; isNegative: boolean; isCredit: boolean }

export function readAmount(text: string): ReadAmount | null {
  const value = plainValue(text).toUpperCase().replaceAll('−', '-')
  const mark = (/^(CR|DR|DB)\b/.exec(value) ?? /(CR|DR|DB)\.?$/.exec(value))?.[1]
  const signed = value.replace(/^(CR|DR|DB)\b|(CR|DR|DB)\.?$/g, '').replace(/US\$|USD|\$|\*|\s/g, '')
  const isNegative = /^-|-$|^\(.*\)$/.test(signed)
  const number = signed.replace(/^[-+]|[-+]$/g, '').replace(/^\((.*)\)$/, '$1')
  const cents = centsOf(number.replace(/^[-+]/, '')).filter((one) => one > 0 && one <= MAX_AMOUNT_CENTS)
  return cents.length > 0 ? { cents, isNegative, isCredit: mark === 'CR' } : null
}

/** Reads an amount of a list whose layout defines whether cents are implied. */
export function readAmountAs(text: string, { hasImpliedCents }: { hasImpliedCents: boolean }): ReadAmount | null {
  const amount = readAmount(text)
  if (!hasImpliedCents || !amount) return amount
  return /[.,]/.test(text) ? null : { ...amount, cents: amount.cents.slice(-1) }
}

/** Returns the possible readings of digits with separators, in cents. */
function centsOf(number: string): number[] {
  if (/^(\d{1,15}|\d{1,3}(,\d{3}){1,3})$/.test(number)) {
    const digits = Number(number.replaceAll(',', ''))
    return [digits * 100, digits]
  }
  const american = /^(\d{0,10}|\d{1,3}(?:,\d{3}){1,3})\.(\d{1,2})$/.exec(number)
  const european = /^(\d{1,10}|\d{1,3}(?:\.\d{3}){1,3}),(\d\d)$/.exec(number)
  const [, whole, part] = american ?? european ?? []
  if (whole === undefined || part === undefined) return []
  return [Number(whole.replace(/\D/g, '')) * 100 + Number(part.padEnd(2, '0'))]
}

/** Reads a check number. Returns null for any other text. Banks pad check numbers with zeros and mark a gap before one with an asterisk. */
export function readCheckNumber(text: string): number | null {
  const value = plainValue(text).replace(/^(check|chk|ck)?\s*(no\.?|number|#)?\s*/i, '')
  const [, digits = ''] = /^(\d{1,15})\s*\*?$/.exec(value) ?? []
  return Number(digits) > 0 ? Number(digits) : null
}

/** An account number. `isSuffix`: only the last digits are known, because the bank masks the others. */
export type ReadAccount = { digits: string; isSuffix: boolean }

export function readAccount(text: string): ReadAccount | null {
  const value = plainValue(text)
  const [, suffix] = /(?:[*#•…]|\.{2,}|(?:^|[^a-z])x+|\bending(?: in)?)[\s-]*(\d{3,17})$/i.exec(value) ?? []
  if (suffix) return { digits: suffix, isSuffix: true }
  const digits = value.replace(/^[a-z][a-z ]*[:#.\s]\s*/i, '').replace(/[\s-]/g, '')
  return /^\d{4,17}$/.test(digits) ? { digits, isSuffix: false } : null
}

/** A date, or the reason why it cannot be read. `isDayFirst` shows that the file does not use the American order. */
export type ReadDate = { on: string; isOrderKnown: boolean } | { on: null; problem: string; isDayFirst: boolean }

const unreadable: ReadDate = { on: null, problem: 'the date cannot be read', isDayFirst: false }
const dayFirst: ReadDate = {
  on: null,
  problem: 'the date has the day first, and American lists have the month first',
  isDayFirst: true,
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

type DateForm = { pattern: RegExp; read(parts: readonly string[]): ReadDate }

/** The forms that have exactly one meaning in the American order. */
const dateForms: readonly DateForm[] = [
  { pattern: /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, read: ([y = '', m = '', d = '']) => dateOf(y, m, d) },
  {
    pattern: /^(\d{1,2})[-/](\d{1,2})[-/](\d{4}|\d\d)$/,
    read: ([m = '', d = '', y = '']) =>
      Number(m) > 12 && Number(d) <= 12 ? dayFirst : dateOf(y, m, d, m === d || Number(d) > 12),
  },
  { pattern: /^\d{1,2}\.\d{1,2}\.(\d{4}|\d\d)$/, read: () => dayFirst },
  {
    pattern: /^(\d{1,2})[-/ ]?([A-Z]{3})[A-Z]{0,6}\.?[-/, ]{0,2}(\d{4}|\d\d)$/,
    read: ([d = '', month = '', y = '']) => dateOf(y, String(MONTHS.indexOf(month) + 1), d),
  },
  {
    pattern: /^([A-Z]{3})[A-Z]{0,6}\.? (\d{1,2}),? (\d{4})$/,
    read: ([month = '', d = '', y = '']) => dateOf(y, String(MONTHS.indexOf(month) + 1), d),
  },
  { pattern: /^((?:19|20)\d\d)(\d\d)(\d\d)$/, read: ([y = '', m = '', d = '']) => dateOf(y, m, d) },
  {
    pattern: /^(\d\d)(\d\d)((?:19|20)\d\d)$/,
    read: ([m = '', d = '', y = '']) =>
      Number(m) > 12 && Number(d) <= 12 ? dayFirst : dateOf(y, m, d, m === d || Number(d) > 12),
  },
]

const TIME_OF_DAY = /[T ]+\d{1,2}:\d\d(:\d\d(\.\d+)?)? ?(AM|PM|Z|[+-]\d\d:?\d\d)?$/

export function readDate(text: string): ReadDate {
  const value = plainValue(text).toUpperCase().replace(TIME_OF_DAY, '')
  for (const { pattern, read } of dateForms) {
    const [, ...parts] = pattern.exec(value) ?? []
    const date = parts.length > 0 || pattern.test(value) ? read(parts) : unreadable
    if (date.on !== null || date.isDayFirst) return date
  }
  return unreadable
}

function dateOf(year: string, month: string, day: string, isOrderKnown = true): ReadDate {
  const on = [year.padStart(4, '20'), month.padStart(2, '0'), day.padStart(2, '0')].join('-')
  return /^(19|20)/.test(on) && isCalendarDate(on) ? { on, isOrderKnown } : unreadable
}

/**
 * Reads a date in the pattern of the layout. Null: in any usual form. With separators, month and day may have one digit, as spreadsheets
 * write them.
 */
export function readDateAs(text: string, pattern: DatePattern | null): ReadDate {
  if (pattern === null) return readDate(text)
  const least = /[-/]/.test(pattern) ? 1 : 2
  const form = pattern.replace(/YYYY|YY|MM|DD/g, (part) =>
    part.startsWith('Y') ? `(?<Y>\\d{${part.length}})` : `(?<${part.charAt(0)}>\\d{${least},2})`,
  )
  const { Y = '', M = '', D = '' } = new RegExp(`^${form}$`).exec(plainValue(text))?.groups ?? {}
  return Y === '' ? unreadable : dateOf(Y, M, D)
}
