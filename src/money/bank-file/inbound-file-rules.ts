/** The maximum size of a file from the bank. A day's returns of a large originator are far smaller. */
export const MAX_INBOUND_BYTES = 16 * 1024 * 1024

/** Returns the report about a file that was set aside as a whole. */
export const reportOnFile = (name: string, problems: readonly string[]): string =>
  [`Nothing was taken from ${name}. It was set aside because of:`, '', ...problems.map((one) => `  ${one}`), ''].join(
    '\n',
  )
