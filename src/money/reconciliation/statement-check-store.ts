import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { notSkipped, type Skipped } from '../../foundation/db/skipped.ts'
import type { AccountKey } from './own-account-rules.ts'

export type StatementWithChecks = { id: string; connectionId: string; accountId: string; day: string }

export type WithChecks = { accounts: readonly AccountKey[]; skipped: Skipped; limit: number }

/** Lists matched statements of some accounts whose paid checks were not handled yet, oldest first. */
export const listWithChecks = (sql: Sql, { accounts, skipped, limit }: WithChecks): Promise<StatementWithChecks[]> =>
  sql<StatementWithChecks[]>`
    select id, connection_id, account_id, day::text as day
    from bank_statements
    where status = 'PLACED' and checks_read_at is null and matched_at is not null
      and concat(connection_id, ':', account_id) = any (${accounts.map((one) => `${one.connectionId}:${one.accountId}`)}::text[])
      ${notSkipped(sql, skipped, { platformId: null })}
    order by day, part, id
    limit ${limit}
  `

/** A check that a statement line books as paid. `position` and `place`: of the line. `cents`: positive. */
export type CheckLine = { position: number; place: string; serial: number; cents: number; bookedOn: string | null }

/** Lists the paid checks of a statement. */
export const listCheckLines = (sql: Sql, statementId: string): Promise<CheckLine[]> =>
  sql<CheckLine[]>`
    select l.position, l.place, r.serial, -r.cents as cents, l.booked_on::text as booked_on
    from statement_lines l
    join line_references r on r.line_id = l.id
    where l.statement_id = ${statementId} and r.serial is not null and r.cents < 0
    order by l.position, r.position
  `

export async function updateChecksRead(sql: Sql, id: string, readAt: Date): Promise<void> {
  await sql`
    update bank_statements
    set checks_read_at = ${readAt}
    where id = ${id}
  `
}

export const isStatementId = (sql: Sql, id: string): Promise<boolean> =>
  sql`
    select
    from bank_statements
    where id = ${id}
  `.anyRow()

/** A check that a decision books with a line. `position` and `place`: of the line. */
export type DecidedCheck = {
  statementId: string
  connectionId: string
  day: string
  position: number
  place: string
  bookedOn: string
  platformId: string
  legId: string
}

/** Lists the legs of checks that a line books as sent. */
export const listChecksOfLine = (sql: Sql, lineId: string): Promise<DecidedCheck[]> =>
  sql<DecidedCheck[]>`
    ${allPlatforms('serves the operator')}
    select s.id as statement_id, s.connection_id, s.day::text as day, l.position, l.place, coalesce(l.booked_on, s.day)::text as booked_on,
      p.platform_id, p.leg_id
    from statement_lines l
    join bank_statements s on s.id = l.statement_id
    join line_postings p on p.line_id = l.id and p.part = 'sent' and p.undone_at is null
    join legs g on g.platform_id = p.platform_id and g.id = p.leg_id
    where l.id = ${lineId} and g.rail in ('MAIL', 'PRINT')
    order by p.platform_id, p.leg_id
  `
