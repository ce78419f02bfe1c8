import type { Sql } from '../../foundation/db/connect.ts'
import type { SealedKeys } from './signing-key-actions.ts'

/** The user whose webhook key signs the deliveries of an endpoint. */
export type KeyHolder = { platformId: string; userId: string }

export type EndpointKey = { platformId: string; endpointId: string }

/** The holder of one webhook URL: a user with its webhook_uri, or an application. */
export type UrlHolder = KeyHolder | { platformId: string; applicationId: string }

/** Sets the webhook URL of a user or an application. Pending deliveries go to the new URL. */
export async function upsertWebhookUrl(
  sql: Sql,
  holder: UrlHolder,
  { id, url, now }: { id: string; url: string; now: Date },
): Promise<void> {
  const { platformId } = holder
  if ('userId' in holder) {
    await sql`
      insert into endpoints (platform_id, id, user_id, kind, url, created_at)
      values (${platformId}, ${id}, ${holder.userId}, 'webhook_uri', ${url}, ${now})
      on conflict (platform_id, user_id) where kind = 'webhook_uri' and removed_at is null do update
      set url = excluded.url
    `
  } else {
    await sql`
      insert into endpoints (platform_id, id, user_id, kind, application_id, url, created_at)
      values (${platformId}, ${id}, ${platformId}, 'application', ${holder.applicationId}, ${url}, ${now})
      on conflict (platform_id, application_id) where kind = 'application' and removed_at is null do update
      set url = excluded.url
    `
  }
}

/** Removes the webhook URL of a user or an application. @returns the removed endpoint, or an empty list */
export async function removeWebhookUrl(sql: Sql, holder: UrlHolder, now: Date): Promise<EndpointKey[]> {
  const isOfHolder =
    'userId' in holder
      ? sql`kind = 'webhook_uri' and user_id = ${holder.userId}`
      : sql`kind = 'application' and application_id = ${holder.applicationId}`
  return sql<EndpointKey[]>`
    update endpoints
    set removed_at = ${now}
    where platform_id = ${holder.platformId} and removed_at is null and ${isOfHolder}
    returning platform_id, id as endpoint_id
  `
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
