import type { Sql } from '../../foundation/db/connect.ts'
import type { SealedKeys } from './signing-key-actions.ts'

/** The user whose webhook key signs the deliveries of an endpoint. */
export type KeyHolder = { platformId: string; userId: string }

export type EndpointKey = { platformId: string; endpointId: string }

/** Sets the webhook_uri of a user. Pending deliveries go to the new URL. */
export async function upsertWebhookUri(
  sql: Sql,
  { platformId, userId, id, url, now }: KeyHolder & { id: string; url: string; now: Date },
): Promise<void> {
  await sql`
    insert into endpoints (platform_id, id, user_id, kind, url, created_at)
    values (${platformId}, ${id}, ${userId}, 'webhook_uri', ${url}, ${now})
    on conflict (platform_id, user_id) where kind = 'webhook_uri' and removed_at is null do update
    set url = excluded.url
  `
}

/** Removes the webhook_uri of a user. @returns the removed endpoint, or an empty list */
export async function removeWebhookUri(
  sql: Sql,
  { platformId, userId, now }: KeyHolder & { now: Date },
): Promise<EndpointKey[]> {
  return removeEndpoints(sql, platformId, now, sql`kind = 'webhook_uri' and user_id = ${userId}`)
}

export async function findWebhookUri(sql: Sql, { platformId, userId }: KeyHolder): Promise<string | null> {
  const [row] = await sql<{ url: string }[]>`
    select url
    from endpoints
    where platform_id = ${platformId} and user_id = ${userId} and kind = 'webhook_uri' and removed_at is null
  `
  return row?.url ?? null
}

/** Returns the signing keys of a user, or null if the user does not exist. */
export async function findSealedKeys(sql: Sql, { platformId, userId }: KeyHolder): Promise<SealedKeys | null> {
  const [row] = await sql<SealedKeys[]>`
    select webhook_key_sealed, previous_webhook_key_sealed, webhook_key_rotated_at
    from users
    where platform_id = ${platformId} and id = ${userId}
  `
  return row ?? null
}

type ApplicationHolder = { platformId: string; applicationId: string }

/** Sets the webhook URL of an application. Pending deliveries go to the new URL. */
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

/** Removes the webhook URL of an application. @returns the removed endpoint, or an empty list */
export async function removeApplicationUrl(
  sql: Sql,
  { platformId, applicationId, now }: ApplicationHolder & { now: Date },
): Promise<EndpointKey[]> {
  return removeEndpoints(sql, platformId, now, sql`kind = 'application' and application_id = ${applicationId}`)
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

async function removeEndpoints(
  sql: Sql,
  platformId: string,
  now: Date,
  which: ReturnType<Sql>,
): Promise<EndpointKey[]> {
  return sql<EndpointKey[]>`
    update endpoints
    set removed_at = ${now}
    where platform_id = ${platformId} and removed_at is null and ${which}
    returning platform_id, id as endpoint_id
  `
}
