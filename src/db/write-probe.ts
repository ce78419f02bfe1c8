import type { Clock } from '../lib/clock.ts'
import type { Pool } from './connect.ts'

/** A probe that worked counts for this long: whoever asks every second costs one commit in two. */
const WORKS_MS = 2_000

/**
 * Commits a small write and fills a temporary file, as requests write rows and make tables larger: a full disk and a server
 * that only reads answer queries as if nothing were wrong. An update alone finds room in its page when the disk is full.
 * Those who ask at the same time share one.
 */
export function createWriteProbe(sql: Pool, clock: Clock): () => Promise<void> {
  let worksUntil = 0
  let underWay: Promise<void> | null = null

  async function write(): Promise<void> {
    const now = clock.now()
    await sql.begin(async (tx) => {
      // More rows than the memory allowed for them holds: about 300 KB of them go to the disk.
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
