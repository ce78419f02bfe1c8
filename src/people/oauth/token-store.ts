import type { MadeWith } from '../../foundation/core/permission-rules.ts'
import type { Scope } from '../../foundation/core/scope.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { alignRows } from '../../foundation/lib/concurrency/batches.ts'
import type { GrantKey } from './grant-store.ts'

export type TokenKind = 'AuthorizationCode' | 'AccessToken' | 'RefreshToken'

export type TokenRow = {
  grant: GrantKey
  /** oidc-provider's data for the token, without the token itself. */
  payload: Record<string, unknown>
  consumedAt: Date | null
}

export type NewToken = { tokenHash: Buffer; kind: TokenKind; grant: GrantKey; payload: object; expiresAt: Date }

/** Stores tokens. A refresh token that is already stored was issued before for the same request, whose answer was lost (`successorOf`). */
export async function insertTokens(sql: Sql, tokens: readonly NewToken[]): Promise<void> {
  const rows = tokens.map(({ tokenHash, kind, grant, payload, expiresAt }) => ({
    token_hash: tokenHash.toString('hex'),
    kind,
    platform_id: grant.platformId,
    grant_id: grant.id,
    payload,
    expires_at: expiresAt,
  }))
  await sql`
    insert into oauth_tokens (token_hash, kind, platform_id, grant_id, payload, expires_at, kept_until)
    select decode(token_hash, 'hex'), kind, platform_id, grant_id, payload, expires_at, expires_at
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as t (
      token_hash text, kind text, platform_id uuid, grant_id uuid, payload json, expires_at timestamptz
    )
    on conflict (token_hash) do nothing
  `
}

/**
 * Finds tokens in the order of their hashes. Returns null for each unknown token. The payload and the grant decide whether a token is
 * valid.
 */
export async function findTokens(
  sql: Sql,
  kind: TokenKind,
  tokenHashes: readonly Buffer[],
): Promise<(TokenRow | null)[]> {
  const hashes = tokenHashes.map((hash) => hash.toString('hex'))
  type Row = Omit<TokenRow, 'grant'> & { hash: string; platformId: string; grantId: string }
  const rows = await sql<Row[]>`
    select k.hash, t.platform_id, t.grant_id, t.payload, t.consumed_at
    from unnest(${hashes}::text[]) k (hash)
    join oauth_tokens t on t.token_hash = decode(k.hash, 'hex') and t.kind = ${kind}
  `
  const found = alignRows(hashes, rows, { item: (hash) => hash, row: ({ hash }) => hash })
  return found.map((row) => {
    if (!row) return null
    const { platformId, grantId: id, payload, consumedAt } = row
    return { grant: { platformId, id }, payload, consumedAt }
  })
}

/** Consumes a code, or a refresh token that has a successor. Of simultaneous attempts, one succeeds. @returns whether this one did */
export async function consumeToken(
  sql: Sql,
  tokenHash: Buffer,
  { now, keptUntil }: { now: Date; keptUntil: Date },
): Promise<boolean> {
  const result = await sql`
    update oauth_tokens
    set consumed_at = ${now}, kept_until = ${keptUntil}
    where token_hash = ${tokenHash} and consumed_at is null
  `
  return result.count === 1
}

export async function deleteToken(sql: Sql, tokenHash: Buffer): Promise<void> {
  await sql`delete from oauth_tokens where token_hash = ${tokenHash}`
}

export type AccessTokenRow = MadeWith & {
  platformId: string
  grantId: string
  applicationId: string
  scope: Scope
  lastUsedAt: Date | null
  spentAt: Date | null
  spentByKeyDigest: Buffer | null
}

/**
 * Finds an unexpired access token whose application and grant still exist. Two statements, because the grant is on the node of its
 * platform, which only the token names.
 */
export async function findAccessToken(sql: Sql, tokenHash: Buffer, now: Date): Promise<AccessTokenRow | null> {
  const [token] = await sql<{ platformId: string; grantId: string }[]>`
    select t.platform_id, t.grant_id
    from oauth_tokens t
    join applications a on a.id = (t.payload ->> 'clientId')::uuid and a.deleted_at is null
    where t.token_hash = ${tokenHash} and t.kind = 'AccessToken' and t.expires_at > ${now}
  `
  if (!token) return null
  const [row] = await sql<AccessTokenRow[]>`
    select
      g.platform_id, g.id as grant_id, g.application_id, g.scope, g.last_used_at, g.spent_at, g.spent_by_key_digest,
      g.created_by, g.permissions, m.role as creator_role
    from grants g
    left join members m on m.platform_id = g.platform_id and m.login_id = g.created_by
    where g.platform_id = ${token.platformId} and g.id = ${token.grantId} and g.revoked_at is null
  `
  return row ?? null
}
