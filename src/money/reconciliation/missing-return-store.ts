import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { AccountKey } from './own-account-rules.ts'

/** Lists accounts with matched statements that were not searched for missing returns yet. */
export const listUncompared = (sql: Sql): Promise<AccountKey[]> =>
  sql<AccountKey[]>`
    select distinct connection_id, account_id
    from bank_statements
    where status = 'PLACED' and matched_at is not null and returns_compared_at is null
    order by connection_id, account_id
  `

/** Records that the statements of an account were searched for missing returns. @returns the last day that its statements cover, or null */
export async function updateCompared(
  sql: Sql,
  { connectionId, accountId }: AccountKey,
  comparedAt: Date,
): Promise<string | null> {
  await sql`
    update bank_statements
    set returns_compared_at = ${comparedAt}
    where connection_id = ${connectionId} and account_id = ${accountId} and status = 'PLACED' and matched_at is not null
      and returns_compared_at is null
  `
  const [row] = await sql<{ day: string | null }[]>`
    select max(day)::text as day
    from bank_statements
    where connection_id = ${connectionId} and account_id = ${accountId} and status = 'PLACED' and matched_at is not null
  `
  return row?.day ?? null
}

export type MissingReturn = { platformId: string; legId: string; cents: number; returnedOn: string }

/**
 * Lists ACH legs that statements of an account have, whose return the bank sent before an instant and no line books, and which have no case
 * about it. Oldest first.
 */
export const listMissingReturns = (
  sql: Sql,
  { connectionId, accountId, before, limit }: AccountKey & { before: Date; limit: number },
): Promise<MissingReturn[]> =>
  sql<MissingReturn[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with told as materialized (
      select leg_id
      from bank_cases
      where kind = 'return_not_booked' and connection_id = ${connectionId}
    )
    select g.platform_id, g.id as leg_id, g.cents, g.returned_at::date::text as returned_on
    from legs g
    join statement_lines l on l.id = g.booked_line_id
    join bank_statements s on s.id = l.statement_id and s.account_id = ${accountId}
    where g.connection_id = ${connectionId} and g.return_line_id is null and g.returned_at < ${before} and g.rail = 'ACH'
      and g.id not in (select leg_id from told where leg_id is not null)
    order by g.returned_at, g.id
    limit ${limit}
  `

/** Lists open cases about returns that a line books now. */
export const listFoundReturns = (sql: Sql): Promise<{ legId: string }[]> =>
  sql<{ legId: string }[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select c.leg_id
    from bank_cases c
    join legs g on g.platform_id = c.platform_id and g.id = c.leg_id
    where c.closed_at is null and c.kind = 'return_not_booked' and g.return_line_id is not null
  `
