import { fieldError } from './errors.ts'

/** Ten digits of cents: what the amount field of a check's MICR line and of a NACHA entry can hold. */
export const MAX_AMOUNT_CENTS = 9_999_999_999

/**
 * Cents of an amount in dollars, or null when it has a third decimal. Noise of binary arithmetic below a tenth of a
 * cent (0.1 + 0.2) is rounded away (api.md 0).
 */
export function centsOfDollars(dollars: number): number | null {
  const cents = Math.round(dollars * 100)
  const noise = Math.abs(dollars * 100 - cents)
  return noise < 0.0999 ? cents : null
}

/** Dollars as the JSON number of an answer: 1234 cents are 12.34. */
export const dollarsOfCents = (cents: number): number => cents / 100

/** 123456 cents are `$1,234.56`: for people. */
export const formatDollars = (cents: number): string =>
  `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

/** Cents of an amount that a request names in `field`. @throws ApiError invalid_request */
export function requireCents(dollars: number, field: string): number {
  const cents = centsOfDollars(dollars)
  if (cents === null) throw fieldError('invalid_request', field, 'must have at most two decimals')
  return cents
}
