/**
 * The form in which account numbers are compared: banks and people pad them with zeros, each in their own way. Entries, checks and files
 * have the number as it was written.
 */
export const withoutZeros = (accountNumber: string): string =>
  /^\d+$/.test(accountNumber) ? accountNumber.replace(/^0+(?=\d)/, '') : accountNumber
