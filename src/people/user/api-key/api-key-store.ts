import type { Permission, Role } from '../../../foundation/core/permission-rules.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import { alignRows } from '../../../foundation/lib/concurrency/batches.ts'
import type { UserKey } from '../user-store.ts'
import { reportChangedKeys } from './key-changes-store.ts'

export type ApiKeyRow = {
  key: string
  platformId: string
  userId: string
  secretHash: Buffer
  name: string | null
  expirationDate: string | null
  createdAt: Date
  /** The time of the last use. It is updated at most once a minute. */
  lastUsedAt: Date | null
  /**
   * The member whose permissions limit the key. Null for keys that no member created, directly or with another key, and for keys of
   * platform users.
   */
  createdBy: string | null
  /** The member who has seen the secret. */
  madeBy: string | null
  /** The permissions of the key. Null means every permission. */
  permissions: Permission[] | null
}

/** An API key with the role of its creator. `creatorRole` is null if the creator is no longer a member. */
export type WorkingApiKey = ApiKeyRow & { creatorRole: Role | null }

const columns = (sql: Sql) => sql`
  k.key, k.platform_id, k.user_id, k.secret_hash, k.name, k.expiration_date, k.created_at, k.last_used_at, k.created_by,
  k.made_by, k.permissions
`

export async function insertApiKey(sql: Sql, apiKey: ApiKeyRow): Promise<void> {
  await sql`
    insert into api_keys (
      key, platform_id, user_id, secret_hash, name, expiration_date, created_at, created_by, made_by, permissions
    )
    values (
      ${apiKey.key}, ${apiKey.platformId}, ${apiKey.userId}, ${apiKey.secretHash}, ${apiKey.name},
      ${apiKey.expirationDate}, ${apiKey.createdAt}, ${apiKey.createdBy}, ${apiKey.madeBy}, ${apiKey.permissions}
    )
  `
}

/**
 * Finds API keys with the roles of their creators, in the order of `keys`. Returns null for each unknown key and each key of a deleted
 * user.
 * The nested array and `offset 0` make PostgreSQL keep its plan and use the indexes. Otherwise it would plan each call and read all users
 * of a small table.
 */
export async function findWorkingApiKeys(sql: Sql, keys: readonly string[]): Promise<(WorkingApiKey | null)[]> {
  const rows = await sql<WorkingApiKey[]>`
    select
      ${columns(sql)},
      (select m.role from members m where m.platform_id = k.platform_id and m.login_id = k.created_by) as creator_role
    from unnest(array(select unnest(${keys as string[]}::uuid[]))) as asked (key)
    cross join lateral (select * from api_keys a where a.key = asked.key offset 0) k
    cross join lateral (
      select from users u where u.platform_id = k.platform_id and u.id = k.user_id and u.deleted_at is null offset 0
    ) u
  `
  return alignRows(keys, rows, { item: (key) => key, row: ({ key }) => key })
}

/** Finds API keys on a cluster. It needs no platform, because the key determines it. Returns null for each unknown key. */
export async function findApiKeys(sql: Sql, keys: readonly string[]): Promise<(ApiKeyRow | null)[]> {
  const rows = await sql<ApiKeyRow[]>`
    select ${columns(sql)}
    from api_keys k
    where key = any (${keys as string[]}::uuid[])
  `
  return alignRows(keys, rows, { item: (key) => key, row: ({ key }) => key })
}

/** Adds the roles of their creators to the keys of one platform. Returns null for each key of a deleted user. */
export async function findKeyHolders(
  sql: Sql,
  platformId: string,
  keys: readonly ApiKeyRow[],
): Promise<(WorkingApiKey | null)[]> {
  const rows = await sql<{ key: string; role: Role | null }[]>`
    select k.key, m.role
    from unnest(
      ${keys.map(({ key }) => key)}::uuid[], ${keys.map(({ userId }) => userId)}::uuid[],
      ${keys.map(({ createdBy }) => createdBy)}::uuid[]
    ) as k (key, user_id, created_by)
    join users u on u.platform_id = ${platformId} and u.id = k.user_id and u.deleted_at is null
    left join members m on m.platform_id = ${platformId} and m.login_id = k.created_by
  `
  const roles = new Map(rows.map(({ key, role }) => [key, role]))
  return keys.map((row) => {
    const creatorRole = roles.get(row.key)
    return creatorRole === undefined ? null : { ...row, creatorRole }
  })
}

export async function listApiKeys(sql: Sql, { platformId, userId }: UserKey): Promise<ApiKeyRow[]> {
  return sql<ApiKeyRow[]>`
    select ${columns(sql)}
    from api_keys k
    where platform_id = ${platformId} and user_id = ${userId}
    order by created_at, key
  `
}

/** Lists the keys of a user with the names of their creators. `creatorRole` is null if the creator is no longer a member. */
export async function listApiKeysWithCreators(
  sql: Sql,
  { platformId, userId }: UserKey,
): Promise<(WorkingApiKey & { creatorName: string | null })[]> {
  return sql<(WorkingApiKey & { creatorName: string | null })[]>`
    select ${columns(sql)}, m.role as creator_role, l.name as creator_name
    from api_keys k
    left join members m on m.platform_id = k.platform_id and m.login_id = k.created_by
    left join logins l on l.id = k.created_by
    where k.platform_id = ${platformId} and k.user_id = ${userId}
    order by k.created_at, k.key
  `
}

/** An API key that a member made. `user` is null for keys of the owner. */
export type MadeKey = { id: string; name: string | null; user: { id: string; name: string } | null }

const MAX_MADE_KEYS = 500

/** Lists the newest keys that a member made for the platform's owner and for its users. */
export async function listKeysMadeBy(
  sql: Sql,
  { platformId, loginId }: { platformId: string; loginId: string },
): Promise<MadeKey[]> {
  const rows = await sql<{ key: string; name: string | null; userId: string; userName: string }[]>`
    select k.key, k.name, k.user_id, coalesce(u.business_name, u.name) as user_name
    from api_keys k
    join users u on u.platform_id = k.platform_id and u.id = k.user_id
    where k.platform_id = ${platformId} and ${loginId} in (k.created_by, k.made_by)
    order by k.created_at desc, k.key
    limit ${MAX_MADE_KEYS}
  `
  return rows.map(({ key, name, userId, userName }) => ({
    id: key,
    name,
    user: userId === platformId ? null : { id: userId, name: userName },
  }))
}

/** Deletes the given key of a user, or all its keys if `key` is null. @returns the deleted keys */
export async function deleteApiKeys(sql: Sql, { platformId, userId }: UserKey, key: string | null): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    delete from api_keys
    where platform_id = ${platformId} and user_id = ${userId} and (${key}::uuid is null or key = ${key})
    returning key
  `
  const keys = rows.map((row) => row.key)
  await reportChangedKeys(sql, { keys })
  return keys
}

export async function updateLastUse(sql: Sql, key: string, now: Date): Promise<void> {
  await sql`
    update api_keys
    set last_used_at = ${now}
    where key = ${key} and (last_used_at is null or last_used_at < ${now})
  `
}
