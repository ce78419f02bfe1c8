import type { Sql } from '../../foundation/db/connect.ts'
import type { UserKey } from '../../people/user/user-store.ts'

/** An account that an institution confirmed for a user. Routing and account number are sealed together. */
export type ConfirmedAccountRow = UserKey & { id: string; accountSealed: Buffer; expiresAt: Date }

export async function insertConfirmedAccount(sql: Sql, row: ConfirmedAccountRow): Promise<void> {
  await sql`
    insert into confirmed_accounts ${sql.values(row)}
  `
}

export const listConfirmedAccounts = (
  sql: Sql,
  { platformId, userId }: UserKey,
  now: Date,
): Promise<ConfirmedAccountRow[]> =>
  sql<ConfirmedAccountRow[]>`
    select platform_id, id, user_id, account_sealed, expires_at
    from confirmed_accounts
    where platform_id = ${platformId} and user_id = ${userId} and expires_at > ${now}
  `

export async function deleteConfirmedAccounts(sql: Sql, platformId: string, ids: string[]): Promise<void> {
  await sql`
    delete from confirmed_accounts
    where platform_id = ${platformId} and id = any (${ids}::uuid[])
  `
}

export async function deleteConfirmedAccountsOfUser(sql: Sql, { platformId, userId }: UserKey): Promise<void> {
  await sql`
    delete from confirmed_accounts
    where platform_id = ${platformId} and user_id = ${userId}
  `
}
