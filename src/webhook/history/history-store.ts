import type { Sql } from '../../foundation/db/connect.ts'
import type { IdRange, Paging } from '../../foundation/db/paging.ts'
import type { DeliveryStatus, Outcome } from '../delivery/delivery-status.ts'
import type { BodyFormat, EventType } from '../event/event-rules.ts'

// Contains the SQL for events, deliveries and attempts. Event ids are ordered by time, so lists are ordered by id.

type EventKey = { platformId: string; eventId: string }

export type DeliveryKey = EventKey & { endpointId: string }

export type EventRow = { id: string; type: EventType; subjectId: string; body: string; createdAt: Date }

export type EventFilter = IdRange & { platformId: string; type: EventType | undefined }

/** Lists the newest events. Returns one row more than the page holds. */
export async function listEvents(sql: Sql, filter: EventFilter, paging: Paging): Promise<EventRow[]> {
  return sql<EventRow[]>`
    select id, type, subject_id, body, created_at
    from events
    where platform_id = ${filter.platformId} ${ofType(sql, filter.type)} ${inRange(sql, filter, 'id')}
      ${paging.after ? sql`and id < ${paging.after.id}` : sql``}
    order by id desc
    limit ${paging.limit + 1}
  `
}

/**
 * Filters events by type. Almost all events are about payments. The other types use the partial index `events_of_other_types`, which is
 * used only if the statement repeats its condition.
 */
const ofType = (sql: Sql, type: EventType | undefined) => {
  if (type === undefined) return sql``
  return type === 'CHECK' ? sql`and type = 'CHECK'` : sql`and type = ${type} and type <> 'CHECK'`
}

/** Filters deliveries by status. The status is a literal, because PostgreSQL does not use the partial index with a parameter. */
function inStatus(sql: Sql, status: DeliveryStatus) {
  if (status === 'FAILED') return sql`and d.status = 'FAILED'`
  return status === 'PENDING' ? sql`and d.status = 'PENDING'` : sql`and d.status = 'DELIVERED'`
}

const inRange = (sql: Sql, { fromId, untilId }: IdRange, column: 'id' | 'event_id') => sql`
  ${fromId ? sql`and ${sql(column)} >= ${fromId}` : sql``} ${untilId ? sql`and ${sql(column)} < ${untilId}` : sql``}
`

export async function findEvent(sql: Sql, { platformId, eventId }: EventKey): Promise<EventRow | null> {
  const [row] = await sql<EventRow[]>`
    select id, type, subject_id, body, created_at
    from events
    where platform_id = ${platformId} and id = ${eventId}
  `
  return row ?? null
}

/** A payment as a list of events shows it. `party` is the payee or, for a payment from another platform, its sender. */
export type EventPayment = { id: string; direction: 'INCOMING' | 'OUTGOING'; amountCents: number; party: string }

/** Lists the payments with these ids that a platform sent, or received from other platforms. */
export async function listEventPayments(sql: Sql, platformId: string, ids: readonly string[]): Promise<EventPayment[]> {
  return sql<EventPayment[]>`
    select id, 'OUTGOING' as direction, amount_cents, name as party
    from payments
    where platform_id = ${platformId} and id = any (${ids as string[]}::uuid[])
    union all
    select distinct payment_id, 'INCOMING', amount_cents, sender
    from received_payments
    where platform_id = ${platformId} and payment_id = any (${ids as string[]}::uuid[])
  `
}

export type DeliveryRow = {
  eventId: string
  endpointId: string
  url: string
  /** The current format of the endpoint. */
  bodyFormat: BodyFormat
  type: EventType
  subjectId: string
  /** The thin body. */
  body: string
  /** `amountCents` and `payee` are set only if the event is about a payment of this platform. Otherwise they are null. */
  amountCents: number | null
  payee: string | null
  status: DeliveryStatus
  attemptCount: number
  nextAttemptAt: Date | null
  createdAt: Date
}

export type DeliveryFilter = EventFilter & { status: DeliveryStatus | undefined; endpointId: string | undefined }

/** Lists the deliveries of the newest events. Returns one row more than the page holds. */
export async function listDeliveries(sql: Sql, filter: DeliveryFilter, paging: Paging): Promise<DeliveryRow[]> {
  const { platformId, status, endpointId, type } = filter
  const { after } = paging
  return describedDeliveries(
    sql,
    platformId,
    sql`
      select d.*
      from deliveries d
      ${type ? sql`join events of_type on of_type.platform_id = d.platform_id and of_type.id = d.event_id` : sql``}
      where d.platform_id = ${platformId}
        ${type ? sql`${inRange(sql, filter, 'id')} ${after ? sql`and of_type.id <= ${after.value}` : sql``}` : sql``}
        ${status ? inStatus(sql, status) : sql``}
        ${endpointId ? sql`and d.endpoint_id = ${endpointId}` : sql``}
        ${ofType(sql, type)} ${inRange(sql, filter, 'event_id')}
        ${after ? sql`and (d.event_id, d.endpoint_id) < (${after.value}::text::uuid, ${after.id}::uuid)` : sql``}
      order by d.event_id desc, d.endpoint_id desc
      limit ${paging.limit + 1}
    `,
  )
}

