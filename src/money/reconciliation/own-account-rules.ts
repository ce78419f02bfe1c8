import { withoutZeros } from '../../foundation/core/account-number.ts'
import type { Connection, OperatorAccount, StatementRule } from '../../foundation/core/connections.ts'
import type { StatementLine } from '../statement/statement-types.ts'

/** The platform of the operator's own transfers in the ledger. No user belongs to it. */
export const OPERATOR_PLATFORM = '00000000000000000000000000000000'

/** Returns the ledger account of the operator's money at a bank. Its balance is that of the bank's statements. */
export const bankAccountName = ({ connectionId, accountId }: AccountKey): string => `bank:${connectionId}:${accountId}`

/** Returns the ledger account of lines that are not explained yet. */
export const suspenseName = ({ connectionId, accountId }: AccountKey): string => `suspense:${connectionId}:${accountId}`

/** Returns the ledger account that explains the balance before the first statement. */
export const openingName = ({ connectionId, accountId }: AccountKey): string => `opening:${connectionId}:${accountId}`

export type AccountKey = { connectionId: string; accountId: string }

/** Finds the operator's account of a statement. `account`: as the bank writes it, or null if the bank does not name an account. */
export function ownAccountOf({ accounts }: Connection, account: string | null): OperatorAccount | null {
  if (account === null) return accounts.length === 1 ? (accounts[0] as OperatorAccount) : null
  const digits = withoutZeros(account.replaceAll(/[\s-]/g, ''))
  return accounts.find(({ accountNumber }) => withoutZeros(accountNumber) === digits) ?? null
}

/** Returns the operator's account for a line, by the first rule that matches. */
export function ruleAccountOf(
  rules: readonly StatementRule[],
  { text, name, code, cents }: StatementLine,
): string | null {
  const words = `${name ?? ''} ${text}`.toLowerCase()
  const sign = cents > 0 ? 'credit' : 'debit'
  const fitting = rules.find(
    (rule) =>
      (rule.text === null || words.includes(rule.text.toLowerCase())) &&
      (rule.code === null || rule.code === code) &&
      (rule.sign === null || rule.sign === sign),
  )
  return fitting ? `operator:${fitting.account}` : null
}
