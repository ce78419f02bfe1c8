/** A field is not empty. The service checks nearly all other rules. */
export const isGiven = (problem: string) => (value: string) => (value.trim() === '' ? problem : null)

/** Dollars with at most two decimals. A comma that is not between thousands could be a decimal one. The service cannot name the field of a text that is no number. */
export const isAmount = (text: string): string | null =>
  /^((\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?|\.\d{1,2})$/.test(text.trim())
    ? null
    : 'Enter an amount in dollars, such as 125.50.'

/** The dollars of a text that passed `isAmount`. */
export const amountOf = (text: string): number => Number(text.trim().replaceAll(',', ''))
