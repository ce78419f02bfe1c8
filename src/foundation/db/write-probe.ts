import type { Clock } from '../lib/clock.ts'
import type { Pool } from './connect.ts'

/**
 * The time for which the result of a successful probe is reused, in milliseconds. If clients poll every second, there is one commit every
 * two seconds.
 */
const WORKS_MS = 2_000

/**
 * Creates a probe that commits a small write and fills a temporary file. Smaller tests are not enough: with a full or read-only disk, reads
 * still work, and even a small update may fit into an existing page. Concurrent callers share one probe.
 */
export function createWriteProbe(sql: Pool, clock: Clock): () => Promise<void> {
  let worksUntil = 0
  let underWay: Promise<void> | null = null

  async function write(): Promise<void> {
    const now = clock.now()
    await sql.begin(async (tx) => {
      // Sorts more rows than fit into the allowed memory, so that about 300 KB are written to disk.
      await tx`set local work_mem = '64kB'`
      await tx`select count(*) from generate_series(1, 20000)`
      await tx`
        insert into settings (name, value)
        values ('last_write_probe', ${now.toISOString()})
        on conflict (name) do update
        set value = excluded.value
      `
    })
    worksUntil = now.getTime() + WORKS_MS
  }

  return async () => {
    if (clock.now().getTime() < worksUntil) return
    underWay ??= write().finally(() => {
      underWay = null
    })
    await underWay
  }
}
