import type { Sql } from '../db/connect.ts'
import type { DeliveryChange, Outcome } from './delivery-status.ts'

/** Whose webhook key signs what goes to an endpoint. */
export type Holder = { platformId: string; userId: string }

export type EndpointKey = { platformId: string; endpointId: string }

/** Points the webhook_uri of a user to a URL. What is still to be delivered goes there too. */
export async function upsertWebhookUri(
  sql: Sql,
  { platformId, userId, id, url, now }: Holder & { id: string; url: string; now: Date },
): Promise<void> {
  await sql`
    insert into endpoints (platform_id, id, user_id, kind, url, created_at)
    values (${platformId}, ${id}, ${userId}, 'webhook_uri', ${url}, ${now})
    on conflict (platform_id, user_id) where kind = 'webhook_uri' and removed_at is null do update
    set url = excluded.url
  `
}

/** Removes the webhook_uri of a user: what was to be delivered there has failed. */
export async function removeWebhookUri(sql: Sql, { platformId, userId, now }: Holder & { now: Date }): Promise<void> {
  await removeEndpoints(sql, platformId, now, sql`kind = 'webhook_uri' and user_id = ${userId}`)
}

export async function findWebhookUri(sql: Sql, { platformId, userId }: Holder): Promise<string | null> {
  const [row] = await sql<{ url: string }[]>`
    select url
    from endpoints
    where platform_id = ${platformId} and user_id = ${userId} and kind = 'webhook_uri' and removed_at is null
  `
  return row?.url ?? null
}

type ApplicationHolder = { platformId: string; applicationId: string }

/** Points an application to a URL. What is still to be delivered goes there too. */
export async function upsertApplicationUrl(
  sql: Sql,
  { platformId, applicationId, id, url, now }: ApplicationHolder & { id: string; url: string; now: Date },
): Promise<void> {
  await sql`
    insert into endpoints (platform_id, id, user_id, kind, application_id, url, created_at)
    values (${platformId}, ${id}, ${platformId}, 'application', ${applicationId}, ${url}, ${now})
    on conflict (platform_id, application_id) where kind = 'application' and removed_at is null do update
    set url = excluded.url
  `
}

export async function removeApplicationUrl(
  sql: Sql,
  { platformId, applicationId, now }: ApplicationHolder & { now: Date },
): Promise<void> {
  await removeEndpoints(sql, platformId, now, sql`kind = 'application' and application_id = ${applicationId}`)
}

export async function listApplicationUrls(
  sql: Sql,
  platformId: string,
): Promise<{ applicationId: string; url: string }[]> {
  return sql<{ applicationId: string; url: string }[]>`
    select application_id, url
    from endpoints
    where platform_id = ${platformId} and kind = 'application' and removed_at is null
  `
}

async function removeEndpoints(sql: Sql, platformId: string, now: Date, which: ReturnType<Sql>): Promise<void> {
  await sql`
    with removed as (
      update endpoints
      set removed_at = ${now}
      where platform_id = ${platformId} and removed_at is null and ${which}
      returning id
    )
    update deliveries
    set status = 'FAILED', next_attempt_at = null
    from removed
    where deliveries.platform_id = ${platformId} and endpoint_id = removed.id and status = 'PENDING'
  `
}

export type LeasedEndpoint = EndpointKey & { url: string; webhookKeySealed: Buffer }

/**
 * Leases endpoints for which something is due, by the time of their platform, and which no live worker drives. One statement asks each endpoint once,
 * by index, however much is due for it.
 */
export async function leaseDueEndpoints(
  sql: Sql,
  lease: { worker: string; now: Date; realNow: Date; until: Date; limit: number },
): Promise<LeasedEndpoint[]> {
  return sql<LeasedEndpoint[]>`
    with due as (
      select e.platform_id, e.id
      from endpoints e
      where e.removed_at is null
        and (e.leased_until is null or e.leased_until < ${lease.realNow})
        and exists (
          select 1
          from deliveries d
          where d.platform_id = e.platform_id and d.endpoint_id = e.id
            and d.status = 'PENDING'
            and d.next_attempt_at <= ${lease.now}::timestamptz + platform_offset(e.platform_id)
          offset 0 -- keeps PostgreSQL from looking at all that is due
        )
      limit ${lease.limit}
      for update of e skip locked
    )
    update endpoints e
    set leased_by = ${lease.worker}, leased_until = ${lease.until}
    from due, users u
    where e.platform_id = due.platform_id and e.id = due.id and u.platform_id = e.platform_id and u.id = e.user_id
    returning e.platform_id, e.id as endpoint_id, e.url, u.webhook_key_sealed
  `
}

/** Keeps a lease. @returns whether this worker still holds it */
export async function renewLease(
  sql: Sql,
  { platformId, endpointId }: EndpointKey,
  { worker, until }: { worker: string; until: Date },
): Promise<boolean> {
  const result = await sql`
    update endpoints
    set leased_until = ${until}
    where platform_id = ${platformId} and id = ${endpointId} and leased_by = ${worker}
  `
  return result.count === 1
}

export async function endLease(sql: Sql, { platformId, endpointId }: EndpointKey, worker: string): Promise<void> {
  await sql`
    update endpoints
    set leased_by = null, leased_until = null
    where platform_id = ${platformId} and id = ${endpointId} and leased_by = ${worker}
  `
}

export type DueDelivery = EndpointKey & { eventId: string; subjectId: string; attemptCount: number; body: string }

/** What is due for an endpoint, oldest first. */
export async function listDueDeliveries(
  sql: Sql,
  { platformId, endpointId }: EndpointKey,
  { now, limit }: { now: Date; limit: number },
): Promise<DueDelivery[]> {
  return sql<DueDelivery[]>`
    select d.platform_id, d.endpoint_id, d.event_id, d.subject_id, d.attempt_count, e.body
    from deliveries d
    join events e on e.platform_id = d.platform_id and e.id = d.event_id
    where d.platform_id = ${platformId} and d.endpoint_id = ${endpointId}
      and d.status = 'PENDING' and d.next_attempt_at <= ${now}
    order by d.next_attempt_at, d.position
    limit ${limit}
  `
}

export type Attempt = {
  number: number
  startedAt: Date
  durationMs: number
  outcome: Outcome
  httpStatus: number | null
  error: string | null
}

/** Records an attempt and what becomes of its delivery, in one statement. */
export async function recordAttempt(
  sql: Sql,
  delivery: DueDelivery,
  attempt: Attempt,
  change: DeliveryChange,
): Promise<void> {
  await sql`
    with attempted as (
      insert into attempts (
        platform_id, endpoint_id, event_id, number, started_at, duration_ms, outcome, http_status, error
      )
      values (
        ${delivery.platformId}, ${delivery.endpointId}, ${delivery.eventId}, ${attempt.number}, ${attempt.startedAt},
        ${attempt.durationMs}, ${attempt.outcome}, ${attempt.httpStatus}, ${attempt.error}
      )
      on conflict (platform_id, endpoint_id, event_id, number) do nothing
    )
    update deliveries
    set status = ${change.status}, attempt_count = ${attempt.number}, next_attempt_at = ${change.nextAttemptAt}
    where platform_id = ${delivery.platformId} and endpoint_id = ${delivery.endpointId}
      and event_id = ${delivery.eventId} and status = 'PENDING' and attempt_count < ${attempt.number}
  `
}
