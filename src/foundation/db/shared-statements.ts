import { createBatches } from '../lib/concurrency/batches.ts'
import { troubleOf } from './trouble.ts'

/** More are not remembered: then some statements are not shared. */
const MAX_PLATFORMS = 10_000

/**
 * Simultaneous reads or writes share a statement. If it fails because of one of them, each runs separately, so that a
 * damaged row of one platform fails no request of another.
 */
export const shareStatements = <Context, Item, Result>(
  run: (context: Context, items: Item[]) => Promise<Result[]>,
  limits: { maxSize: number; maxAtOnce?: number },
): ((context: Context, item: Item) => Promise<Result>) =>
  createBatches(run, { ...limits, canBeOfOne: (error) => troubleOf(error) === 'other' })

/** The same for statements that name one platform: the node of another one may be down. */
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
