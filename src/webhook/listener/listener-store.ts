import type { Sql } from '../../db/connect.ts'
import { NOTHING_SKIPPED, notSkipped, type Skipped } from '../../db/skipped.ts'
import type { SealedKeys } from '../endpoint/signing-key-actions.ts'
import type { EndpointKey } from '../endpoint/webhook-store.ts'
import type { EventType } from '../event/event-rules.ts'

// A listener is an endpoint that fetches what is sent to it. Its lease is that of the connection which polls for it:
// `leased_until` tells until when the last poll waits, or has waited.

/** Makes a listener, which has the URL of no other: what happens from now on is delivered to it. */
export async function insertListener(
  sql: Sql,
  listener: EndpointKey & { eventTypes: readonly EventType[]; now: Date; realNow: Date },
): Promise<void> {
  const { platformId, endpointId, eventTypes, now, realNow } = listener
  await sql`
    insert into endpoints (platform_id, id, user_id, kind, url, event_types, created_at, leased_until)
    values (
      ${platformId}, ${endpointId}, ${platformId}, 'listener', ${`listener:${endpointId}`}, ${eventTypes as string[]},
      ${now}, ${realNow}
    )
  `
}

/** The number of listeners that polled after a time. */
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

/** Gives a listener to a connection: the one before has it no longer. @returns whether there is such a listener */
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

/** @returns the keys that sign for a listener, or null if the connection has it no longer */
export async function findHeldListener(
  sql: Sql,
  { platformId, endpointId }: EndpointKey,
  connection: string,
): Promise<SealedKeys | null> {
  const [row] = await sql<SealedKeys[]>`
    select u.webhook_key_sealed, u.previous_webhook_key_sealed, u.webhook_key_rotated_at
    from endpoints e
    join users u on u.platform_id = e.platform_id and u.id = e.user_id
    where e.platform_id = ${platformId} and e.id = ${endpointId} and e.leased_by = ${connection}
      and e.removed_at is null
  `
  return row ?? null
}

/** `attemptsBefore`: those before the last replay, which began the schedule anew. */
export type PendingDelivery = EndpointKey & { eventId: string; attemptCount: number; attemptsBefore: number }

/** Of these events, those that are still to be delivered to a listener. */
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

/** What these events of a listener happened to. */
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

/** @returns whether there was such a listener */
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

/** Removes listeners of any platform, or of one, whose last poll ended before a time. @returns how many */
export async function markSilentListenersRemoved(sql: Sql, silent: Silent & { now: Date }): Promise<number> {
  const result = await sql`
    update endpoints
    set removed_at = ${silent.now}::timestamptz + platform_offset_v1(platform_id)
    where (platform_id, id) in (${silentListeners(sql, silent)})
  `
  return result.count
}

/** The platforms of those that it removes at once. */
export async function listPlatformsOfSilentListeners(sql: Sql, silent: Silent): Promise<string[]> {
  const rows = await sql<{ platformId: string }[]>`
    select distinct platform_id
    from (${silentListeners(sql, silent)}) silent
  `
  return rows.map(({ platformId }) => platformId)
}
