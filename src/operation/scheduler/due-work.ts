import { readSilence, type Silence, withoutHeldBanks } from '../../connections/exchange/silence-actions.ts'
import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { failItem, ItemFailed, inTransactionSkippingFailed } from '../../foundation/db/failed-items.ts'
import { type Isolation, isolate } from '../../foundation/db/isolation.ts'
import { runInGroup } from '../../foundation/db/statement-group.ts'
import {
  type DueQuery,
  earliestOf,
  findPlatformClock,
  listAdvancingClocks,
  listDueItems,
  listDuePlatforms,
  listDuePlatformsInOrder,
  tryLockPlatform,
  updateOffset,
} from './due-store.ts'
import { type DueItem, type DueSource, dueSources } from './due-table.ts'

const sources: [name: string, source: DueSource][] = Object.entries(dueSources)

const ITEMS_PER_BATCH = 400
const PLATFORMS_PER_PASS = 200
/** The number of due times through which one clock advances before other clocks get their turn. */
const INSTANTS_PER_TURN = 100

export const dueWorkStep: BackgroundStep = { name: 'run due work', run: doDueWork, isWoken: true }
export const clockStep: BackgroundStep = { name: 'advance clocks', run: advanceClocks, isWoken: true }

/** One pass: does a batch of due work on each platform. @returns the number of items done */
export async function doDueWork(deps: Deps): Promise<number> {
  const isolation = isolate(deps, dueWorkStep.name)
  const silence = await readSilence(deps)
  return isolation.each(await duePlatforms(deps, isolation, silence), async (platformId) => {
    const { now } = await deps.clocks.of(platformId)
    return doBatch(deps, isolation, { platformId, until: now(), isAdvancing: false, silence })
  })
}

async function duePlatforms(deps: Deps, isolation: Isolation, silence: Silence | null): Promise<string[]> {
  const query = {
    now: deps.clock.now(),
    hasMovableClock: deps.settings.hasMovableClock,
    silence,
    skipped: isolation.skipped(),
  }
  const { platformIds, hasMore } = await listDuePlatforms(deps.sql, query)
  if (!hasMore) return platformIds
  return isolation.nextPlatforms((turn) => listDuePlatformsInOrder(deps, { ...query, ...turn }), PLATFORMS_PER_PASS)
}

/**
 * One pass: moves each advancing clock to the next times with due work. A clock with much work yields to the others.
 *
 * @returns the number of items done
 */
export async function advanceClocks(deps: Deps): Promise<number> {
  if (!deps.settings.hasMovableClock) return 0
  const isolation = isolate(deps, clockStep.name)
  return isolation.eachPlatform(
    PLATFORMS_PER_PASS,
    (turn) => listAdvancingClocks(deps.sql, turn),
    (platformId) => advanceClock(deps, isolation, platformId),
  )
}

async function advanceClock(deps: Deps, isolation: Isolation, platformId: string): Promise<number> {
  const { advancingTo: until } = await findPlatformClock(deps.sql, platformId)
  if (!until) return 0
  for (
    let instants = 0;
    (await doBatch(deps, isolation, { platformId, until, isAdvancing: true, silence: null })) > 0;
  ) {
    if (++instants === INSTANTS_PER_TURN) return instants
  }
  return (await findPlatformClock(deps.sql, platformId)).advancingTo === null ? 1 : 0
}

/** Ends the advance of a clock. The caller must hold the lock on the platform and have found no more due work. */
async function arrive(tx: TxDeps, { platformId, until }: Batch): Promise<void> {
  if ((await findPlatformClock(tx.sql, platformId)).advancingTo?.getTime() !== until.getTime()) return
  await updateOffset(tx.sql, platformId, { offsetMs: until.getTime() - tx.clock.now().getTime(), hasArrived: true })
  tx.afterCommit(() => {
    tx.clocks.forget(platformId)
    tx.wake()
  })
}

