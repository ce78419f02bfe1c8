import type { Clock } from '../lib/clock.ts'
import type { Pool, Sql } from './connect.ts'

/** The domain time of each platform. Only the sandbox can move it (specification.md 8.3). */
export type PlatformClocks = {
  /** Returns the time of a platform. A transaction must use `clockOf`, because it has its own connection. */
  of(platformId: string): Promise<Clock>
  forget(platformId: string): void
  /** The time of platforms whose clock was never moved. */
  base: Clock
}

/** The time for which a process may use the old clock after another process moved it. A clock that this process moves applies at once. */
const CACHE_MS = 200
const MAX_CACHED = 50_000

export function createPlatformClocks(
  sql: Pool,
  { base, isMovable }: { base: Clock; isMovable: boolean },
): PlatformClocks {
  if (!isMovable) return { of: async () => base, forget: () => {}, base }
  const cache = new Map<string, { clock: Promise<Clock>; readAt: number }>()

  function read(platformId: string): Promise<Clock> {
    const now = performance.now()
    const cached = cache.get(platformId)
    if (cached && now - cached.readAt < CACHE_MS) return cached.clock
    if (cache.size >= MAX_CACHED) cache.clear()
    const clock = findOffsetMs(sql, platformId).then((offsetMs) => aheadOf(base, offsetMs))
    cache.set(platformId, { clock, readAt: now })
    clock.catch(() => cache.delete(platformId))
    return clock
  }

  return { of: read, forget: (platformId) => void cache.delete(platformId), base }
}

type ClockDeps = { sql: Sql; clocks: PlatformClocks; settings: { hasMovableClock: boolean } }

/** Returns the time of a platform, for use in a transaction. */
export async function clockOf({ sql, clocks, settings }: ClockDeps, platformId: string): Promise<Clock> {
  return settings.hasMovableClock ? aheadOf(clocks.base, await findOffsetMs(sql, platformId)) : clocks.base
}

const aheadOf = (base: Clock, offsetMs: number): Clock =>
  offsetMs === 0 ? base : { now: () => new Date(base.now().getTime() + offsetMs) }

export async function findOffsetMs(sql: Sql | Pool, platformId: string): Promise<number> {
  const [row] = await (sql as Sql)<{ offsetMs: number }[]>`
    select offset_ms
    from platform_clocks
    where platform_id = ${platformId}
  `
  return row?.offsetMs ?? 0
}
