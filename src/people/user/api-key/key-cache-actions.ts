import type { Pool } from '../../../foundation/db/connect.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { shareStatements, shareStatementsOfPlatform } from '../../../foundation/db/shared-statements.ts'
import { type ApiKeyRow, findApiKeys, findKeyHolders, findWorkingApiKeys, type WorkingApiKey } from './api-key-store.ts'
import { type ChangedKeys, followKeyChanges } from './key-changes-store.ts'

/**
 * The milliseconds for which a key may still work after another process revoked it. In the process that revokes it, it stops working at
 * once.
 */
const FRESH_MS = 500
const REFRESH_AFTER_MS = 300
const REFRESH_DELAY_MS = 100
/**
 * The maximum age of a cached key in milliseconds. Manual changes in the database send no notification, so each key is read again after
 * this time.
 */
const MAX_AGE_MS = 10_000
const MAX_CACHED_KEYS = 100_000
/** The maximum number of keys that simultaneous lookups read with one statement. */
const MAX_KEYS_PER_STATEMENT = 500

type CachedKey = {
  row: Promise<WorkingApiKey | null>
  readAt: number
  /** Null while the key is being read, and for an unknown key: no notification reports its creation. */
  platformId: string | null
}

export type KeyCache = {
  /** Returns the key, or null if it does not exist or was revoked. */
  read(key: string): Promise<WorkingApiKey | null>
  forget(changed: ChangedKeys): void
  end(): void
}

/** Creates the cache of API keys. A cached key is used while notifications from other processes are up to date. */
export function createKeyCache(deps: Deps): KeyCache {
  const cache = new Map<string, CachedKey>()
  const find = deps.isDistributed ? findInTwoSteps() : findAtOnce()
  const changes = followKeyChanges(deps.sql, onChange)
  const toRefresh = new Set<string>()

  function read(key: string): Promise<WorkingApiKey | null> {
    changes.keepFollowing()
    const cached = cache.get(key)
    if (!cached) return load(key)
    const now = performance.now()
    const age = now - cached.readAt
    const staleMs = cached.platformId && age < MAX_AGE_MS ? Math.min(age, now - changes.knownUntil()) : age
    if (staleMs >= FRESH_MS) return load(key)
    if (staleMs >= REFRESH_AFTER_MS || age >= MAX_AGE_MS - FRESH_MS) refreshSoon(key)
    return cached.row
  }

  function load(key: string): Promise<WorkingApiKey | null> {
    if (cache.size >= MAX_CACHED_KEYS) cache.clear()
    const cached: CachedKey = { row: find(deps.sql, key), readAt: performance.now(), platformId: null }
    cache.set(key, cached)
    cached.row.then(
      (row) => {
        cached.platformId = row?.platformId ?? null
      },
      () => cache.delete(key),
    )
    return cached.row
  }

  /** Schedules a read of a key. One statement reads all scheduled keys, before their cached values become too old. */
  function refreshSoon(key: string): void {
    if (toRefresh.size === 0) setTimeout(refresh, REFRESH_DELAY_MS).unref()
    toRefresh.add(key)
  }

  function refresh(): void {
    // Skips keys that were removed from the cache after they were scheduled.
    for (const key of toRefresh) if (cache.has(key)) void load(key)
    toRefresh.clear()
  }

  function onChange(changed: ChangedKeys): void {
    forget(changed)
    // On a cluster, the coordinator sends the notification shortly before a worker commits the change of a member's role.
    if (deps.isDistributed && changed !== 'all') setTimeout(() => forget(changed), FRESH_MS).unref()
  }

  function forget(changed: ChangedKeys): void {
    if (changed === 'all') cache.clear()
    else if ('keys' in changed) for (const key of changed.keys) cache.delete(key)
    else forgetPlatform(changed.platformId)
  }

  /** Removes the keys of a platform, and all keys that are being read, because their platform is still unknown. */
  function forgetPlatform(platformId: string): void {
    for (const [key, cached] of cache)
      if (cached.platformId === null || cached.platformId === platformId) cache.delete(key)
  }

  return { read, forget, end: changes.end }
}

type FindApiKey = (sql: Pool, key: string) => Promise<WorkingApiKey | null>

const findAtOnce = (): FindApiKey =>
  shareStatements<Pool, string, WorkingApiKey | null>(findWorkingApiKeys, { maxSize: MAX_KEYS_PER_STATEMENT })

/**
 * Returns the lookup for a cluster. The first statement finds the key, which names the platform. The second one runs on the platform's
 * node.
 */
function findInTwoSteps(): FindApiKey {
  const limits = { maxSize: MAX_KEYS_PER_STATEMENT }
  const findKey = shareStatements<Pool, string, ApiKeyRow | null>(findApiKeys, limits)
  const findHolder = shareStatementsOfPlatform<Pool, ApiKeyRow, WorkingApiKey | null>(findKeyHolders, limits)
  return async (sql, key) => {
    const row = await findKey(sql, key)
    return row && findHolder(sql, row)
  }
}
