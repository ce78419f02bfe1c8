import type { Pool } from '../../../foundation/db/connect.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { shareStatements, shareStatementsOfPlatform } from '../../../foundation/db/shared-statements.ts'
import { type ApiKeyRow, findApiKeys, findKeyHolders, findWorkingApiKeys, type WorkingApiKey } from './api-key-store.ts'
import { type ChangedKeys, followKeyChanges } from './key-changes-store.ts'

/** A key that another process revoked works for at most this long. In the process that revoked it, it stops at once. */
const FRESH_MS = 500
const REFRESH_AFTER_MS = 300
const REFRESH_DELAY_MS = 100
/** A key is read again after this time, because a change by hand in the database is not reported. */
const MAX_AGE_MS = 10_000
const MAX_CACHED_KEYS = 100_000
/** Simultaneous key lookups share one statement. */
const MAX_KEYS_PER_STATEMENT = 500

type CachedKey = {
  row: Promise<WorkingApiKey | null>
  readAt: number
  /** Null while it is being read, and for an unknown key: nobody reports when that is created. */
  platformId: string | null
}

export type KeyCache = {
  /** The key, or null if it does not exist or was revoked. */
  read(key: string): Promise<WorkingApiKey | null>
  forget(changed: ChangedKeys): void
  end(): void
}

/** API keys, remembered while all changes of other processes are known. */
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

  /** Refreshes the keys in use with one statement, before each of them needs its own. */
  function refreshSoon(key: string): void {
    if (toRefresh.size === 0) setTimeout(refresh, REFRESH_DELAY_MS).unref()
    toRefresh.add(key)
  }

  function refresh(): void {
    // A key that was removed from the cache in the meantime is not read again.
    for (const key of toRefresh) if (cache.has(key)) void load(key)
    toRefresh.clear()
  }

  function onChange(changed: ChangedKeys): void {
    forget(changed)
    // On a cluster, a worker commits the role of a member shortly after the coordinator, which sends the notification.
    if (deps.isDistributed && changed !== 'all') setTimeout(() => forget(changed), FRESH_MS).unref()
  }

  function forget(changed: ChangedKeys): void {
    if (changed === 'all') cache.clear()
    else if ('keys' in changed) for (const key of changed.keys) cache.delete(key)
    else forgetPlatform(changed.platformId)
  }

  /** Also the keys that are being read. */
  function forgetPlatform(platformId: string): void {
    for (const [key, cached] of cache)
      if (cached.platformId === null || cached.platformId === platformId) cache.delete(key)
  }

  return { read, forget, end: changes.end }
}

type FindApiKey = (sql: Pool, key: string) => Promise<WorkingApiKey | null>

const findAtOnce = (): FindApiKey =>
  shareStatements<Pool, string, WorkingApiKey | null>(findWorkingApiKeys, { maxSize: MAX_KEYS_PER_STATEMENT })

/** On a cluster. The key names the platform, and the user and the creator are on its node. */
function findInTwoSteps(): FindApiKey {
  const limits = { maxSize: MAX_KEYS_PER_STATEMENT }
  const findKey = shareStatements<Pool, string, ApiKeyRow | null>(findApiKeys, limits)
  const findHolder = shareStatementsOfPlatform<Pool, ApiKeyRow, WorkingApiKey | null>(findKeyHolders, limits)
  return async (sql, key) => {
    const row = await findKey(sql, key)
    return row && findHolder(sql, row)
  }
}
