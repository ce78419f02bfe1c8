import type { Deps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import { addDays } from '../../../foundation/lib/clock.ts'
import { refreshTotals } from './totals-actions.ts'
import { listDuePlatforms } from './totals-store.ts'

const PLATFORMS_PER_PASS = 20
/** Totals are refreshed only if a request has read them within so many days. */
const WANTED_DAYS = 1

/** One pass: refreshes the totals of platforms whose statistics were read recently. @returns how many platforms have more to count */
export async function refreshDueTotals(deps: Deps): Promise<number> {
  const isolation = isolate(deps, 'count payments')
  const realNow = deps.realClock.now()
  const platformIds = await listDuePlatforms(deps.sql, {
    realNow,
    wantedSince: addDays(realNow, -WANTED_DAYS),
    limit: PLATFORMS_PER_PASS,
    skipped: isolation.skipped(),
  })
  return isolation.each(platformIds, async (platformId) => ((await refreshTotals(deps, platformId)) ? 1 : 0))
}
