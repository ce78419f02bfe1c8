import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { lowestIdOf } from '../../foundation/lib/ids.ts'
import { EVENTS_KEPT_DAYS } from '../event/event-rules.ts'
import { deleteEvents, listOldEvents, listPlatformsWithEvents } from './history-store.ts'

const PLATFORMS_PER_PASS = 100
const EVENTS_PER_BATCH = 500

/**
 * Creates a step that visits the platforms in turn. One pass deletes old events of the next platform that has any, with their deliveries
 * and attempts. The age of an event is computed from its id. A platform with an advanced clock keeps its events longer.
 */
export function createEventSweep(): BackgroundStep {
  const name = 'sweep events'
  let after: string | null = null
  /** Runs one pass. @returns the number of deleted events */
  const run = async (deps: Deps): Promise<number> => {
    const isolation = isolate(deps, name)
    const { platformIds: skipped, answering } = isolation.skipped()
    if (answering) return 0 // The search runs on every node of a cluster. While a node is down, deletion waits.
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
  return { name, run, isWoken: false }
}

const sweepPlatform = (deps: Deps, { platformId, beforeId }: { platformId: string; beforeId: string }) =>
  inTransaction(deps, async (tx) => {
    const eventIds = await listOldEvents(tx.sql, { platformId, beforeId, limit: EVENTS_PER_BATCH })
    return eventIds.length === 0 ? 0 : deleteEvents(tx.sql, { platformId, eventIds })
  })
