import type { Sql } from '../../foundation/db/connect.ts'
import type { AccountKey } from './own-account-rules.ts'

export type StatementWithChecks = { id: string; connectionId: string; accountId: string; day: string }

/** Lists matched statements of some accounts whose paid checks were not handled yet, oldest first. */
export const listWithChecks = (
  sql: Sql,
  accounts: readonly AccountKey[],
  limit: number,
): Promise<StatementWithChecks[]> =>
  sql<StatementWithChecks[]>`
    select id, connection_id, account_id, day::text as day
    from bank_statements
    where status = 'PLACED' and checks_read_at is null and matched_at is not null
      and concat(connection_id, ':', account_id) = any (${accounts.map((one) => `${one.connectionId}:${one.accountId}`)}::text[])
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
