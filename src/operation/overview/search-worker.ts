import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { readTerms } from './search-actions.ts'
import { listPlatformsToRead } from './search-store.ts'

const PLATFORMS_PER_PASS = 20
/** Payments of a platform are read for the search only if somebody has searched there within so many days. */
const WANTED_DAYS = 1

/** One pass: reads the payments of platforms that were searched recently. @returns how many platforms have more to read */
export async function readDueTerms(deps: Deps): Promise<number> {
  const isolation = isolate(deps, 'read search terms')
  const realNow = deps.realClock.now()
  const platformIds = await listPlatformsToRead(deps.sql, {
    realNow,
    wantedSince: addDays(realNow, -WANTED_DAYS),
    limit: PLATFORMS_PER_PASS,
    skipped: isolation.skipped(),
  })
  return isolation.each(platformIds, async (platformId) => ((await readTerms(deps, platformId)) ? 1 : 0))
}
