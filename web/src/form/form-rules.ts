/** Requires a field that is not empty. The service checks nearly all other rules. */
export const isGiven = (problem: string) => (value: string) => (value.trim() === '' ? problem : null)

/** Requires dollars with at most two decimals. Commas are allowed between thousands only, because others could be decimal commas. */
export const isAmount = (text: string): string | null =>
  /^((\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?|\.\d{1,2})$/.test(text.trim())
    ? null
    : 'Enter an amount in dollars, such as 125.50.'

/** Requires the amount of a micro-deposit as statements print it: `$0.07`, `.07` or `0.070`. */
export const isMicroDeposit = (text: string): string | null => {
  const cents = parseMicroDeposit(text) * 100
  if (cents >= 1 && cents < 100 && Math.abs(cents - Math.round(cents)) < 1e-6) return null
  const meant =
    /^\d{1,2}$/.test(text.trim()) && Number(text) > 0 ? ` Did you mean 0.${text.trim().padStart(2, '0')}?` : ''
  return `Enter an amount of less than $1, such as 0.07.${meant}`
}

/** Returns the dollars of a text that passed `isMicroDeposit`, otherwise NaN. */
export const parseMicroDeposit = (text: string): number =>
  /^\$?\d?\.\d+$/.test(text.trim()) ? Number(text.trim().replace('$', '')) : Number.NaN

/** Returns the dollars of a text that passed `isAmount`. */
export const parseAmount = (text: string): number => Number(text.trim().replaceAll(',', ''))
