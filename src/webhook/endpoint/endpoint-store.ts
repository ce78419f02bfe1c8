import type { Sql } from '../../foundation/db/connect.ts'
import type { BodyFormat, EventType } from '../event/event-rules.ts'
import type { DisabledReason } from './endpoint-rules.ts'

/** The key of an endpoint that an owner created. */
export type OwnerEndpointKey = { platformId: string; id: string }

export type EndpointRow = OwnerEndpointKey & {
  url: string
  name: string | null
  eventTypes: EventType[]
  bodyFormat: BodyFormat
  disabledAt: Date | null
  disabledReason: DisabledReason | null
  failingSince: Date | null
  createdAt: Date
}

const columns = (sql: Sql) =>
  sql`platform_id, id, url, name, event_types, body_format, disabled_at, disabled_reason, failing_since, created_at`

const ofOwner = (sql: Sql, platformId: string) =>
  sql`platform_id = ${platformId} and kind = 'endpoint' and removed_at is null`

/** Locks the endpoints of a platform until the end of the transaction, so that no other request creates or changes one. */
export async function lockEndpoints(sql: Sql, platformId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('endpoints of ' || ${platformId}::text, 0))`
}

export async function listEndpoints(sql: Sql, platformId: string): Promise<EndpointRow[]> {
  return sql<EndpointRow[]>`
    select ${columns(sql)}
    from endpoints
    where ${ofOwner(sql, platformId)}
    order by created_at, id
  `
}

export const findEndpoint = (sql: Sql, key: OwnerEndpointKey) => readEndpoint(sql, key, sql``)

/** Finds an endpoint and locks it until the end of the transaction. */
export const lockEndpoint = (sql: Sql, key: OwnerEndpointKey) => readEndpoint(sql, key, sql`for update`)

async function readEndpoint(
  sql: Sql,
  { platformId, id }: OwnerEndpointKey,
  lock: ReturnType<Sql>,
): Promise<EndpointRow | null> {
  const [row] = await sql<EndpointRow[]>`
    select ${columns(sql)}
    from endpoints
    where ${ofOwner(sql, platformId)} and id = ${id}
    ${lock}
  `
  return row ?? null
}

/** Creates an endpoint of a platform. Its webhooks are signed with the key of the platform's owner. */
export async function insertEndpoint(
  sql: Sql,
  endpoint: OwnerEndpointKey &
    Pick<EndpointRow, 'url' | 'name' | 'bodyFormat'> & { eventTypes: readonly EventType[]; now: Date },
): Promise<EndpointRow> {
  const [row] = await sql<[EndpointRow]>`
    insert into endpoints (platform_id, id, user_id, kind, url, name, event_types, body_format, created_at)
    values (
      ${endpoint.platformId}, ${endpoint.id}, ${endpoint.platformId}, 'endpoint', ${endpoint.url}, ${endpoint.name},
      ${endpoint.eventTypes as EventType[]}, ${endpoint.bodyFormat}, ${endpoint.now}
    )
    returning ${columns(sql)}
  `
  return row
}

/** Changes the settings of an endpoint. If the URL changes, pending deliveries go to the new URL, and its health is reset. */
export async function updateEndpoint(
  sql: Sql,
  { platformId, id }: OwnerEndpointKey,
  { url, name, eventTypes, bodyFormat }: Pick<EndpointRow, 'url' | 'name' | 'eventTypes' | 'bodyFormat'>,
): Promise<void> {
  await sql`
    update endpoints
    set
      name = ${name}, event_types = ${eventTypes}, body_format = ${bodyFormat}, url = ${url},
      failing_since = case when url = ${url} then failing_since end,
      warned_at = case when url = ${url} then warned_at end,
      is_slow = is_slow and url = ${url}
    where platform_id = ${platformId} and id = ${id}
  `
}

export async function enableEndpoint(sql: Sql, { platformId, id }: OwnerEndpointKey): Promise<void> {
  await sql`
    update endpoints
    set disabled_at = null, disabled_reason = null, failing_since = null, warned_at = null, is_slow = false
    where platform_id = ${platformId} and id = ${id}
  `
}

export async function disableEndpoint(
  sql: Sql,
  { platformId, id }: OwnerEndpointKey,
  { now, reason }: { now: Date; reason: DisabledReason },
): Promise<void> {
  await sql`
    update endpoints
    set disabled_at = ${now}, disabled_reason = ${reason}
    where platform_id = ${platformId} and id = ${id} and disabled_at is null
  `
}

export async function markEndpointRemoved(sql: Sql, { platformId, id }: OwnerEndpointKey, now: Date): Promise<void> {
  await sql`
    update endpoints
    set removed_at = ${now}
    where platform_id = ${platformId} and id = ${id} and removed_at is null
  `
}

/** Counts failed deliveries of events with this id or a later one. */
export async function countFailedDeliveries(
  sql: Sql,
  { platformId, id }: OwnerEndpointKey,
  fromEventId: string,
): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total
    from deliveries
    where platform_id = ${platformId} and endpoint_id = ${id} and event_id >= ${fromEventId} and status = 'FAILED'
  `
  return row?.total ?? 0
}
