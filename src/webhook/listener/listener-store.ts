import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { NOTHING_SKIPPED, notSkipped, type Skipped } from '../../foundation/db/skipped.ts'
import type { SealedKeys } from '../endpoint/signing-key-actions.ts'
import type { EndpointKey } from '../endpoint/webhook-store.ts'
import type { BodyFormat, EventType } from '../event/event-rules.ts'

// Stores listeners: endpoints that fetch their events. The connection of the current poll holds the lease of a listener. `leased_until` is
// the time when that poll stops waiting.

/** Creates a listener with a unique URL. It receives events from now on. */
export async function insertListener(
  sql: Sql,
  listener: EndpointKey & { eventTypes: readonly EventType[]; bodyFormat: BodyFormat; now: Date; realNow: Date },
): Promise<void> {
  const { platformId, endpointId, eventTypes, bodyFormat, now, realNow } = listener
  await sql`
    insert into endpoints (platform_id, id, user_id, kind, url, event_types, body_format, created_at, leased_until)
    values (
      ${platformId}, ${endpointId}, ${platformId}, 'listener', ${`listener:${endpointId}`}, ${eventTypes as string[]},
      ${bodyFormat}, ${now}, ${realNow}
    )
  `
}

/** Counts listeners that polled after a time. */
export async function countListeners(
  sql: Sql,
  { platformId, after }: { platformId: string; after: Date },
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)
    from endpoints
    where platform_id = ${platformId} and kind = 'listener' and removed_at is null and leased_until > ${after}
  `
  return row.count
}

/** Leases a listener to a connection and takes it from the previous one. @returns whether the listener exists */
export async function leaseListener(
  sql: Sql,
  { platformId, endpointId }: EndpointKey,
  { connection, until }: { connection: string; until: Date },
): Promise<boolean> {
  const result = await sql`
    update endpoints
    set leased_by = ${connection}, leased_until = ${until}
    where platform_id = ${platformId} and id = ${endpointId} and kind = 'listener' and removed_at is null
  `
  return result.count === 1
}

export type HeldListener = SealedKeys & { bodyFormat: BodyFormat }

/** Finds the signing keys of a listener and the format of its bodies. @returns null if the connection no longer holds it */
export async function findHeldListener(
  sql: Sql,
  { platformId, endpointId }: EndpointKey,
  connection: string,
): Promise<HeldListener | null> {
  const [row] = await sql<HeldListener[]>`
    select e.body_format, u.webhook_key_sealed, u.previous_webhook_key_sealed, u.webhook_key_rotated_at
    from endpoints e
    join users u on u.platform_id = e.platform_id and u.id = e.user_id
    where e.platform_id = ${platformId} and e.id = ${endpointId} and e.leased_by = ${connection}
      and e.removed_at is null
  `
  return row ?? null
}

/** A pending delivery of a listener. `attemptsBefore`: the number of attempts before the last replay, which started the schedule again. */
export type PendingDelivery = EndpointKey & { eventId: string; attemptCount: number; attemptsBefore: number }

/** Lists which of the given events are still pending for a listener. */
export async function listPendingDeliveries(
  sql: Sql,
  { platformId, endpointId }: EndpointKey,
  eventIds: string[],
): Promise<PendingDelivery[]> {
  return sql<PendingDelivery[]>`
    select platform_id, endpoint_id, event_id, attempt_count, attempts_before
    from deliveries
    where platform_id = ${platformId} and endpoint_id = ${endpointId} and event_id = any (${eventIds})
      and status = 'PENDING'
  `
}

/** Lists the subjects of the given events. */
export async function listSubjects(
  sql: Sql,
  { platformId, endpointId }: EndpointKey,
  eventIds: string[],
): Promise<string[]> {
  if (eventIds.length === 0) return []
  const rows = await sql<{ subjectId: string }[]>`
    select distinct subject_id
    from deliveries
    where platform_id = ${platformId} and endpoint_id = ${endpointId} and event_id = any (${eventIds})
  `
  return rows.map(({ subjectId }) => subjectId)
}

/** Removes a listener. @returns whether it existed */
export async function markListenerRemoved(
  sql: Sql,
  { platformId, endpointId }: EndpointKey,
  now: Date,
): Promise<boolean> {
  const result = await sql`
    update endpoints
    set removed_at = ${now}
    where platform_id = ${platformId} and id = ${endpointId} and kind = 'listener' and removed_at is null
  `
  return result.count === 1
}

type Silent = { before: Date; limit: number; skipped?: Skipped; platformId?: string | null }

const silentListeners = (sql: Sql, { before, limit, skipped = NOTHING_SKIPPED, platformId }: Silent) => sql`
  select platform_id, id
  from endpoints
  where kind = 'listener' and removed_at is null and leased_until < ${before}
    ${notSkipped(sql, skipped, { id: null })} ${platformId ? sql`and platform_id = ${platformId}` : sql``}
  limit ${limit}
`

/** Removes listeners whose last poll ended before a time, of any platform or of one. @returns the number of removed listeners */
export async function markSilentListenersRemoved(sql: Sql, silent: Silent & { now: Date }): Promise<number> {
  const found = await sql<{ platformId: string; id: string }[]>`
    ${allPlatforms('deletes old rows')}
    ${silentListeners(sql, silent)}
  `
  let count = 0
  for (const [platformId, listeners] of Map.groupBy(found, (listener) => listener.platformId)) {
    const ids = listeners.map(({ id }) => id)
    const [time] = await sql<{ removedAt: Date }[]>`
      select ${silent.now}::timestamptz + platform_offset_v1(${platformId}) as removed_at
    `
    const result = await sql`
      update endpoints
      set removed_at = ${time?.removedAt ?? silent.now}
      where platform_id = ${platformId} and id = any (${ids}::uuid[]) and kind = 'listener' and removed_at is null
        and leased_until < ${silent.before}
    `
    count += result.count
  }
  return count
}

/** Lists the platforms whose listeners would be removed. */
export async function listPlatformsOfSilentListeners(sql: Sql, silent: Silent): Promise<string[]> {
  const rows = await sql<{ platformId: string }[]>`
    ${allPlatforms('deletes old rows')}
    select distinct platform_id
    from (${silentListeners(sql, silent)}) silent
  `
  return rows.map(({ platformId }) => platformId)
}
