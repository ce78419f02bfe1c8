import { formatDollars } from '../../foundation/core/money.ts'

/** An amount in the smallest unit of its currency, or the problem of the text. The problem does not repeat the text. */
export type AmountReading = { cents: number; problem: null } | { cents: null; problem: string }

/** The maximum number of digits of an amount. Sums of thousands of such amounts are still exact. */
const MAX_DIGITS = 15

const bad = (problem: string): AmountReading => ({ cents: null, problem })

/** Reads an integer of cents in the form of BAI2: `+000`, `-1500`, `000000000208500`. */
export function readWholeCents(text: string): AmountReading {
  const [, sign = '', digits] = /^([+-]?)(\d+)$/.exec(text) ?? []
  if (digits === undefined) return bad(notANumber(text))
  return signed(sign, digits)
}

/** The characters that separate the parts of a number. */
export type DecimalMarks = { decimal: string; thousands: string | null }

const PLAIN: DecimalMarks = { decimal: '.', thousands: null }

/**
 * Reads a decimal number with at most `digits` decimals. With two, `12.3` is 1230. Additional zeros at the end are allowed, because they do
 * not change the value.
 */
export function readDecimal(text: string, digits: number, marks = PLAIN): AmountReading {
  const { decimal, thousands } = marks
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
  const [whole = '', fraction = '', ...more] = rest.split(decimal)
  const plainWhole = thousands === null ? whole : withoutThousands(whole, thousands)
  const isNumber =
    more.length === 0 && /^\d*$/.test(plainWhole) && /^\d*$/.test(fraction) && /\d/.test(plainWhole + fraction)
  if (!isNumber) return bad(notANumber(text))
  const kept = fraction.slice(0, digits)
  if (/[1-9]/.test(fraction.slice(digits))) {
    return bad(`the amount has ${fraction.length} decimals, and its currency has ${digits}`)
  }
  return signed(sign, plainWhole + kept.padEnd(digits, '0'))
}

/** Removes thousands separators: `1,250` becomes 1250. Groups of another length are unchanged, so the text is then no number. */
function withoutThousands(whole: string, mark: string): string {
  const [first = '', ...groups] = whole.split(mark)
  const isGrouped = groups.length > 0 && /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group))
  return isGrouped ? first + groups.join('') : whole
}

function signed(sign: string, digits: string): AmountReading {
  const significant = digits.replace(/^0+/, '')
  if (significant.length > MAX_DIGITS) {
    return bad(`the amount has ${significant.length} digits, and at most ${MAX_DIGITS} are possible`)
  }
  if (significant === '' && sign === '-') return bad('the amount is a negative zero')
  return { cents: Number(significant) * (sign === '-' ? -1 : 1), problem: null }
}

function notANumber(text: string): string {
  if (text.trim() === '') return 'the amount is missing'
  if (/^[+-]?[\d.,]+e[+-]?\d+$/i.test(text)) return 'the amount has an exponent'
  if (/^[+-]?\d+[.,]\d*$/.test(text)) return 'the amount has a decimal point where only whole cents are possible'
  return 'the amount is not a number'
}

const knownDecimals = new Map<string, number>()

/** Returns the number of decimals of a currency (ISO 4217), or null if the text is not a currency code. */
export function decimalsOf(currency: string): number | null {
  const known = knownDecimals.get(currency)
  if (known !== undefined) return known
  if (!/^[A-Z]{3}$/.test(currency)) return null
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  knownDecimals.set(currency, digits)
  return digits
}

/** Formats an amount in the smallest unit of its currency for people: `$1,234.56`, `-0.50 EUR`. `currency`: null if it is unknown. */
export function amountText(cents: number, currency: string | null): string {
  if (currency === 'USD') return formatDollars(cents)
  const digits = currency === null ? null : decimalsOf(currency)
  if (digits === null) return `${cents.toLocaleString('en-US')} in the smallest unit of its currency`
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${(cents / 10 ** digits).toLocaleString('en-US', format)} ${currency}`
}
