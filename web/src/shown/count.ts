/** Formats a number of things: "1 delivery", "2,000 deliveries". */
export const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
