import type { Sql } from '../../foundation/db/connect.ts'
import type { DeliveryStatus } from '../delivery/delivery-status.ts'
import type { DeliveryKey } from './history-store.ts'

export type ReplayableDelivery = { status: DeliveryStatus; url: string; isRemoved: boolean; isDisabled: boolean }

/** Locks a delivery until the end of the transaction, and reads whether its endpoint still accepts deliveries. */
export async function lockDelivery(
  sql: Sql,
  { platformId, endpointId, eventId }: DeliveryKey,
): Promise<ReplayableDelivery | null> {
  const [row] = await sql<ReplayableDelivery[]>`
    select d.status, e.url, e.removed_at is not null as is_removed, e.disabled_at is not null as is_disabled
    from deliveries d
    join endpoints e on e.platform_id = d.platform_id and e.id = d.endpoint_id
    where d.platform_id = ${platformId} and d.endpoint_id = ${endpointId} and d.event_id = ${eventId}
    for update of d
  `
  return row ?? null
}

/** Starts the retry schedule of a delivery again. Earlier attempts are kept. */
export async function restartDelivery(
  sql: Sql,
  { platformId, endpointId, eventId }: DeliveryKey,
  now: Date,
): Promise<void> {
  await sql`
    update deliveries
    set status = 'PENDING', next_attempt_at = ${now}, attempts_before = attempt_count
    where platform_id = ${platformId} and endpoint_id = ${endpointId} and event_id = ${eventId}
      and status <> 'PENDING'
  `
}

/** Makes the next attempt of a waiting delivery due now. @returns false if the delivery was not waiting */
export async function makeDeliveryDueNow(
  sql: Sql,
  { platformId, endpointId, eventId }: DeliveryKey,
  now: Date,
): Promise<boolean> {
  const result = await sql`
    update deliveries
    set next_attempt_at = ${now}
    where platform_id = ${platformId} and endpoint_id = ${endpointId} and event_id = ${eventId}
      and status = 'PENDING' and next_attempt_at > ${now}
  `
  return result.count > 0
}

export type FailedDeliveries = {
  platformId: string
  /** The endpoint to replay, or null for all. */
  endpointId: string | null
  /** Only events with this id or a later one are replayed. */
  fromId: string
  /** The last delivery of the previous batch, or null for the first batch. */
  after: { eventId: string; endpointId: string } | null
  limit: number
}

export type FailedDelivery = { eventId: string; endpointId: string; isOpen: boolean }

/** Lists a batch of failed deliveries, ordered by event, and whether their endpoints still accept deliveries. */
export async function listFailedDeliveries(
  sql: Sql,
  { platformId, endpointId, fromId, after, limit }: FailedDeliveries,
): Promise<FailedDelivery[]> {
  return sql<FailedDelivery[]>`
    select d.event_id, d.endpoint_id, e.removed_at is null and e.disabled_at is null as is_open
    from (
      select event_id, endpoint_id
      from deliveries
      where platform_id = ${platformId} and status = 'FAILED' and event_id >= ${fromId}
        ${endpointId ? sql`and endpoint_id = ${endpointId}` : sql``}
        ${after ? sql`and (event_id, endpoint_id) > (${after.eventId}, ${after.endpointId})` : sql``}
      order by event_id, endpoint_id
      limit ${limit}
    ) d
    join endpoints e on e.platform_id = ${platformId} and e.id = d.endpoint_id
    order by d.event_id, d.endpoint_id
  `
}

/** Starts the retry schedules of these deliveries again. @returns the number of deliveries that were still failed */
export async function restartFailedDeliveries(
  sql: Sql,
  platformId: string,
  deliveries: { eventId: string; endpointId: string }[],
  now: Date,
): Promise<number> {
  const keys = deliveries.map(({ eventId, endpointId }) => ({ event_id: eventId, endpoint_id: endpointId }))
  const result = await sql`
    update deliveries d
    set status = 'PENDING', next_attempt_at = ${now}, attempts_before = d.attempt_count
    from json_to_recordset(${JSON.stringify(keys)}::text::json) as k (event_id uuid, endpoint_id uuid)
    where d.platform_id = ${platformId} and d.endpoint_id = k.endpoint_id and d.event_id = k.event_id
      and d.status = 'FAILED'
  `
  return result.count
}
