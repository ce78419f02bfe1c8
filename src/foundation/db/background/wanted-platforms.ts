import { addDays } from '../../lib/clock.ts'
import { allPlatforms } from '../cluster/all-platforms.ts'
import type { Deps } from '../deps.ts'
import { isolate } from '../isolation.ts'
import { notSkipped, type Skipped } from '../skipped.ts'

const PLATFORMS_PER_PASS = 20
/** After this many days without a reader, the results of a platform are no longer prepared. They are prepared again at the next read. */
const WANTED_DAYS = 1

/**
 * One pass: prepares results that people read, such as statistics, for the platforms whose results were read recently.
 *
 * @param progress a table with a row for each platform: the time of its next preparation (`next_at`) and of the last read (`wanted_at`)
 * @param refresh prepares one batch for one platform and returns whether more remains
 * @returns the number of platforms for which more remains
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
