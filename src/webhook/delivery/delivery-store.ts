import { commonPlatform, isOfTheirPlatform } from '../../foundation/db/cluster/by-platform.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { NOTHING_SKIPPED, type Skipped } from '../../foundation/db/skipped.ts'
import type { EndpointKey } from '../endpoint/webhook-store.ts'
import type { DeliveryChange, Outcome } from './delivery-status.ts'
import type { DueDelivery, LeasedEndpoint } from './delivery-types.ts'

const leasedColumns = (sql: Sql) => sql`
  e.platform_id, e.id as endpoint_id, e.kind, e.url, e.body_format, e.is_slow, e.failing_since,
  u.webhook_key_sealed, u.previous_webhook_key_sealed, u.webhook_key_rotated_at
`

const isOpen = (sql: Sql) => sql`e.removed_at is null and e.disabled_at is null and e.kind <> 'listener'`

/** Returns endpoints as JSON, sorted by id, so that two statements that lock the same endpoints cannot deadlock. */
const keysAsJson = (endpoints: EndpointKey[]) =>
  JSON.stringify(
    endpoints
      .toSorted(byId)
      .map(({ platformId, endpointId }) => ({ platform_id: platformId, endpoint_id: endpointId })),
  )

const byId = (a: EndpointKey, b: EndpointKey) => (a.platformId + a.endpointId < b.platformId + b.endpointId ? -1 : 1)

export type DueQuery = {
  now: Date
  realNow: Date
  isSlow: boolean
  after: EndpointKey | null
  skipped?: Skipped
  limit: number
}

/** Lists open endpoints of a lane with a due delivery that no live worker has leased, sorted by id (`sql/waiting_endpoints_v1.sql`). */
export const listDueEndpoints = (sql: Sql, { isSlow, ...query }: DueQuery): Promise<EndpointKey[]> =>
  listWaitingEndpoints(sql, isSlow ? 'slow' : 'quick', query)

function listWaitingEndpoints(
  sql: Sql,
  wanted: 'quick' | 'slow' | 'closed',
  { now, realNow, after, skipped = NOTHING_SKIPPED, limit }: Omit<DueQuery, 'isSlow'>,
): Promise<EndpointKey[]> {
  return sql<EndpointKey[]>`
    select platform_id, endpoint_id
    from waiting_endpoints_v1(
      ${wanted}, ${after?.platformId ?? null}::uuid, ${after?.endpointId ?? null}::uuid, ${now}::timestamptz,
      ${realNow}::timestamptz, ${skipped.platformIds}::uuid[], ${skipped.ids}::uuid[], ${skipped.answering ?? null}::uuid[],
      ${limit}
    )
  `
}

/** Leases endpoints that `listDueEndpoints` found, except those that were leased or changed in the meantime. Sorted by id. */
export async function leaseEndpoints(
  sql: Sql,
  endpoints: EndpointKey[],
  { worker, realNow, until, isSlow }: { worker: string; realNow: Date; until: Date; isSlow: boolean },
): Promise<LeasedEndpoint[]> {
  const rows = await sql<LeasedEndpoint[]>`
    with free as (
      select e.platform_id, e.id
      from json_to_recordset(${keysAsJson(endpoints)}::text::json) as k (platform_id uuid, endpoint_id uuid)
      cross join lateral (
        select e.platform_id, e.id
        from endpoints e
        where e.platform_id = k.platform_id and e.id = k.endpoint_id ${isOfTheirPlatform(sql, sql`e.platform_id`, endpoints)}
          and ${isOpen(sql)} and e.is_slow = ${isSlow} and (e.leased_until is null or e.leased_until < ${realNow})
        for update skip locked
      ) e
    )
    update endpoints e
    set leased_by = ${worker}, leased_until = ${until}
    from free, users u
    where e.platform_id = free.platform_id and e.id = free.id ${isOfTheirPlatform(sql, sql`e.platform_id`, endpoints)}
      and u.platform_id = e.platform_id and u.id = e.user_id
    returning ${leasedColumns(sql)}
  `
  return rows.toSorted(byId)
}

/** Renews leases. @returns the current state of the endpoints that this worker still holds and that are still open */
export async function renewLeases(
  sql: Sql,
  endpoints: EndpointKey[],
  { worker, until }: { worker: string; until: Date },
): Promise<LeasedEndpoint[]> {
  return sql<LeasedEndpoint[]>`
    update endpoints e
    set leased_until = ${until}
    from json_to_recordset(${keysAsJson(endpoints)}::text::json) as k (platform_id uuid, endpoint_id uuid), users u
    where e.platform_id = k.platform_id and e.id = k.endpoint_id ${isOfTheirPlatform(sql, sql`e.platform_id`, endpoints)}
      and e.leased_by = ${worker} and ${isOpen(sql)}
      and u.platform_id = e.platform_id and u.id = e.user_id
    returning ${leasedColumns(sql)}
  `
}

