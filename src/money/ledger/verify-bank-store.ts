import type { Sql } from '../../foundation/db/connect.ts'

/** The platform of the operator's own transfers. */
const OPERATOR = '00000000-0000-0000-0000-000000000000'

/**
 * Selects days of the operator's bank accounts that do not add up. After its lines, the ledger's balance must be the closing balance of the
 * statement. `waiting_cents`: the sum of lines that are not matched yet. The sums are materialized, so that PostgreSQL computes them once,
 * also when it expects few rows.
 */
export const wrongBankDays = (sql: Sql) => sql`
  with posted as materialized (
    select l.statement_id, sum(case when t.debit like 'bank:%' then t.cents else -t.cents end) as cents
    from statement_lines l
    join line_postings p on p.line_id = l.id and p.undone_at is null
    join transfers t on t.platform_id = p.platform_id and t.id = p.id and t.status = 'POSTED'
    group by l.statement_id
  ),
  waiting as materialized (
    select statement_id, sum(cents) as cents
    from statement_lines
    where status = 'NEW'
    group by statement_id
  ),
  days as (
    select
      s.connection_id, s.account_id, s.day, s.closing_cents, coalesce(w.cents, 0) as waiting_cents,
      sum(s.opened_cents + s.carried_cents + coalesce(p.cents, 0)) over chain as ledger_cents,
      sum(coalesce(w.cents, 0)) over chain as all_waiting_cents
    from bank_statements s
    left join posted p on p.statement_id = s.id
    left join waiting w on w.statement_id = s.id
    where s.status = 'PLACED'
    window chain as (partition by s.connection_id, s.account_id order by s.day, s.part)
  )
  select
    ${OPERATOR}::uuid as platform_id, connection_id, account_id, day, closing_cents, ledger_cents::bigint as ledger_cents,
    all_waiting_cents::bigint as waiting_cents, (closing_cents - ledger_cents - all_waiting_cents)::bigint as difference_cents
  from days
  where closing_cents <> ledger_cents + all_waiting_cents
`

/** Selects bank accounts whose ledger balance differs from the balance of their statements. */
export const wrongBankAccounts = (sql: Sql) => sql`
  with ledger as (
    select account, sum(cents)::bigint as cents
    from (
      select debit as account, cents from transfers where status = 'POSTED' and debit like 'bank:%'
      union all
      select credit, -cents from transfers where status = 'POSTED' and credit like 'bank:%'
    ) entries
    group by account
  ),
  lines as (
    select s.connection_id, s.account_id, sum(p.cents) as cents
    from line_postings p
    join statement_lines l on l.id = p.line_id
    join bank_statements s on s.id = l.statement_id
    where p.undone_at is null
    group by s.connection_id, s.account_id
  ),
  balances as (
    select connection_id, account_id, sum(opened_cents + carried_cents) as cents
    from bank_statements
    where status = 'PLACED'
    group by connection_id, account_id
  ),
  told as (
    select 'bank:' || b.connection_id || ':' || b.account_id as account, (b.cents + coalesce(l.cents, 0))::bigint as cents
    from balances b
    left join lines l on l.connection_id = b.connection_id and l.account_id = b.account_id
  )
  select
    ${OPERATOR}::uuid as platform_id, account, coalesce(l.cents, 0) as ledger_cents, coalesce(t.cents, 0) as statement_cents
  from ledger l
  full join told t using (account)
  where coalesce(l.cents, 0) <> coalesce(t.cents, 0)
`

/** Selects statement lines that are not booked exactly once with their whole amount. */
export const wrongLines = (sql: Sql) => sql`
  select ${OPERATOR}::uuid as platform_id, l.id, l.status, l.cents, coalesce(p.cents, 0) as posted_cents
  from statement_lines l
  join bank_statements s on s.id = l.statement_id
  left join (
    select line_id, sum(cents)::bigint as cents
    from line_postings
    where undone_at is null
    group by line_id
  ) p on p.line_id = l.id
  where coalesce(p.cents, 0) <> case when l.status = 'NEW' then 0 else l.cents end
    or (l.status <> 'NEW' and s.status <> 'PLACED')
`

/** Selects legs that statement lines book with a wrong amount or twice, or that have no link to the line that books them. */
export const wrongLegBookings = (sql: Sql) => sql`
  with booked as materialized (
    select platform_id, leg_id, part, sum(cents)::bigint as cents
    from line_postings
    where leg_id is not null and undone_at is null
    group by platform_id, leg_id, part
  ),
  told as materialized (
    select platform_id, id as leg_id, 'sent' as part, case direction when 'debit' then cents else -cents end as cents
    from legs
    where booked_line_id is not null
    union all
    select platform_id, id, 'returned', case direction when 'debit' then -cents else cents end
    from legs
    where return_line_id is not null
  )
  select
    coalesce(b.platform_id, t.platform_id) as platform_id, leg_id, part, coalesce(b.cents, 0) as booked_cents,
    coalesce(t.cents, 0) as leg_cents
  from booked b
  full join told t using (leg_id, part)
  where coalesce(b.cents, 0) <> coalesce(t.cents, 0)
`

/** Selects platforms whose wallets received another sum than the lines of bank statements pay into them and take back. */
export const wrongFundings = (sql: Sql) => sql`
  with booked as (
    select platform_id, sum(cents)::bigint as cents
    from line_postings
    where wallet_id is not null and undone_at is null
    group by platform_id
  ),
  known as (select distinct platform_id from line_postings where wallet_id is not null),
  moved as (
    select platform_id, sum(case when reason in ('fund', 'fund_return_undone') then cents else -cents end)::bigint as cents
    from transfers
    where status = 'POSTED' and reason in ('fund', 'fund_return_undone', 'fund_returned', 'fund_returned_late')
    group by platform_id
  )
  select k.platform_id, coalesce(b.cents, 0) as booked_cents, coalesce(m.cents, 0) as wallet_cents
  from known k
  left join booked b on b.platform_id = k.platform_id
  left join moved m on m.platform_id = k.platform_id
  where coalesce(b.cents, 0) <> coalesce(m.cents, 0)
`
