import { createBatches } from '../lib/concurrency/batches.ts'
import { classifyDatabaseError } from './trouble.ts'

/**
 * The maximum number of platforms that are remembered. Above it, all are forgotten. A statement of a forgotten platform that still waits is
 * not shared with new ones.
 */
const MAX_PLATFORMS = 10_000

/**
 * Combines simultaneous reads (or writes) into one statement. If it fails because of one item, each item runs separately. A damaged row of
 * one platform then fails no request of another.
 */
export const shareStatements = <Context, Item, Result>(
  run: (context: Context, items: Item[]) => Promise<Result[]>,
  limits: { maxSize: number; maxAtOnce?: number },
): ((context: Context, item: Item) => Promise<Result>) =>
  createBatches(run, { ...limits, canBeOfOne: (error) => classifyDatabaseError(error) === 'other' })

/**
 * Combines simultaneous statements of each platform. Different platforms do not share a statement, because the node of one of them may be
 * down.
 */
export function shareStatementsOfPlatform<Context, Item extends { platformId: string }, Result>(
  run: (context: Context, platformId: string, items: Item[]) => Promise<Result[]>,
  limits: { maxSize: number; maxAtOnce?: number },
): (context: Context, item: Item) => Promise<Result> {
  const platforms = new Map<string, (context: Context, item: Item) => Promise<Result>>()
  return (context, item) => {
    const { platformId } = item
    const known = platforms.get(platformId)
    if (known) return known(context, item)
    if (platforms.size >= MAX_PLATFORMS) platforms.clear()
    const share = shareStatements<Context, Item, Result>((shared, items) => run(shared, platformId, items), limits)
    platforms.set(platformId, share)
    return share(context, item)
  }
}
