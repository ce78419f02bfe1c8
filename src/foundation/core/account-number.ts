import type { EnvironmentSettings } from './environment.ts'

/**
 * The form in which account numbers are compared: banks and people pad them with zeros, each in their own way. Entries, checks and files
 * have the number as it was written.
 */
export const withoutZeros = (accountNumber: string): string =>
  /^\d+$/.test(accountNumber) ? accountNumber.replace(/^0+(?=\d)/, '') : accountNumber

export type GivenAccount = { routing: string; account: string }

/** The text from which the digest of a bank account is made: numbers that differ only in leading zeros have one. */
export const accountText = ({ routing, account }: GivenAccount): string => `${routing} ${withoutZeros(account)}`

type OwnAccounts = Pick<EnvironmentSettings, 'operatorBank' | 'achFiles'>

/**
 * The accounts that the operator uses now: for checks, and to balance ACH files. Money never goes from such an account to the service,
 * because it is the service's own.
 */
export function configuredAccounts({ operatorBank, achFiles }: OwnAccounts): GivenAccount[] {
  const settlement = achFiles?.origin.settlementAccount
  return [
    ...(operatorBank ? [{ routing: operatorBank.routingNumber, account: operatorBank.accountNumber }] : []),
    ...(settlement ? [{ routing: settlement.routingNumber, account: settlement.accountNumber }] : []),
  ]
}

export const isConfiguredAccount = (settings: OwnAccounts, given: GivenAccount): boolean =>
  configuredAccounts(settings).some((own) => accountText(own) === accountText(given))
