import type { EnvironmentSettings } from './environment.ts'

/**
 * The form in which account numbers are compared: banks and people pad them with zeros, each in their own way. Entries, checks and files
 * have the number as it was written.
 */
export const withoutZeros = (accountNumber: string): string =>
  /^\d+$/.test(accountNumber) ? accountNumber.replace(/^0+(?=\d)/, '') : accountNumber

export type GivenAccount = { routing: string; account: string }

/**
 * Whether an account is one that the operator uses now: for checks, or to balance ACH files. Money never goes from such an account to
 * the service, because it is the service's own.
 */
export function isConfiguredAccount(
  { operatorBank, achFiles }: Pick<EnvironmentSettings, 'operatorBank' | 'achFiles'>,
  { routing, account }: GivenAccount,
): boolean {
  const settlement = achFiles?.origin.settlementAccount
  const own = [
    ...(operatorBank ? [{ routing: operatorBank.routingNumber, account: operatorBank.accountNumber }] : []),
    ...(settlement ? [{ routing: settlement.routingNumber, account: settlement.accountNumber }] : []),
  ]
  return own.some((one) => one.routing === routing && withoutZeros(one.account) === withoutZeros(account))
}
