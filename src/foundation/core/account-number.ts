import type { EnvironmentSettings } from './environment.ts'

/**
 * Removes leading zeros from an account number, for comparisons. Banks and people pad account numbers differently. Entries, checks and
 * files keep the number as it was given.
 */
export const withoutZeros = (accountNumber: string): string =>
  /^\d+$/.test(accountNumber) ? accountNumber.replace(/^0+(?=\d)/, '') : accountNumber

export type GivenAccount = { routing: string; account: string }

/** Returns the text for the digest of a bank account. Numbers that differ only in leading zeros have the same text. */
export const accountText = ({ routing, account }: GivenAccount): string => `${routing} ${withoutZeros(account)}`

type OwnAccounts = Pick<EnvironmentSettings, 'operatorBank' | 'achFiles'>

/**
 * Returns the operator's current accounts: the one for checks, and the one that balances ACH files. No payment takes money from them,
 * because they are the service's own.
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
