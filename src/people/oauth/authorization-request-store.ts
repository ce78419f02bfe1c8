import type { Sql } from '../../foundation/db/connect.ts'

/** Stores an authorization request that waits for the owner. oidc-provider calls it an interaction. */
export async function upsertAuthorizationRequest(
  sql: Sql,
  request: { uidHash: Buffer; payloadSealed: Buffer; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into authorization_requests (uid_hash, payload_sealed, expires_at)
    values (${request.uidHash}, ${request.payloadSealed}, ${request.expiresAt})
    on conflict (uid_hash) do update
    set payload_sealed = excluded.payload_sealed, expires_at = excluded.expires_at
  `
}

export async function findAuthorizationRequest(sql: Sql, uidHash: Buffer): Promise<Buffer | null> {
  const [row] = await sql<{ payloadSealed: Buffer }[]>`
    select payload_sealed
    from authorization_requests
    where uid_hash = ${uidHash}
  `
  return row?.payloadSealed ?? null
}

/** Finds an authorization request and locks it until the end of the transaction, so that it is answered once. */
export async function lockAuthorizationRequest(sql: Sql, uidHash: Buffer): Promise<Buffer | null> {
  const [row] = await sql<{ payloadSealed: Buffer }[]>`
    select payload_sealed
    from authorization_requests
    where uid_hash = ${uidHash}
    for update
  `
  return row?.payloadSealed ?? null
}

export async function deleteAuthorizationRequest(sql: Sql, uidHash: Buffer): Promise<void> {
  await sql`delete from authorization_requests where uid_hash = ${uidHash}`
}
