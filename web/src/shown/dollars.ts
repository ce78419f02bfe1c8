const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats an amount: `$1,234.50`. */
export const dollars = (amount: number): string => format.format(amount)

/** Formats the change of a balance, with its sign: `+$40.00`, `−$40.00`. */
export const signedDollars = (amount: number): string => (amount < 0 ? `−${dollars(-amount)}` : `+${dollars(amount)}`)

const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 2,
})

/** Formats an amount for a small space: `$1,234.50`, `$92,194,763`, `$100B`. */
export function shortDollars(amount: number): string {
  if (Math.abs(amount) < 1_000_000) return dollars(amount)
  return Math.abs(amount) < 1_000_000_000 ? whole.format(amount) : compact.format(amount)
}
