import type { Sql } from '../db/connect.ts'
import { containsPattern, type IdRange, type Position } from '../db/paging.ts'

export type LoggedCredential = 'api_key' | 'session' | 'token'

export type LoggedRequest = {
  id: string
  userId: string
  credentialKind: LoggedCredential
  /** The id of the API key, the person or the application. */
  credentialId: string
  method: string
  path: string
  status: number
  code: string | null
  durationMs: number
  address: string
  paymentId: string | null
}

/** A request to store, with its masked and sealed body if the platform keeps bodies. */
export type NewRequest = LoggedRequest & { bodySealed: Buffer | null }

/** Stores requests of one platform. Requests that are already stored do not change. */
export async function insertRequests(
  sql: Sql,
  { platformId, slot }: { platformId: string; slot: number },
  requests: readonly NewRequest[],
): Promise<void> {
  const all = <Name extends keyof LoggedRequest>(name: Name) => requests.map((request) => request[name])
  await sql`
    insert into request_log (
      platform_id, slot, id, user_id, credential_kind, credential_id, method, path, status, code, duration_ms, address, payment_id,
      body_sealed
    )
    select
      ${platformId}::uuid, ${slot}::smallint, r.id, r.user_id, r.kind, r.credential_id, r.method, r.path, r.status, r.code, r.duration_ms,
      r.address, r.payment_id, decode(r.body, 'hex')
    from unnest(
      ${all('id')}::uuid[], ${all('userId')}::uuid[], ${all('credentialKind')}::text[], ${all('credentialId')}::uuid[],
      ${all('method')}::text[], ${all('path')}::text[], ${all('status')}::smallint[], ${all('code')}::text[],
      ${all('durationMs')}::integer[], ${all('address')}::text[], ${all('paymentId')}::uuid[],
      ${requests.map(({ bodySealed }) => bodySealed?.toString('hex') ?? null)}::text[]
    ) r (id, user_id, kind, credential_id, method, path, status, code, duration_ms, address, payment_id, body)
    on conflict do nothing
  `
}

export type RequestFilter = IdRange & {
  platformId: string
  /** The range of HTTP statuses. */
  status: { from: number; to: number } | null
  path: string | null
  /** The id of an API key or an application. */
  key: string | null
}

/** Finds a request with this id, if it is not older than `fromId`. */
export async function findRequest(
  sql: Sql,
  { platformId, id, fromId }: { platformId: string; id: string; fromId: string },
): Promise<NewRequest | null> {
  const [row] = await sql<NewRequest[]>`
    select
      id, user_id, credential_kind, credential_id, method, path, status, code, duration_ms, address, payment_id, body_sealed
    from request_log
    where platform_id = ${platformId} and id = ${id} and id >= ${fromId}
  `
  return row ?? null
}

/** Lists the newest requests that match, among the next `window` ones. */
export function listRequests(
  sql: Sql,
  filter: RequestFilter,
  { window, limit, after }: { window: number; limit: number; after: Position | null },
): Promise<LoggedRequest[]> {
  const { status, path, key } = filter
  return sql<LoggedRequest[]>`
    select
      id, user_id, credential_kind, credential_id, method, path, status, code, duration_ms, address, payment_id
    from (
      select *
      ${rowsOf(sql, filter, after)}
      limit ${window}
    ) newest
    where true
      ${status ? sql`and status between ${status.from} and ${status.to}` : sql``}
      ${path ? sql`and path like ${containsPattern(path)}` : sql``}
      ${key ? sql`and credential_id = ${key}` : sql``}
    limit ${limit}
  `
}

/** Returns the last request of a window, or null if the window reaches the end. */
export async function findWindowEnd(
  sql: Sql,
  filter: RequestFilter,
  { window, after }: { window: number; after: Position | null },
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id
    ${rowsOf(sql, filter, after)}
    offset ${window - 1}
    limit 1
  `
  return row?.id ?? null
}

const rowsOf = (sql: Sql, { platformId, fromId, untilId }: RequestFilter, after: Position | null) => sql`
  from request_log
  where platform_id = ${platformId}
    ${fromId === null ? sql`` : sql`and id >= ${fromId}`}
    ${untilId === null ? sql`` : sql`and id < ${untilId}`}
    ${after === null ? sql`` : sql`and id < ${after.id}`}
  order by id desc
`

/**
 * Empties a partition unless it is already empty. Gives up early if the partition is locked, for example by a backup, because new requests
 * would wait behind this statement.
 *
 * @returns whether there was something to delete
 */
export async function emptySlot(sql: Sql, slot: number): Promise<boolean> {
  const table = sql(`request_log_${slot}`)
  const [row] = await sql`select 1 from ${table} limit 1`
  if (!row) return false
  await sql`select set_config('lock_timeout', '200ms', true)`
  await sql`truncate ${table}`
  return true
}
