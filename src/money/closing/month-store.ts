import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { ENDED_BY_ITSELF } from '../../foundation/exception/bank-case-rules.ts'
import type { MonthReport, OpenMovement } from './month-rules.ts'

/** A month of an account. Days are YYYY-MM-DD, both inclusive. */
export type MonthKey = { connectionId: string; accountId: string; firstDay: string; lastDay: string }

export type ClosedMonthRow = MonthKey & {
  id: string
  openingCents: number
  closingCents: number
  lineCount: number
  reportSealed: Buffer
  closedAt: Date
  closedBy: string
  reopenedAt: Date | null
  reopenedBy: string | null
  reopenedWhy: string | null
}

const columns = (sql: Sql) => sql`
  id, connection_id, account_id, first_day::text as first_day, last_day::text as last_day, opening_cents, closing_cents, line_count,
  report_sealed, closed_at, closed_by, reopened_at, reopened_by, reopened_why
`

export async function insertClosedMonth(
  sql: Sql,
  row: Omit<ClosedMonthRow, 'reopenedAt' | 'reopenedBy' | 'reopenedWhy'>,
): Promise<void> {
  await sql`insert into closed_months ${sql.values(row)}`
}

export async function updateReopened(
  sql: Sql,
  id: string,
  { at, by, why }: { at: Date; by: string; why: string },
): Promise<void> {
  await sql`
    update closed_months
    set reopened_at = ${at}, reopened_by = ${by}, reopened_why = ${why}
    where id = ${id} and reopened_at is null
  `
}

/** Lists all closings, latest month first. */
export const listClosedMonths = (sql: Sql, limit: number): Promise<ClosedMonthRow[]> =>
  sql<ClosedMonthRow[]>`
    select ${columns(sql)}
    from closed_months
    order by last_day desc, connection_id, account_id, closed_at desc
    limit ${limit}
  `

export const findClosedMonth = (sql: Sql, id: string): Promise<ClosedMonthRow | null> =>
  sql<ClosedMonthRow[]>`
    select ${columns(sql)}
    from closed_months
    where id = ${id}
  `.first()

/** Finds the current closing of a month. Reopened closings do not count. */
export const findClosing = (sql: Sql, { connectionId, accountId, lastDay }: MonthKey): Promise<ClosedMonthRow | null> =>
  sql<ClosedMonthRow[]>`
    select ${columns(sql)}
    from closed_months
    where connection_id = ${connectionId} and account_id = ${accountId} and last_day = ${lastDay}::date and reopened_at is null
  `.first()

/** `day`: that of the statement which the case is about, or null. */
export type OpenCase = { id: string; kind: string; day: string | null; note: string }

/** Returns the subjects of cases: a statement, a statement line, or a movement. Other cases concern the whole bank. */
const caseSubjects = (sql: Sql) => sql`
  from bank_cases c
  left join bank_statements s on s.id = c.inbound_file_id
  left join statement_lines l on l.id = c.inbound_file_id
  left join bank_statements ls on ls.id = l.statement_id
`

/**
 * Lists the open cases about statements of an account until the end of a month, oldest first. This includes a gap before the first statement
 * after the month, because a line of the month can be missing there. `movements`: those of this account.
 */
export const listOpenCases = (
  sql: Sql,
  { connectionId, accountId, lastDay }: MonthKey,
  movements: MovementRange,
): Promise<OpenCase[]> =>
  sql<OpenCase[]>`
    ${allPlatforms('serves the operator')}
    with ${openMovements(sql, movements)}
    select c.id, c.kind, s.day::text as day, c.note
    ${caseSubjects(sql)}
    where c.closed_at is null and c.source = 'statement' and c.connection_id = ${connectionId} and case
      when s.id is not null then coalesce(s.account_id, ${accountId}) = ${accountId} and (
        coalesce(s.day <= ${lastDay}::date, true)
        or c.kind = 'statement_gap' and s.day = (
          select min(day)
          from bank_statements
          where connection_id = ${connectionId} and account_id = ${accountId} and status = 'PLACED' and day > ${lastDay}::date
        )
      )
      when ls.id is not null then ls.account_id = ${accountId} and ls.day <= ${lastDay}::date
      when c.kind in ('movement_not_booked', 'return_not_booked') then c.inbound_file_id in (select leg_id from open_movements)
      else true
    end
    order by c.created_at, c.id
  `

type DecidedCase = Omit<MonthReport['cases'][number], 'openedOn' | 'closedOn'> & { createdAt: Date; closedAt: Date }

