import { fieldError } from './errors.ts'

/** Ten digits of cents: what the amount field of a check's MICR line and of a NACHA entry can hold. */
export const MAX_AMOUNT_CENTS = 9_999_999_999

/** How far an amount may be from a whole cent, in dollars. */
const MAX_NOISE_DOLLARS = 1e-6

/**
 * Cents of an amount in dollars, or null when the amount is not a whole number of cents. The noise of binary arithmetic
 * (0.1 + 0.2) is rounded away; a real third decimal never is (specification.md 1.3).
 */
export function centsOfDollars(dollars: number): number | null {
  const cents = Math.round(dollars * 100)
  return Math.abs(dollars - dollarsOfCents(cents)) <= MAX_NOISE_DOLLARS ? cents : null
}

/** Dollars as the JSON number of an answer: 1234 cents are 12.34. */
export const dollarsOfCents = (cents: number): number => cents / 100

/** 123456 cents are `$1,234.56`: for people. */
export const formatDollars = (cents: number): string =>
  `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

/** Cents of an amount that a request names in `field`, at least one unless `min` says otherwise. @throws ApiError invalid_request */
export function requireCents(dollars: number, field: string, { min = 1 } = {}): number {
  const cents = centsOfDollars(dollars)
  if (cents === null) throw fieldError('invalid_request', field, 'must have at most two decimals')
  if (cents < min) throw fieldError('invalid_request', field, `must be at least ${dollarsOfCents(min)}`)
  return cents
}