/** Lists all deliveries of an event. */
export async function listDeliveriesOfEvent(sql: Sql, { platformId, eventId }: EventKey): Promise<DeliveryRow[]> {
  return describedDeliveries(
    sql,
    platformId,
    sql`
      select *
      from deliveries
      where platform_id = ${platformId} and event_id = ${eventId}
    `,
  )
}

export async function findDelivery(
  sql: Sql,
  { platformId, eventId, endpointId }: DeliveryKey,
): Promise<DeliveryRow | null> {
  const [row] = await describedDeliveries(
    sql,
    platformId,
    sql`
      select *
      from deliveries
      where platform_id = ${platformId} and endpoint_id = ${endpointId} and event_id = ${eventId}
    `,
  )
  return row ?? null
}

/** Joins the details of deliveries to the keys that a query has already selected, so that only the displayed rows are joined. */
async function describedDeliveries(sql: Sql, platformId: string, found: ReturnType<Sql>): Promise<DeliveryRow[]> {
  return sql<DeliveryRow[]>`
    select
      d.event_id, d.endpoint_id, p.url, p.body_format, e.type, d.subject_id, e.body, of_payment.amount_cents, of_payment.name as payee,
      d.status, d.attempt_count, d.next_attempt_at, e.created_at
    from (${found}) d
    join events e on e.platform_id = ${platformId} and e.id = d.event_id
    left join payments of_payment
      on e.type = 'CHECK' and of_payment.platform_id = ${platformId} and of_payment.id = d.subject_id
    join endpoints p on p.platform_id = ${platformId} and p.id = d.endpoint_id
    order by d.event_id desc, d.endpoint_id desc
  `
}

export type AttemptRow = {
  number: number
  startedAt: Date
  durationMs: number
  outcome: Outcome
  httpStatus: number | null
  error: string | null
  /** The request headers, as JSON. */
  requestHeaders: string | null
  responseBody: Buffer | null
}

/** Lists the last attempts of a delivery, newest first. */
export async function listAttempts(
  sql: Sql,
  { platformId, eventId, endpointId }: DeliveryKey,
  limit: number,
): Promise<AttemptRow[]> {
  return sql<AttemptRow[]>`
    select number, started_at, duration_ms, outcome, http_status, error, request_headers, response_body
    from delivery_attempts
    where platform_id = ${platformId} and endpoint_id = ${endpointId} and event_id = ${eventId}
    order by number desc
    limit ${limit}
  `
}

/** Lists the platforms that have events, with an id after `after`, ordered by id, and the oldest event of each. */
export async function listPlatformsWithEvents(
  sql: Sql,
  after: string | null,
  limit: number,
): Promise<{ platformId: string; oldestId: string }[]> {
  return sql<{ platformId: string; oldestId: string }[]>`
    select platform_id, oldest_id
    from platforms_with_events_v1(${after}::uuid, ${limit})
  `
}

/** Lists the oldest events of a platform before an id that have no PENDING delivery. */
export async function listOldEvents(
  sql: Sql,
  { platformId, beforeId, limit }: { platformId: string; beforeId: string; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select e.id
    from events e
    where e.platform_id = ${platformId} and e.id < ${beforeId}
      and not exists (
        select 1
        from deliveries d
        where d.platform_id = ${platformId} and d.event_id = e.id and d.status = 'PENDING'
        offset 0
      )
    order by e.id
    limit ${limit}
  `
  return rows.map(({ id }) => id)
}

/** Deletes events with their deliveries and attempts. Keeps events that are being replayed. @returns the number of deleted events */
export async function deleteEvents(
  sql: Sql,
  { platformId, eventIds }: { platformId: string; eventIds: string[] },
): Promise<number> {
  await sql`
    with gone as (
      delete from deliveries
      where platform_id = ${platformId} and event_id = any (${eventIds}) and status <> 'PENDING'
      returning endpoint_id, event_id
    ),
    gone_bodies as (
      delete from full_bodies f
      using gone
      where f.platform_id = ${platformId} and f.endpoint_id = gone.endpoint_id and f.event_id = gone.event_id
    )
    delete from delivery_attempts a
    using gone
    where a.platform_id = ${platformId} and a.endpoint_id = gone.endpoint_id and a.event_id = gone.event_id
  `
  const result = await sql`
    delete from events e
    where e.platform_id = ${platformId} and e.id = any (${eventIds})
      and not exists (
        select 1
        from deliveries d
        where d.platform_id = ${platformId} and d.event_id = e.id
        offset 0
      )
  `
  return result.count
}
