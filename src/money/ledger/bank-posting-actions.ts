import type { TxDeps } from '../../foundation/db/deps.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { insertBankTransfer, insertBankTransfers } from './bank-posting-store.ts'

/** Posts the transfers for rows of `line_postings`. The id of each transfer is that of its row. */
export const postBankLines = (tx: TxDeps, postingIds: readonly string[], bankAccount: string): Promise<void> =>
  insertBankTransfers(
    tx.sql,
    postingIds.map((id) => ({ postingId: id, transferId: id, direction: 'line' })),
    { bankAccount, now: tx.clock.now() },
  )

/** Reverses rows of `line_postings` with transfers in the other direction. */
export const undoBankLines = (tx: TxDeps, postingIds: readonly string[], bankAccount: string): Promise<void> =>
  insertBankTransfers(
    tx.sql,
    postingIds.map((id) => ({ postingId: id, transferId: newId(tx), direction: 'undo' })),
    { bankAccount, now: tx.clock.now() },
  )

/** Posts the part of a balance that no statement line explains. `cents`: positive into the bank account, negative out of it. */
export const postBankBalance = (
  tx: TxDeps,
  given: { platformId: string; bankAccount: string; account: string; cents: number },
): Promise<void> => insertBankTransfer(tx.sql, { ...given, id: newId(tx), reason: 'bank_balance', now: tx.clock.now() })
