/** Converts an amount to the form for processors: `1250` is `12.50` US dollars. */
export const amountOf = (cents: number): { value: string; currency: 'USD' } => ({
  value: decimalOf(cents),
  currency: 'USD',
})

const decimalOf = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** Reads an amount such as `12.50` exactly. Returns null if it is not an amount in US dollars. */
export function centsOfAmount(amount: unknown): number | null {
  const { value, currency } = (amount ?? {}) as { value?: unknown; currency?: unknown }
  const [, dollars, cents] = /^(\d{1,12})\.(\d{2})$/.exec(typeof value === 'string' ? value : '') ?? []
  return dollars === undefined || currency !== 'USD' ? null : Number(dollars) * 100 + Number(cents)
}
