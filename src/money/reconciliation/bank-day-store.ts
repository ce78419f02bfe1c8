import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { AccountKey } from './own-account-rules.ts'

/** An account with placed statements. Days are YYYY-MM-DD. `waitingCount`: the number of its lines in suspense. */
export type StatementAccount = AccountKey & { firstDay: string; lastDay: string; waitingCount: number }

/** Lists the accounts that have a placed statement, in the order of their names. */
export const listAccounts = (sql: Sql): Promise<StatementAccount[]> =>
  sql<StatementAccount[]>`
    with waiting as (
      select s.connection_id, s.account_id, count(*) as count
      from statement_lines l
      join bank_statements s on s.id = l.statement_id and s.status = 'PLACED'
      where l.status = 'SUSPENSE'
      group by s.connection_id, s.account_id
    ),
    accounts as (
      select connection_id, account_id, min(day)::text as first_day, max(day)::text as last_day
      from bank_statements
      where status = 'PLACED'
      group by connection_id, account_id
    )
    select a.connection_id, a.account_id, a.first_day, a.last_day, coalesce(w.count, 0) as waiting_count
    from accounts a
    left join waiting w on w.connection_id = a.connection_id and w.account_id = a.account_id
    order by a.connection_id, a.account_id
  `

/** A range of days of an account, both ends included. */
export type DayRange = AccountKey & { from: string; to: string }

/**
 * A placed statement with the sums of its postings. `postedCents`: the transfers for its lines. `carriedCents`: the amounts posted for a
 * gap before it and for differences that its lines do not explain. `newCount`: the number of lines that were not matched yet.
 */
export type StatementSums = {
  id: string
  day: string
  openingCents: number | null
  closingCents: number | null
  creditCents: number
  debitCents: number
  lineCount: number
  openedCents: number
  carriedCents: number
  postedCents: number
  newCount: number
  waitingCount: number
  isMatched: boolean
}

/** Lists the placed statements of an account in a range of days, in the order of the chain. */
export const listStatementSums = (
  sql: Sql,
  { connectionId, accountId, from, to }: DayRange,
): Promise<StatementSums[]> =>
  sql<StatementSums[]>`
    ${allPlatforms('serves the operator')}
    with own as (
      select *
      from bank_statements
      where connection_id = ${connectionId} and account_id = ${accountId} and status = 'PLACED'
        and day between ${from}::date and ${to}::date
    ),
    posted as (
      select l.statement_id, sum(case when t.debit like 'bank:%' then t.cents else -t.cents end) as cents
      from own s
      join statement_lines l on l.statement_id = s.id
      join line_postings p on p.line_id = l.id and p.undone_at is null
      join transfers t on t.platform_id = p.platform_id and t.id = p.id and t.status = 'POSTED'
      group by l.statement_id
    ),
    open as (
      select l.statement_id, count(*) filter (where l.status = 'NEW') as new_count,
        count(*) filter (where l.status = 'SUSPENSE') as waiting_count
      from own s
      join statement_lines l on l.statement_id = s.id
      where l.status in ('NEW', 'SUSPENSE')
      group by l.statement_id
    )
    select
      s.id, s.day::text as day, s.opening_cents, s.closing_cents, s.credit_cents, s.debit_cents, s.line_count, s.opened_cents,
      s.carried_cents, coalesce(p.cents, 0)::bigint as posted_cents, coalesce(o.new_count, 0) as new_count,
      coalesce(o.waiting_count, 0) as waiting_count, s.matched_at is not null as is_matched
    from own s
    left join posted p on p.statement_id = s.id
    left join open o on o.statement_id = s.id
    order by s.day, s.part
  `

/** Returns the ledger's balance of an account before a day, according to its statements. */
export async function sumBefore(sql: Sql, { connectionId, accountId, from }: Omit<DayRange, 'to'>): Promise<number> {
  const [row] = await sql<{ cents: number }[]>`
    with own as (
      select *
      from bank_statements
      where connection_id = ${connectionId} and account_id = ${accountId} and status = 'PLACED' and day < ${from}::date
    )
    select (
      coalesce((select sum(opened_cents + carried_cents + credit_cents - debit_cents) from own), 0)
      - coalesce((select sum(l.cents) from own s join statement_lines l on l.statement_id = s.id where l.status = 'NEW'), 0)
    )::bigint as cents
  `
  return row?.cents ?? 0
}

/** Finds the first day after a day that has a placed statement. */
export async function findNextDay(
  sql: Sql,
  { connectionId, accountId }: AccountKey,
  day: string,
): Promise<string | null> {
  const [row] = await sql<{ day: string | null }[]>`
    select min(day)::text as day
    from bank_statements
    where connection_id = ${connectionId} and account_id = ${accountId} and status = 'PLACED' and day > ${day}::date
  `
  return row?.day ?? null
}
