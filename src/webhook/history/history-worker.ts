import type { Deps } from '../../db/deps.ts'
import { isolate } from '../../db/isolation.ts'
import { sweepOldRows } from '../../db/old-rows.ts'
import { inTransaction } from '../../db/transaction.ts'
import { addDays } from '../../lib/clock.ts'
import { lowestIdOf } from '../../lib/ids.ts'
import { removedEndpoints } from '../endpoint/endpoint-store.ts'
import { EVENTS_KEPT_DAYS } from '../event/event-rules.ts'
import { deleteEvents, listOldEvents, listPlatformsWithEvents } from './history-store.ts'

const PLATFORMS_PER_PASS = 100
const EVENTS_PER_BATCH = 500
const ENDPOINTS_PER_PASS = 100

/**
 * Makes a step that goes from platform to platform. One pass deletes old events of the next platform that has any, with
 * their deliveries and attempts. They are as old as their ids say; a platform whose clock was moved ahead keeps its events
 * the longer, and loses none by moving it.
 *
 * @returns the pass; it returns how many events it deleted
 */
export function createEventSweep(deps: Deps): () => Promise<number> {
  let after: string | null = null
  return async () => {
    const isolation = isolate(deps, 'sweep events')
    const skipped = isolation.skipped().platformIds
    const beforeId = lowestIdOf(addDays(deps.clock.now(), -EVENTS_KEPT_DAYS))
    const platforms = await listPlatformsWithEvents(deps.sql, after, PLATFORMS_PER_PASS)
    for (const { platformId, oldestId } of platforms) {
      const hasOld = oldestId < beforeId && !skipped.includes(platformId)
      const count = hasOld ? await isolation.each([platformId], () => sweepPlatform(deps, { platformId, beforeId })) : 0
      if (count > 0) return count
      after = platformId
    }
    if (platforms.length < PLATFORMS_PER_PASS) after = null
    return 0
  }
}

const sweepPlatform = (deps: Deps, { platformId, beforeId }: { platformId: string; beforeId: string }) =>
  inTransaction(deps, async (tx) => {
    const eventIds = await listOldEvents(tx.sql, { platformId, beforeId, limit: EVENTS_PER_BATCH })
    return eventIds.length === 0 ? 0 : deleteEvents(tx.sql, { platformId, eventIds })
  })

/** One pass: deletes endpoints that were removed and of which nothing is left. @returns how many */
export const sweepEndpoints = (deps: Deps): Promise<number> =>
  sweepOldRows(deps, 'sweep endpoints', removedEndpoints, {
    before: addDays(deps.clock.now(), -EVENTS_KEPT_DAYS),
    limit: ENDPOINTS_PER_PASS,
  })