/** Lists the cases of a month that were decided. Cases without a statement of ours are included if they are from `since` or later. */
export const listDecidedCases = (
  sql: Sql,
  { connectionId, accountId, firstDay, lastDay }: MonthKey,
  since: Date,
): Promise<DecidedCase[]> =>
  sql<DecidedCase[]>`
    select c.created_at, c.closed_at, c.cents, c.note, c.resolution, c.closed_by as by
    ${caseSubjects(sql)}
    where c.closed_at is not null and c.source = 'statement' and c.connection_id = ${connectionId}
      and coalesce(s.account_id, ls.account_id, ${accountId}) = ${accountId} and case
        when coalesce(s.day, ls.day) is not null then coalesce(s.day, ls.day) between ${firstDay}::date and ${lastDay}::date
        else c.created_at >= ${since}
      end
    order by c.created_at, c.id
  `

/** Selects the movements of a connection on some rails, from `start` to `end`, for the month that ends on `lastDay`. */
export type MovementRange = { connectionId: string; rails: readonly string[]; lastDay: string; start: Date; end: Date }

/**
 * Selects the movements that were sent or came back until the end of a month and that no line of it books. Leaves out movements that came
 * back before any line booked them, ACH entries that the bank rejected, checks that were paid by their scan, and movements of ACH files
 * whose net is zero, such as files of micro-deposits only: the bank books no line for them. A voided order that a line books came back when
 * its order ended: only a notification may say so.
 */
const openMovements = (sql: Sql, { connectionId, rails, lastDay, start, end }: MovementRange) => sql`
  later as (
    select array_agg(p.leg_id) as ids
    from bank_statements s
    join statement_lines l on l.statement_id = s.id
    join line_postings p on p.line_id = l.id and p.undone_at is null and p.leg_id is not null
    where s.connection_id = ${connectionId} and s.status = 'PLACED' and s.day > ${lastDay}::date
  ),
  own as materialized (
    select
      g.platform_id, g.id as leg_id, case when g.purpose <> 'micro_deposit' then g.subject_id end as payment_id, g.user_id, g.purpose,
      g.rail, case g.direction when 'debit' then g.cents else -g.cents end as cents, g.sent_at, g.settled_at,
      coalesce(g.returned_at, o.ended_at) as returned_at, g.booked_line_id, g.return_line_id
    from legs g
    left join iso_orders o on o.platform_id = g.platform_id and o.leg_id = g.id and o.recalled_at is null and g.status = 'CANCELLED'
    where g.connection_id = ${connectionId} and g.rail = any (${rails as string[]}::text[]) and g.sent_at >= ${start} and g.sent_at < ${end}
      and g.status <> 'WAITING' and (g.status <> 'CANCELLED' or (g.booked_line_id is not null and o.ended_at is not null))
      and (
        g.booked_line_id is null or (g.return_line_id is null and coalesce(g.returned_at, o.ended_at) is not null)
        or g.id = any ((select ids from later)::uuid[])
      )
      and not (g.rail = 'MAIL' and g.direction = 'debit') and not exists (
        select
        from paper_checks c
        where c.platform_id = g.platform_id and c.leg_id = g.id and c.paid_on is not null and c.paid_file_id is null
          and g.booked_line_id is null
      )
  ),
  netted as materialized (
    select
      o.*,
      o.booked_line_id is null and e.file_id is not null
        and sum(case when o.booked_line_id is null then o.cents end) over (partition by e.file_id) = 0 as is_netted
    from own o
    left join ach_entries e on e.platform_id = o.platform_id and e.leg_id = o.leg_id and e.recalled_at is null and not e.is_rejected
    where not (o.rail = 'ACH' and o.booked_line_id is null and e.file_id is null)
  ),
  parts as (
    select *, 'sent' as part, sent_at as at, booked_line_id as line_id
    from netted
    where not is_netted and not (booked_line_id is null and return_line_id is null and coalesce(returned_at < ${end}, false))
    union all
    select *, 'returned', returned_at, return_line_id
    from netted
    where returned_at < ${end} and (booked_line_id is not null or return_line_id is not null or is_netted)
  ),
  open_movements as materialized (
    select
      p.platform_id, p.leg_id, p.payment_id, p.user_id, p.purpose, p.rail, p.part,
      case p.part when 'sent' then p.cents else -p.cents end as cents, p.at, p.settled_at, s.day::text as booked_on
    from parts p
    left join statement_lines l on l.id = p.line_id
    left join bank_statements s on s.id = l.statement_id
    where s.day is null or s.day > ${lastDay}::date
  )
`

