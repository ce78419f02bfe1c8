import { fieldError } from './errors.ts'

/** The maximum amount: ten digits of cents, the size of the amount field in a MICR line and in a Nacha entry. */
export const MAX_AMOUNT_CENTS = 9_999_999_999

/** The maximum distance of an amount from a whole cent, in dollars. */
const MAX_NOISE_DOLLARS = 1e-6

/**
 * Converts dollars to cents. Rounds floating-point noise such as 0.1 + 0.2. Returns null for other fractions of a cent (specification.md
 * 1.3).
 */
export function dollarsToCents(dollars: number): number | null {
  const cents = Math.round(dollars * 100)
  return Math.abs(dollars - centsToDollars(cents)) <= MAX_NOISE_DOLLARS ? cents : null
}

/** Converts cents to dollars for a JSON answer: 1234 becomes 12.34. */
export const centsToDollars = (cents: number): number => cents / 100

/** Formats cents for people: 123456 becomes `$1,234.56`, and -100 becomes `-$1.00`. */
export const formatDollars = (cents: number): string => `${cents < 0 ? '-' : ''}$${formatAmount(Math.abs(cents))}`

const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Formats cents without the currency: 123456 becomes `1,234.56`. */
export const formatAmount = (cents: number): string => twoDecimals.format(cents / 100)

/** Formats cents for programs: 123456 becomes `1234.56`. */
export const decimalAmount = (cents: number): string => (cents / 100).toFixed(2)

/** Converts the amount in a request's `field` to cents, at least `min`. @throws ApiError invalid_request */
export function requireCents(dollars: number, field: string, { min = 1 } = {}): number {
  const cents = dollarsToCents(dollars)
  if (cents === null) throw fieldError('invalid_request', field, 'must have at most two decimal places')
  if (cents < min) throw fieldError('invalid_request', field, `must be at least ${centsToDollars(min)}`)
  return cents
}
