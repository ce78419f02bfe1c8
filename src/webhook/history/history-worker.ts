import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { sweepOldRows } from '../../foundation/db/old-rows.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { lowestIdOf } from '../../foundation/lib/ids.ts'
import { removedEndpoints } from '../endpoint/endpoint-store.ts'
import { EVENTS_KEPT_DAYS } from '../event/event-rules.ts'
import { deleteEvents, listOldEvents, listPlatformsWithEvents } from './history-store.ts'

const PLATFORMS_PER_PASS = 100
const EVENTS_PER_BATCH = 500
const ENDPOINTS_PER_PASS = 100

/**
 * Creates a step that visits one platform after another. One pass deletes old events of the next platform that has any, with
 * their deliveries and attempts. The age comes from the event's id. A platform with an advanced clock keeps its events longer.
 *
 * @returns the pass, which returns the number of deleted events
 */
export function createEventSweep(deps: Deps): () => Promise<number> {
  let after: string | null = null
  return async () => {
    const isolation = isolate(deps, 'sweep events')
    const { platformIds: skipped, answering } = isolation.skipped()
    if (answering) return 0 // The search asks every node. Old events can wait.
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

/** One pass: deletes removed endpoints without deliveries. @returns the number of deleted endpoints */
export const sweepEndpoints = (deps: Deps): Promise<number> =>
  sweepOldRows(deps, 'sweep endpoints', removedEndpoints, {
    before: addDays(deps.clock.now(), -EVENTS_KEPT_DAYS),
    limit: ENDPOINTS_PER_PASS,
  })
