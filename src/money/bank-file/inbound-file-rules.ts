/** Far larger than a day's returns of a large originator. */
export const MAX_INBOUND_BYTES = 16 * 1024 * 1024

/** The report about a file that was set aside as a whole. */
export const reportOnFile = (name: string, problems: readonly string[]): string =>
  [`Nothing was taken from ${name}. It was set aside because of:`, '', ...problems.map((one) => `  ${one}`), ''].join(
    '\n',
  )
