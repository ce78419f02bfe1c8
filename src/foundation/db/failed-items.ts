import type { Pool } from './connect.ts'
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
 * Returns an error handler that attributes an error to an item. Problems of the database itself, such as a lost connection, are rethrown
 * unchanged.
 */
export const failItem =
  <Item>(item: Item) =>
  (error: unknown): never => {
    throw classifyDatabaseError(error) === 'other' ? new ItemFailed(item, error) : error
  }

/**
 * Runs `work` in one transaction. If an item fails (`ItemFailed`), runs `work` again in a new transaction, with the failed items to skip.
 */
export async function inTransactionSkippingFailed<Item, Deps extends { sql: Pool }, Result>(
  deps: Deps,
  onFailed: (failure: ItemFailed<Item>) => unknown,
  work: (deps: InTransaction<Deps>, failed: readonly Item[]) => Promise<Result>,
): Promise<Result> {
  const failed: Item[] = []
  for (;;) {
    try {
      return await inTransaction(deps, (tx) => work(tx, failed))
    } catch (error) {
      if (!(error instanceof ItemFailed)) throw error
      await onFailed(error)
      failed.push(error.item)
    }
  }
}
