import type { Clock } from '../lib/clock.ts'
import type { Pool } from './connect.ts'

/** A successful probe counts for this long, so that polling every second costs one commit every two seconds. */
const WORKS_MS = 2_000

/**
 * Commits a small write and fills a temporary file: with a full or read-only disk, queries still work, and a mere
 * update may fit into its page. Concurrent callers share one probe.
 */
export function createWriteProbe(sql: Pool, clock: Clock): () => Promise<void> {
  let worksUntil = 0
  let underWay: Promise<void> | null = null

  async function write(): Promise<void> {
    const now = clock.now()
    await sql.begin(async (tx) => {
      // More rows than fit into the allowed memory: about 300 KB go to disk.
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