/** Lists open movements of a month, oldest first. */
export const listOpenMovements = (sql: Sql, range: MovementRange, limit: number): Promise<OpenMovement[]> =>
  sql<OpenMovement[]>`
    ${allPlatforms('serves the operator')}
    with ${openMovements(sql, range)}
    select *
    from open_movements
    order by at, leg_id
    limit ${limit}
  `

/** Returns the number of open movements of a month, and their sum. */
export async function sumOpenMovements(sql: Sql, range: MovementRange): Promise<{ count: number; cents: number }> {
  const [row] = await sql<{ count: number; cents: number }[]>`
    ${allPlatforms('serves the operator')}
    with ${openMovements(sql, range)}
    select count(*), coalesce(sum(cents), 0)::bigint as cents
    from open_movements
  `
  return row as { count: number; cents: number }
}

/**
 * Lists movements that the bank confirmed before `before`, that no statement line books, and whose case no person has decided, oldest first.
 * `formerCount`: the number of their cases that ended by themselves. ACH counts from the day on which it was sent, once the bank has
 * accepted its file. Other rails count from settlement, because a check can be presented months later, and the bank reports when it has
 * executed an order.
 */
export const listOverdueMovements = (
  sql: Sql,
  range: MovementRange,
  { before, limit }: { before: Date; limit: number },
): Promise<(OpenMovement & { formerCount: number })[]> =>
  sql<(OpenMovement & { formerCount: number })[]>`
    ${allPlatforms('serves the operator')}
    with ${openMovements(sql, range)},
    told as materialized (
      select
        inbound_file_id as leg_id, kind, count(*) as count,
        bool_and(coalesce(resolution = any (${ENDED_BY_ITSELF as string[]}::text[]), false)) as are_over
      from bank_cases
      where connection_id = ${range.connectionId} and kind in ('movement_not_booked', 'return_not_booked')
      group by inbound_file_id, kind
    )
    select m.*, coalesce(t.count, 0) as former_count
    from open_movements m
    join legs g on g.platform_id = m.platform_id and g.id = m.leg_id
    left join told t on t.leg_id = m.leg_id and t.kind = case m.part when 'sent' then 'movement_not_booked' else 'return_not_booked' end
    where m.booked_on is null and (case when m.part = 'sent' and m.rail <> 'ACH' then m.settled_at else m.at end) < ${before}
      and not (m.rail = 'ACH' and g.status = 'SENT') and coalesce(t.are_over, true)
    order by m.at, m.leg_id
    limit ${limit}
  `

/** Returns the part of a statement that selects the lines of a month. */
const linesOfMonth = (sql: Sql, { connectionId, accountId, firstDay, lastDay }: MonthKey) => sql`
  lines as (
    select l.*, s.day
    from bank_statements s
    join statement_lines l on l.statement_id = s.id
    where s.connection_id = ${connectionId} and s.account_id = ${accountId} and s.status = 'PLACED'
      and s.day between ${firstDay}::date and ${lastDay}::date
  )
`

/** Sums the lines of a month by their kind. */
export const sumByKind = (sql: Sql, key: MonthKey): Promise<MonthReport['kinds']> =>
  sql<MonthReport['kinds']>`
    with ${linesOfMonth(sql, key)}
    select
      kind, count(*) as count, coalesce(sum(cents) filter (where cents > 0), 0)::bigint as credit_cents,
      coalesce(-sum(cents) filter (where cents < 0), 0)::bigint as debit_cents
    from lines
    group by kind
    order by kind
  `

/** Sums the lines of a month by how they are booked. */
export const sumByBooking = (sql: Sql, key: MonthKey): Promise<MonthReport['bookings']> =>
  sql<MonthReport['bookings']>`
    with ${linesOfMonth(sql, key)}
    select
      p.account, case when p.wallet_id is not null then p.part when p.leg_id is not null and p.payment_id is null then 'micro-deposit' end as what,
      p.decided_by, count(distinct l.id) as count, sum(p.cents)::bigint as cents
    from lines l
    join line_postings p on p.line_id = l.id and p.undone_at is null
    group by p.account, what, p.decided_by
    order by p.account, what nulls first, p.decided_by
  `

type DecisionOfMonth = Omit<MonthReport['decisions'][number], 'at'> & { at: Date }

/** Lists what people decided about the lines of a month, in order. */
export const listDecisionsOfMonth = (sql: Sql, key: MonthKey): Promise<DecisionOfMonth[]> =>
  sql<DecisionOfMonth[]>`
    with ${linesOfMonth(sql, key)}
    select d.decided_at as at, d.decided_by as by, d.action, l.day::text as line_day, l.cents, d.detail, d.why
    from lines l
    join line_decisions d on d.line_id = l.id
    order by d.decided_at, l.id, d.position
  `
