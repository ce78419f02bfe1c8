import { createBatches } from '../lib/concurrency/batches.ts'
import { troubleOf } from './trouble.ts'

/**
 * Simultaneous reads or writes share a statement. If it fails because of one of them, each runs separately, so that a
 * damaged row of one platform fails no request of another.
 */
export const shareStatements = <Context, Item, Result>(
  run: (context: Context, items: Item[]) => Promise<Result[]>,
  limits: { maxSize: number; maxAtOnce?: number },
): ((context: Context, item: Item) => Promise<Result>) =>
  createBatches(run, { ...limits, canBeOfOne: (error) => troubleOf(error) === 'other' })
