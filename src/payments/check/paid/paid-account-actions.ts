import { withoutZeros } from '../../../foundation/core/account-number.ts'
import { checkBankOfConnection } from '../../../foundation/core/operator-account.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { listPaperDigests, openPaperAccount } from '../printing/print-check-actions.ts'
import { listPaperAccounts } from './paid-check-store.ts'
import type { PaidLine } from './paid-line-rules.ts'
import type { ReadAccount } from './paid-value-rules.ts'

/** An account that checks were drawn on: its number, and the digests of the number by each master key. */
export type OwnAccount = { number: string; digests: readonly Buffer[] }

/**
 * Lists the operator's accounts at one bank: the configured account, and those that checks were drawn on over its connection. Null: at all
 * banks.
 */
export async function readOwnAccounts(tx: TxDeps, connectionId: string | null): Promise<OwnAccount[]> {
  const rows = await listPaperAccounts(tx.sql, connectionId)
  const connections = tx.connections.current().all.filter(({ id }) => connectionId === null || id === connectionId)
  const current = connections.flatMap((one) => checkBankOfConnection(one)?.accountNumber ?? [])
  const numbers = rows.map(({ accountSealed }) => openPaperAccount(tx, accountSealed))
  const distinct = new Map([...current, ...numbers].map((number) => [withoutZeros(number), number]))
  return [...distinct.values()].map((number) => ({ number, digests: listPaperDigests(tx, number) }))
}

/** Returns the operator's accounts that the account in a list can mean. Returns all of them if the list names none. */
export function accountsNamed(
  tx: Pick<TxDeps, 'keyRing'>,
  own: readonly OwnAccount[],
  account: ReadAccount | null,
): readonly OwnAccount[] {
  if (account === null) return own
  const { digits, isSuffix } = account
  const endsAlike = () => own.filter(({ number }) => number.endsWith(digits))
  if (isSuffix) return endsAlike()
  const digests = listPaperDigests(tx, digits)
  const same = own.filter((one) => one.digests.some((digest) => digests.some((other) => other.equals(digest))))
  // Some lists give only the last four digits of an account, without a mask.
  return same.length === 0 && digits.length === LAST_DIGITS ? endsAlike() : same
}

const LAST_DIGITS = 4

/**
 * Returns whether a line may be about one of the operator's accounts although its account column names another one. This is so if the line
 * contains the full number, or if it has too many fields, because a separator may have split the number.
 */
export function mayMeanAccount(own: readonly OwnAccount[], { line, account, hasAllFields }: PaidLine): boolean {
  const characters = line.text.replace(/[^\p{L}\p{N}]/gu, '')
  const numbers = own.map(({ number }) => withoutZeros(number))
  if (numbers.some((number) => characters.includes(number))) return true
  if (hasAllFields || account === null) return false
  return account.isSuffix || numbers.some((number) => number.startsWith(withoutZeros(account.digits)))
}
