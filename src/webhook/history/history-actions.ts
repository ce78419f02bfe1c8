import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import type { Paging, Position } from '../../foundation/db/paging.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { getFullBody } from '../delivery/full-body-actions.ts'
import {
  type AttemptRow,
  type DeliveryFilter,
  type DeliveryRow,
  type EventFilter,
  type EventPayment,
  type EventRow,
  findDelivery,
  findEvent,
  listAttempts,
  listDeliveries,
  listDeliveriesOfEvent,
  listEventPayments,
  listEvents,
} from './history-store.ts'

/** The maximum number of attempts that a delivery shows. Replays can cause more. */
const ATTEMPTS_SHOWN = 100

export type Page<Row> = { rows: Row[]; next: Position | null }

/** Lists the events of a platform, newest first. */
export async function getEvents(deps: Deps, filter: EventFilter, paging: Paging): Promise<Page<EventRow>> {
  const rows = await listEvents(deps.sql, filter, paging)
  return cutHistory(rows, paging, ({ id }) => ({ value: id, id }))
}

export type DescribedEvent = EventRow & { payment: EventPayment | null }

/** Lists the events of a platform, each with its payment. One statement reads the payments of the page. */
export async function getDescribedEvents(
  deps: Deps,
  filter: EventFilter,
  paging: Paging,
): Promise<Page<DescribedEvent>> {
  const { rows, next } = await getEvents(deps, filter, paging)
  const ids = new Set(rows.filter(({ type }) => type === 'CHECK').map(({ subjectId }) => subjectId))
  const found = ids.size === 0 ? [] : await listEventPayments(deps.sql, filter.platformId, [...ids])
  const payments = new Map(found.map((payment) => [payment.id, payment]))
  return { rows: rows.map((row) => ({ ...row, payment: payments.get(row.subjectId) ?? null })), next }
}

/** Lists the deliveries of a platform, ordered by event, newest first. */
export async function getDeliveries(deps: Deps, filter: DeliveryFilter, paging: Paging): Promise<Page<DeliveryRow>> {
  const rows = await listDeliveries(deps.sql, filter, paging)
  return cutHistory(rows, paging, ({ eventId, endpointId }) => ({ value: eventId, id: endpointId }))
}

function cutHistory<Row>(rows: Row[], { limit }: Paging, positionOf: (row: Row) => Position): Page<Row> {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { rows: page, next: last ? positionOf(last) : null }
}

/** Returns an event with its deliveries. @throws ApiError event_not_found */
export async function getEvent(
  deps: Deps,
  { platformId }: Caller,
  eventId: string,
): Promise<EventRow & { deliveries: DeliveryRow[] }> {
  const event = await findEvent(deps.sql, { platformId, eventId })
  if (!event) throw new ApiError('event_not_found')
  return { ...event, deliveries: await listDeliveriesOfEvent(deps.sql, { platformId, eventId }) }
}

export type DetailedDelivery = DeliveryRow & {
  attempts: AttemptRow[]
  /** The body of the attempts. Null before the first attempt with a full body, and if the caller cannot read the object. */
  sentBody: string | null
}

/** Returns a delivery with its last attempts, oldest first. @throws ApiError delivery_not_found */
export async function getDelivery(
  deps: Deps,
  { platformId, permissions }: Caller,
  { eventId, endpointId }: { eventId: string; endpointId: string },
): Promise<DetailedDelivery> {
  const key = { platformId, eventId, endpointId }
  const delivery = await findDelivery(deps.sql, key)
  if (!delivery) throw new ApiError('delivery_not_found')
  const attempts = await listAttempts(deps.sql, key, ATTEMPTS_SHOWN)
  const full = await getFullBody(deps, key)
  const isComing = delivery.bodyFormat === 'FULL' && delivery.attemptCount === 0
  const sentBody = full === null && !isComing ? delivery.body : permissions.has('read') ? full : null
  return { ...delivery, attempts: attempts.reverse(), sentBody }
}