export async function endLeases(sql: Sql, endpoints: EndpointKey[], worker: string): Promise<void> {
  await sql`
    update endpoints e
    set leased_by = null, leased_until = null
    from json_to_recordset(${keysAsJson(endpoints)}::text::json) as k (platform_id uuid, endpoint_id uuid)
    where e.platform_id = k.platform_id and e.id = k.endpoint_id ${isOfTheirPlatform(sql, sql`e.platform_id`, endpoints)}
      and e.leased_by = ${worker}
  `
}

/** A search for due deliveries of an endpoint. `except`: events that the session already has. */
export type DueQuestion = EndpointKey & { except: string[] }

/**
 * Lists the deliveries that have been due longest, at most `limit` for each endpoint. They are sorted in the order in which they were
 * written. For events of one payment, this is the order of its changes.
 */
export async function listDueDeliveries(
  sql: Sql,
  questions: DueQuestion[],
  { now, limit }: { now: Date; limit: number },
): Promise<DueDelivery[]> {
  const asked = questions.map(({ platformId, endpointId, except }) => ({
    platform_id: platformId,
    endpoint_id: endpointId,
    except,
  }))
  return sql<DueDelivery[]>`
    select
      d.platform_id, d.endpoint_id, d.event_id, d.subject_id, d.attempt_count, d.attempts_before, d.position as sequence,
      e.type, e.body, e.created_at as event_at, k.offset_ms, f.body_sealed as full_body_sealed
    from (
      select k.*, coalesce(c.offset_ms, 0) as offset_ms
      from json_to_recordset(${JSON.stringify(asked)}::text::json) as k (platform_id uuid, endpoint_id uuid, "except" uuid[])
      left join platform_clocks c on c.platform_id = k.platform_id ${isOfTheirPlatform(sql, sql`c.platform_id`, questions)}
    ) k
    cross join lateral (
      select *
      from deliveries d
      where d.platform_id = k.platform_id and d.endpoint_id = k.endpoint_id and d.status = 'PENDING'
        ${isOfTheirPlatform(sql, sql`d.platform_id`, questions)}
        and d.next_attempt_at <= ${now}::timestamptz + make_interval(secs => k.offset_ms / 1000.0)
        and d.event_id <> all (k."except")
      order by d.next_attempt_at, d.position
      limit ${limit}
    ) d
    left join lateral (
      select type, body, created_at
      from events e
      where e.platform_id = d.platform_id and e.id = d.event_id ${isOfTheirPlatform(sql, sql`e.platform_id`, questions)}
    ) e on true
    left join lateral (
      select body_sealed
      from full_bodies f
      where d.attempt_count > 0 and f.platform_id = d.platform_id and f.endpoint_id = d.endpoint_id
        and f.event_id = d.event_id ${isOfTheirPlatform(sql, sql`f.platform_id`, questions)}
    ) f on true
    order by d.position
  `
}

export type Attempt = {
  number: number
  startedAt: Date
  durationMs: number
  outcome: Outcome
  httpStatus: number | null
  error: string | null
  requestHeaders: Record<string, string>
  /** The first KiB of the response's body. */
  responseBody: Buffer
}

export type AttemptRecord = {
  delivery: EndpointKey & { eventId: string }
  attempt: Attempt
  change: DeliveryChange
}

/** Records attempts and their effects. On a cluster, all attempts are of one platform. Attempts that are already recorded do not change. */
export async function recordAttempts(
  { sql, isDistributed }: Pick<TxDeps, 'sql' | 'isDistributed'>,
  records: AttemptRecord[],
): Promise<void> {
  const keys = records.map(({ delivery, attempt }) => ({
    platform_id: delivery.platformId,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    number: attempt.number,
  }))
  const attempts = records.map(({ attempt }, index) => ({
    ...keys[index],
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    http_status: attempt.httpStatus,
    error: attempt.error,
    request_headers: JSON.stringify(attempt.requestHeaders),
    response_body: attempt.responseBody.toString('hex'),
  }))
  const changes = records.map(({ change }, index) => ({
    ...keys[index],
    status: change.status,
    next_attempt_at: change.nextAttemptAt,
  }))
  const platformId = isDistributed ? commonPlatform(records.map(({ delivery }) => delivery)) : null
  await sql`select record_attempts_v1(${platformId}::uuid, ${sql.json(attempts)}, ${sql.json(changes)})`
}

/** Lists removed and disabled endpoints that still have PENDING deliveries. */
export const listClosedEndpoints = (
  sql: Sql,
  { now, limit, skipped }: { now: Date; limit: number; skipped: Skipped },
): Promise<EndpointKey[]> => listWaitingEndpoints(sql, 'closed', { now, realNow: now, after: null, skipped, limit })

/** Fails PENDING deliveries of an endpoint. @returns their number, at most `limit` */
export async function failPendingDeliveries(
  sql: Sql,
  { platformId, endpointId }: EndpointKey,
  limit: number,
): Promise<number> {
  const result = await sql`
    update deliveries
    set status = 'FAILED', next_attempt_at = null
    where platform_id = ${platformId} and endpoint_id = ${endpointId} and status = 'PENDING' and event_id in (
      select event_id
      from deliveries
      where platform_id = ${platformId} and endpoint_id = ${endpointId} and status = 'PENDING'
      order by next_attempt_at, position
      limit ${limit}
    )
  `
  return result.count
}
