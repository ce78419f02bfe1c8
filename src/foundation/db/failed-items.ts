import type { Pool } from './connect.ts'
import { isOfSeveral, runSeparately } from './statement-group.ts'
import { type InTransaction, inTransaction } from './transaction.ts'
import { classifyDatabaseError } from './trouble.ts'

/** The failure of one item in a transaction with several items. */
export class ItemFailed<Item> extends Error {
  readonly item: Item

  constructor(item: Item, cause: unknown) {
    super('an item in a transaction failed', { cause })
    this.item = item
  }
}

/**
 * Returns an error handler that attributes an error to an item. Problems of the database itself, such as a lost connection, and errors of
 * statements that several items share, are rethrown unchanged.
 */
export const failItem =
  <Item>(item: Item) =>
  (error: unknown): never => {
    throw isOfItem(error) ? new ItemFailed(item, error) : error
  }

const isOfItem = (error: unknown): boolean => classifyDatabaseError(error) === 'other' && !isOfSeveral(error)

/**
 * Runs `work` in one transaction. If an item fails (`ItemFailed`), runs `work` again in a new transaction, with the failed items to skip. If
 * a statement fails that several items share (`runInGroup`), the next transaction runs the items one by one, to find the one that fails.
 */
export async function inTransactionSkippingFailed<Item, Deps extends { sql: Pool }, Result>(
  deps: Deps,
  onFailed: (failure: ItemFailed<Item>) => unknown,
  work: (deps: InTransaction<Deps>, failed: readonly Item[]) => Promise<Result>,
): Promise<Result> {
  const failed: Item[] = []
  let isSearching = false
  for (;;) {
    try {
      return await inTransaction(deps, (tx) => {
        if (isSearching) runSeparately(tx.sql)
        return work(tx, failed)
      })
    } catch (error) {
      if (error instanceof ItemFailed) {
        await onFailed(error)
        failed.push(error.item)
        isSearching = false
      } else if (!isSearching && isOfSeveral(error) && classifyDatabaseError(error) === 'other') isSearching = true
      else throw error
    }
  }
}
