import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { notSkipped, type Skipped } from '../../foundation/db/skipped.ts'
import { type BankCaseKind, BOOKED } from '../../foundation/exception/bank-case-rules.ts'
import type { AccountKey } from './own-account-rules.ts'

/** Lists accounts with matched statements that were not searched for missing returns yet. */
export const listUncompared = (sql: Sql): Promise<AccountKey[]> =>
  sql<AccountKey[]>`
    select distinct connection_id, account_id
    from bank_statements
    where status = 'PLACED' and matched_at is not null and returns_compared_at is null
    order by connection_id, account_id
  `

/** Records that the statements of an account that were matched before a time were searched for missing returns. */
export async function updateCompared(
  sql: Sql,
  { connectionId, accountId }: AccountKey,
  startedAt: Date,
): Promise<void> {
  await sql`
    update bank_statements
    set returns_compared_at = ${startedAt}
    where connection_id = ${connectionId} and account_id = ${accountId} and status = 'PLACED' and matched_at <= ${startedAt}
      and returns_compared_at is null
  `
}

/** Returns the last day that the matched statements of an account cover, or null. */
export async function findLastMatchedDay(sql: Sql, { connectionId, accountId }: AccountKey): Promise<string | null> {
  const [row] = await sql<{ day: string | null }[]>`
    select max(day)::text as day
    from bank_statements
    where connection_id = ${connectionId} and account_id = ${accountId} and status = 'PLACED' and matched_at is not null
  `
  return row?.day ?? null
}

/** `formerCount`: the number of its cases that ended because a line booked it. */
export type MissingReturn = {
  platformId: string
  legId: string
  cents: number
  returnedOn: string
  formerCount: number
}

/**
 * Lists ACH legs whose return was sent before a given time and is booked by no line, although statements of the account contain the leg.
 * Leaves out legs with an open case about this, or one that the operator has decided. Oldest first.
 */
export const listMissingReturns = (
  sql: Sql,
  { connectionId, accountId, before, skipped, limit }: AccountKey & { before: Date; skipped: Skipped; limit: number },
): Promise<MissingReturn[]> =>
  sql<MissingReturn[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with told as materialized (
      select leg_id, count(*) as count, bool_and(resolution is not distinct from ${BOOKED}) as are_booked
      from bank_cases
      where kind = 'return_not_booked' and connection_id = ${connectionId}
      group by leg_id
    )
    select
      g.platform_id, g.id as leg_id, g.cents, g.returned_at::date::text as returned_on, coalesce(t.count, 0) as former_count
    from legs g
    join statement_lines l on l.id = g.booked_line_id
    join bank_statements s on s.id = l.statement_id and s.account_id = ${accountId}
    left join told t on t.leg_id = g.id
    where g.connection_id = ${connectionId} and g.return_line_id is null and g.returned_at < ${before} and g.rail = 'ACH'
      and coalesce(t.are_booked, true) ${notSkipped(sql, skipped, { platformId: sql`g.platform_id`, id: sql`g.id` })}
    order by g.returned_at, g.id
    limit ${limit}
  `

export type EndedCase = { platformId: string; kind: BankCaseKind; legId: string; isBooked: boolean }

/**
 * Lists open cases about movements and returns that a line has booked in the meantime, and about movements whose ACH entry the bank has
 * rejected.
 */
export const listEndedCases = (sql: Sql, skipped: Skipped): Promise<EndedCase[]> =>
  sql<EndedCase[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select *
    from (
      select
        c.platform_id, c.kind, c.leg_id,
        case c.kind when 'movement_not_booked' then g.booked_line_id else g.return_line_id end is not null as is_booked,
        c.kind = 'movement_not_booked' and g.rail = 'ACH' and not exists (
          select
          from ach_entries e
          where e.platform_id = g.platform_id and e.leg_id = g.id and e.recalled_at is null and not e.is_rejected
        ) as is_rejected
      from bank_cases c
      join legs g on g.platform_id = c.platform_id and g.id = c.leg_id
      where c.closed_at is null and c.kind in ('movement_not_booked', 'return_not_booked')
        ${notSkipped(sql, skipped, { platformId: sql`c.platform_id`, id: sql`c.leg_id` })}
    ) one
    where is_booked or is_rejected
  `
