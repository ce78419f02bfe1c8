import type { Sql } from '../../foundation/db/connect.ts'
import type { AccountKey } from './own-account-rules.ts'

/** Takes a shared lock on the statements of an account: decisions about lines can run at the same time, but no month can be closed. */
export async function shareChain(sql: Sql, { connectionId, accountId }: AccountKey): Promise<void> {
  const name = `statements of ${connectionId} ${accountId}`
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}::text, 0))`
}

/** Takes an exclusive lock on the statements of an account: only one process at a time places statements, or closes a month. */
export async function lockChain(sql: Sql, { connectionId, accountId }: AccountKey): Promise<void> {
  const name = `statements of ${connectionId} ${accountId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}::text, 0))`
}

/** Returns the last day of the latest closed month of an account (YYYY-MM-DD), or null. All earlier days are also closed. */
export async function findLastClosedDay(sql: Sql, { connectionId, accountId }: AccountKey): Promise<string | null> {
  const [row] = await sql<{ day: string | null }[]>`
    select max(last_day)::text as day
    from closed_months
    where connection_id = ${connectionId} and account_id = ${accountId} and reopened_at is null
  `
  return row?.day ?? null
}
