/** A field is not empty. The service checks nearly all other rules. */
export const isGiven = (problem: string) => (value: string) => (value.trim() === '' ? problem : null)

/** Dollars with at most two decimals. The service cannot name the field of a text that is no number. */
export const isAmount = (text: string): string | null =>
  /^(\d[\d,]*(\.\d{1,2})?|\.\d{1,2})$/.test(text.trim()) ? null : 'Enter an amount in dollars, such as 125.50.'

/** The dollars of a text that passed `isAmount`. */
export const amountOf = (text: string): number => Number(text.trim().replaceAll(',', ''))
