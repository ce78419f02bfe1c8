/**
 * Removes leading zeros from an account number, for comparisons. Banks and people pad account numbers differently. Entries, checks and
 * files keep the number as it was given.
 */
export const withoutZeros = (accountNumber: string): string =>
  /^\d+$/.test(accountNumber) ? accountNumber.replace(/^0+(?=\d)/, '') : accountNumber

export type GivenAccount = { routing: string; account: string }

/** Returns the text for the digest of a bank account. Numbers that differ only in leading zeros have the same text. */
export const accountText = ({ routing, account }: GivenAccount): string => `${routing} ${withoutZeros(account)}`
