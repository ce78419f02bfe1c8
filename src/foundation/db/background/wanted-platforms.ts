import { addDays } from '../../lib/clock.ts'
import { allPlatforms } from '../cluster/all-platforms.ts'
import type { Deps } from '../deps.ts'
import { isolate } from '../isolation.ts'
import { notSkipped, type Skipped } from '../skipped.ts'

const PLATFORMS_PER_PASS = 20
/** A platform whose result nobody has read for this time is left alone until somebody does. */
const WANTED_DAYS = 1

/**
 * One pass: prepares what somebody reads, such as statistics.
 *
 * @param progress a table with a row for each platform: when it is due (`next_at`) and was read last (`wanted_at`)
 * @param refresh does a batch of one platform. @returns whether there is more to do
 * @returns how many platforms have more to do
 */
export async function refreshWanted(
  deps: Deps,
  { step, progress }: { step: string; progress: string },
  refresh: (platformId: string) => Promise<boolean>,
): Promise<number> {
  const isolation = isolate(deps, step)
  const platformIds = await listWanted(deps, progress, isolation.skipped())
  return isolation.each(platformIds, async (platformId) => ((await refresh(platformId)) ? 1 : 0))
}

async function listWanted({ sql, realClock }: Deps, progress: string, skipped: Skipped): Promise<string[]> {
  const now = realClock.now()
  const rows = await sql<{ platformId: string }[]>`
    ${allPlatforms('finds work')}
    select platform_id
    from ${sql(progress)}
    where next_at <= ${now} and wanted_at > ${addDays(now, -WANTED_DAYS)} ${notSkipped(sql, skipped)}
    order by next_at
    limit ${PLATFORMS_PER_PASS}
  `
  return rows.map(({ platformId }) => platformId)
}
