import type { Sql } from '../../foundation/db/connect.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { SubscriptionKey } from './subscription-store.ts'

/** A user's authorization to pay the invoices of a subscription by autopay. */
export type AuthorizationRow = UserKey & {
  id: string
  subscriptionId: string
  /** The member who gave the authorization. Null: a key that no member created. */
  givenBy: string | null
  text: string
  /** The network address that the authorization was given from. */
  address: string | null
  givenAt: Date
}

/** Inserts an authorization. @returns false if there already is one */
export async function insertAuthorization(sql: Sql, row: AuthorizationRow): Promise<boolean> {
  const result = await sql`
    insert into autopay_authorizations ${sql.values(row)}
    on conflict (platform_id, subscription_id) where revoked_at is null do nothing
  `
  return result.count === 1
}

/** Revokes an authorization. @returns false if there is none */
export async function revokeAuthorization(sql: Sql, { platformId, id }: SubscriptionKey, now: Date): Promise<boolean> {
  const result = await sql`
    update autopay_authorizations
    set revoked_at = ${now}
    where platform_id = ${platformId} and subscription_id = ${id} and revoked_at is null
  `
  return result.count === 1
}

/** Locks the authorization of a subscription and returns the member who gave it. Returns null if there is none. */
export async function holdAuthorization(
  sql: Sql,
  { platformId, id }: SubscriptionKey,
): Promise<{ givenBy: string | null } | null> {
  const [row] = await sql<{ givenBy: string | null }[]>`
    select given_by
    from autopay_authorizations
    where platform_id = ${platformId} and subscription_id = ${id} and revoked_at is null
    for share
  `
  return row ?? null
}
