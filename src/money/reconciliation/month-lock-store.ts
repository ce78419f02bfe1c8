import type { Sql } from '../../foundation/db/connect.ts'
import type { AccountKey } from './own-account-rules.ts'

/** Lets many decisions about lines of an account run at the same time, but no closing of a month. */
export async function shareChain(sql: Sql, { connectionId, accountId }: AccountKey): Promise<void> {
  const name = `statements of ${connectionId} ${accountId}`
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}::text, 0))`
}

/** Lets one process at a time place statements of an account, or close a month of it. */
export async function lockChain(sql: Sql, { connectionId, accountId }: AccountKey): Promise<void> {
  const name = `statements of ${connectionId} ${accountId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}::text, 0))`
}

/** The last day of the latest closed month of an account (YYYY-MM-DD), or null. Earlier days are closed, too. */
export async function findLastClosedDay(sql: Sql, { connectionId, accountId }: AccountKey): Promise<string | null> {
  const [row] = await sql<{ day: string | null }[]>`
    select max(last_day)::text as day
    from closed_months
    where connection_id = ${connectionId} and account_id = ${accountId} and reopened_at is null
  `
  return row?.day ?? null
}
