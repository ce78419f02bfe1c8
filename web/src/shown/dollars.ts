const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Formats an amount: `$1,234.50`. */
export const dollars = (amount: number): string => format.format(amount)
