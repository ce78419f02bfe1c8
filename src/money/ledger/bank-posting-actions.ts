import type { TxDeps } from '../../foundation/db/deps.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { insertBankTransfer, insertBankTransfers } from './bank-posting-store.ts'

/** Posts rows of `line_postings`. The transfer of each has its id. */
export const postBankLines = (tx: TxDeps, postingIds: readonly string[], bankAccount: string): Promise<void> =>
  insertBankTransfers(
    tx.sql,
    postingIds.map((id) => ({ postingId: id, transferId: id, direction: 'line' })),
    { bankAccount, now: tx.clock.now() },
  )

/** Takes rows of `line_postings` back with transfers in the other direction. */
export const undoBankLines = (tx: TxDeps, postingIds: readonly string[], bankAccount: string): Promise<void> =>
  insertBankTransfers(
    tx.sql,
    postingIds.map((id) => ({ postingId: id, transferId: newId(tx), direction: 'undo' })),
    { bankAccount, now: tx.clock.now() },
  )

/** Posts what no line of a statement explains. `cents`: into the bank account, or negative. */
export const postBankBalance = (
  tx: TxDeps,
  given: { platformId: string; bankAccount: string; account: string; cents: number },
): Promise<void> => insertBankTransfer(tx.sql, { ...given, id: newId(tx), reason: 'bank_balance', now: tx.clock.now() })