/**
 * A batch of due work of a platform. `silence`: the time until which the files of each bank were read at the start of
 * the pass.
 */
type Batch = { platformId: string; until: Date; isAdvancing: boolean; silence: Silence | null }

/**
 * Does the earliest due work of a platform in one transaction: all items that are due at one instant, at that time. Where clocks cannot be
 * moved, all of it is done at the current time. A failing item is skipped for a while, and the others go on.
 *
 * @returns the number of items, or 0 if nothing is due or another worker has locked the platform
 */
function doBatch(deps: Deps, isolation: Isolation, batch: Batch): Promise<number> {
  const { platformId } = batch
  const skip = ({ cause, item: { kind, id } }: ItemFailed<FailedItem>) =>
    isolation.fail({ platformId, kind, id }, cause)
  return inTransactionSkippingFailed(deps, skip, async (tx, failed) => {
    const { platformIds, ids } = isolation.skipped()
    if (platformIds.includes(platformId)) return 0
    return runBatch(tx, isolation, batch, [...ids, ...failed.map(({ id }) => id)])
  })
}

type FailedItem = { kind: string; id: string }

async function runBatch(tx: TxDeps, isolation: Isolation, batch: Batch, except: string[]): Promise<number> {
  const { platformId, until, isAdvancing, silence: silenceBefore } = batch
  if (!(await tryLockPlatform(tx.sql, platformId))) return 0
  // A file that was read after the start of the pass may have become a case.
  const silence = await withoutHeldBanks(tx, silenceBefore)
  const given = { platformId, limit: ITEMS_PER_BATCH, except, silence, isOneInstant: tx.settings.hasMovableClock }
  const lists = await Promise.all(
    sources.map(async ([kind, source]) => ({
      kind,
      source,
      items: await listDueItems(tx.sql, source, { ...given, until }),
    })),
  )
  const [first, next] = lists
    .filter(({ items }) => items.length > 0)
    .sort((a, b) => earliestOf(a.items).dueAt.getTime() - earliestOf(b.items).dueAt.getTime())
  if (!first) {
    if (isAdvancing) await arrive(tx, batch)
    return 0
  }
  const { kind, source } = first
  // Work of another kind that was due in between comes first.
  const items = next ? first.items.filter(({ dueAt }) => dueAt <= earliestOf(next.items).dueAt) : first.items
  const at = earliestOf(items).dueAt
  const deps = tx.settings.hasMovableClock ? { ...tx, clock: { now: () => at } } : tx
  // Before the work, because other platforms learn of changes at the real time, which is that of the clock without its offset.
  if (isAdvancing) {
    await updateOffset(tx.sql, platformId, { offsetMs: at.getTime() - tx.clock.now().getTime(), hasArrived: false })
    tx.afterCommit(() => tx.clocks.forget(platformId))
  }
  const run = await source.prepare(deps, platformId, items as never[])
  await runInGroup(tx.sql, items, {
    keysOf: (item) => source.keysOf?.(item as never) ?? ['in turn'],
    inHalves: source.inHalves === true,
    run: (item) => run(item as never).catch(failItem({ kind, id: item.id })),
  })
  await refuseUnchanged(tx, { kind, source, items }, { ...given, until })
  tx.afterCommit(() => isolation.succeed(items.map(({ id }) => id)))
  return items.length
}

/** Requires that an item is no longer due after its work, because it would be repeated endlessly. */
async function refuseUnchanged(
  tx: TxDeps,
  { kind, source, items }: { kind: string; source: DueSource; items: DueItem[] },
  query: DueQuery,
): Promise<void> {
  const before = new Set(items.map((item) => JSON.stringify(item)))
  const left = await listDueItems(tx.sql, source, query)
  const unchanged = left.find((item) => before.has(JSON.stringify(item)))
  if (unchanged) throw new ItemFailed({ kind, id: unchanged.id }, new Error('it is still due after its work'))
}
