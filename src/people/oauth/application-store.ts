import type { Sql } from '../../foundation/db/connect.ts'
import { alignRows } from '../../foundation/lib/concurrency/batches.ts'

export type ApplicationKey = { platformId: string; id: string }

export type ApplicationRow = ApplicationKey & {
  name: string
  site: string
  redirectUris: string[]
  requiresPkce: boolean
  rotatesRefreshTokens: boolean
  createdAt: Date
  previousSecretExpiresAt: Date | null
  /** Whether the secret can be shown again. For secrets of older versions, only the hash is stored. */
  isSecretKept: boolean
}

/** A client secret: its hash, which authenticates, and the sealed secret. */
export type StoredSecret = { secretHash: Buffer; secretSealed: Buffer }

const columns = (sql: Sql) => sql`
  platform_id, id, name, site, redirect_uris, requires_pkce, rotates_refresh_tokens, created_at,
  previous_secret_expires_at,
  secret_sealed is not null as is_secret_kept
`

export async function insertApplication(
  sql: Sql,
  application: Omit<ApplicationRow, 'previousSecretExpiresAt' | 'isSecretKept'> & StoredSecret,
): Promise<void> {
  await sql`
    insert into applications (
      id, platform_id, name, site, redirect_uris, requires_pkce, rotates_refresh_tokens, secret_hash, secret_sealed,
      created_at
    )
    values (
      ${application.id}, ${application.platformId}, ${application.name}, ${application.site},
      ${application.redirectUris}, ${application.requiresPkce}, ${application.rotatesRefreshTokens},
      ${application.secretHash}, ${application.secretSealed}, ${application.createdAt}
    )
  `
}

export async function listApplications(sql: Sql, platformId: string): Promise<ApplicationRow[]> {
  return sql<ApplicationRow[]>`
    select ${columns(sql)}
    from applications
    where platform_id = ${platformId} and deleted_at is null
    order by created_at, id
  `
}

/** Locks an application until the end of the transaction. */
export async function lockApplication(sql: Sql, { platformId, id }: ApplicationKey): Promise<ApplicationRow | null> {
  const [row] = await sql<ApplicationRow[]>`
    select ${columns(sql)}
    from applications
    where id = ${id} and platform_id = ${platformId} and deleted_at is null
    for update
  `
  return row ?? null
}

export async function updateApplication(sql: Sql, application: ApplicationRow): Promise<void> {
  await sql`
    update applications
    set
      name = ${application.name}, site = ${application.site}, redirect_uris = ${application.redirectUris},
      requires_pkce = ${application.requiresPkce}, rotates_refresh_tokens = ${application.rotatesRefreshTokens}
    where id = ${application.id} and platform_id = ${application.platformId} and deleted_at is null
  `
}

/** Stores a new secret. The current one becomes the previous secret. */
export async function replaceSecret(
  sql: Sql,
  { platformId, id }: ApplicationKey,
  { secretHash, secretSealed, previousExpiresAt }: StoredSecret & { previousExpiresAt: Date },
): Promise<void> {
  await sql`
    update applications
    set
      previous_secret_hash = secret_hash, previous_secret_expires_at = ${previousExpiresAt},
      secret_hash = ${secretHash}, secret_sealed = ${secretSealed}
    where id = ${id} and platform_id = ${platformId} and deleted_at is null
  `
}

export async function findSealedSecret(sql: Sql, { platformId, id }: ApplicationKey): Promise<Buffer | null> {
  const [row] = await sql<{ secretSealed: Buffer | null }[]>`
    select secret_sealed
    from applications
    where id = ${id} and platform_id = ${platformId} and deleted_at is null
  `
  return row?.secretSealed ?? null
}

export async function markApplicationDeleted(sql: Sql, { platformId, id }: ApplicationKey, now: Date): Promise<void> {
  await sql`
    update applications
    set deleted_at = ${now}, secret_sealed = null
    where id = ${id} and platform_id = ${platformId} and deleted_at is null
  `
}

export type OAuthClient = ApplicationRow & { secretHash: Buffer; previousSecretHash: Buffer | null }

/**
 * Finds clients by their client_id, in the order of `ids`. The client_id determines the platform. Includes the previous secret while it
 * works. Returns null for each unknown id.
 */
export async function findOAuthClients(sql: Sql, ids: readonly string[], now: Date): Promise<(OAuthClient | null)[]> {
  const rows = await sql<OAuthClient[]>`
    select
      ${columns(sql)}, secret_hash,
      case when previous_secret_expires_at > ${now} then previous_secret_hash end as previous_secret_hash
    from applications
    where id = any (${ids}::uuid[]) and deleted_at is null
  `
  return alignRows(ids, rows, { item: (id) => id, row: ({ id }) => id })
}
