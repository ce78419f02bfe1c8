import { withoutZeros } from '../../../foundation/core/account-number.ts'
import { checkBankOfConnection } from '../../../foundation/core/operator-account.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { listPaperDigests, openPaperAccount } from '../printing/print-check-actions.ts'
import { listPaperAccounts } from './paid-check-store.ts'
import type { ReadAccount } from './paid-value-rules.ts'

/** An account that checks were drawn on: its number, and its digests by each key. */
export type OwnAccount = { number: string; digests: readonly Buffer[] }

/** Lists the operator's accounts at one bank: the configured one, and those that checks were drawn on over its connection. Null: at all banks. */
export async function readOwnAccounts(tx: TxDeps, connectionId: string | null): Promise<OwnAccount[]> {
  const rows = await listPaperAccounts(tx.sql, connectionId)
  const connections = tx.connections.current().all.filter(({ id }) => connectionId === null || id === connectionId)
  const current = connections.flatMap((one) => checkBankOfConnection(one)?.accountNumber ?? [])
  const numbers = rows.map(({ accountSealed }) => openPaperAccount(tx, accountSealed))
  const distinct = new Map([...current, ...numbers].map((number) => [withoutZeros(number), number]))
  return [...distinct.values()].map((number) => ({ number, digests: listPaperDigests(tx, number) }))
}

/** The operator's accounts that an account of the list can mean. All of them, if the list names none. */
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
  // Some lists have only the last four digits, without a mask.
  return same.length === 0 && digits.length === LAST_DIGITS ? endsAlike() : same
}

const LAST_DIGITS = 4

/** Whether a line contains the full number of one of the operator's accounts, also with separators or other characters within it. */
export const mentionsAccount = (own: readonly OwnAccount[], text: string): boolean => {
  const digits = text.replace(/[^\p{L}\p{N}]/gu, '')
  return own.some(({ number }) => digits.includes(withoutZeros(number)))
}
