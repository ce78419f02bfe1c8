import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { notSkipped, type Skipped } from '../../foundation/db/skipped.ts'
import type { StatementRow } from './statement-store.ts'

// Matches lines in sets. Each statement below handles a range of the lines of one statement. It inserts rows of `line_postings` with the
// legs that a line books, and returns these rows.

export type MatchedStatement = Pick<StatementRow, 'id' | 'connectionId' | 'lineCount'> & {
  accountId: string
  day: string
}

/** Lists statements with unmatched lines, oldest first. */
export const listUnmatched = (
  sql: Sql,
  { skipped, limit }: { skipped: Skipped; limit: number },
): Promise<MatchedStatement[]> =>
  sql<MatchedStatement[]>`
    select id, connection_id, account_id, day::text as day, line_count
    from bank_statements
    where status = 'PLACED' and matched_at is null ${notSkipped(sql, skipped, { platformId: null })}
    order by day, part, id
    limit ${limit}
  `

/** Locks a statement for one process. @returns false if another process is matching its lines, or already has */
export const tryLockUnmatched = (sql: Sql, id: string): Promise<boolean> =>
  sql`
    select
    from bank_statements
    where id = ${id} and matched_at is null
    for update skip locked
  `.anyRow()

export async function updateMatched(sql: Sql, id: string, matchedAt: Date): Promise<void> {
  await sql`
    update bank_statements
    set matched_at = ${matchedAt}
    where id = ${id}
  `
}

/** A range of lines of a statement by their positions, both ends included. */
export type LineRange = {
  statementId: string
  connectionId: string
  day: string
  from: number
  to: number
  now: Date
}

export const newLines = (sql: Sql, { statementId, from, to }: LineRange) => sql`
  l.statement_id = ${statementId} and l.status = 'NEW' and l.position between ${from}::integer and ${to}::integer
`

export type Posting = {
  id: string
  lineId: string
  platformId: string
  legId: string | null
  part: LinePart | null
}

/** The subject of a booking: a leg or its return, a credit to a wallet, or the return of such a credit. Null: none of them. */
export type LinePart = 'sent' | 'returned' | 'funded' | 'taken_back'

/** Returns the payments of an ACH file that no line has booked, by direction. */
const openOfFiles = (sql: Sql) => sql`
  open_of_file as (
    select
      f.file_id, g.platform_id, g.id as leg_id, g.direction,
      case when g.purpose <> 'micro_deposit' then g.subject_id end as payment_id,
      case g.direction when 'debit' then g.cents else -g.cents end as cents
    from (select distinct file_id from candidates) f
    join ach_entries e on e.file_id = f.file_id
    join legs g on g.platform_id = e.platform_id and g.id = e.leg_id
    where e.recalled_at is null and not e.is_rejected and g.booked_line_id is null
  ),
  sums as (
    select file_id, 'net' as what, sum(cents) as cents from open_of_file group by file_id
    union all
    select file_id, direction, sum(cents) from open_of_file group by file_id, direction
  ),
  fitting as (
    select c.line_id, s.file_id, s.what
    from candidates c
    join statement_lines l on l.id = c.line_id
    join sums s on s.file_id = c.file_id and s.cents = l.cents
  ),
  -- The net of a file uses its debits and its credits.
  counted as (
    select *, count(*) over (partition by line_id) as of_line, count(*) over (partition by file_id, what) as of_sum,
      count(*) filter (where what = 'net') over (partition by file_id) as nets
    from (
      select distinct on (line_id, file_id) * from fitting order by line_id, file_id, what = 'net' desc
    ) best
  )
`

const insertOfFiles = (sql: Sql, { now }: LineRange, decidedBy: 'file' | 'amount') => sql`
  insert into line_postings (id, line_id, account, platform_id, payment_id, leg_id, part, cents, decided_by, created_at)
  select uuid_of_time_v1(${now}), c.line_id, 'world', o.platform_id, o.payment_id, o.leg_id, 'sent', o.cents, ${decidedBy}, ${now}
  from counted c
  join open_of_file o on o.file_id = c.file_id and (c.what = 'net' or o.direction = c.what)
  where c.of_line = 1 and c.of_sum = 1 and (c.what = 'net' or c.nets = 0)
  returning id, line_id, platform_id, leg_id, part
`

/** Books lines that name a file of ours: the file's debits, its credits, or both. */
export const matchNamedFiles = (sql: Sql, range: LineRange): Promise<Posting[]> =>
  sql<Posting[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with candidates as (
      select l.id as line_id, x.id as file_id
      from statement_lines l
      join exchanges x on x.name = l.file_name
      where ${newLines(sql, range)} and x.direction = 'out' and x.kind = 'ach' and x.connection_id = ${range.connectionId}
    ),
    ${openOfFiles(sql)}
    ${insertOfFiles(sql, range, 'file')}
  `

/** The kinds of lines that can book ACH entries. */
const KINDS_OF_ACH = ['ach', 'return', 'transfer', 'other', 'unknown']

/** The maximum number of days between a movement and the line that books it. */
export const LATE_DAYS = 10

// The steps below skip lines with a reason. Such a line names a wallet and waits for the operator.

/** Books lines whose amount is the total of exactly one file of these days, if no other line has that amount. */
export const matchFileTotals = (sql: Sql, range: LineRange): Promise<Posting[]> =>
  sql<Posting[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with totals as materialized (
      select
        f.id as file_id, x.created_at,
        unnest(array[f.debit_cents, -f.credit_cents, f.debit_cents - f.credit_cents]) as cents
      from exchanges x
      join ach_files f on f.id = x.id
      where x.connection_id = ${range.connectionId} and x.direction = 'out' and x.kind = 'ach' and f.entry_count > 1
        and x.created_at > ${range.day}::date - ${3 * LATE_DAYS}::integer
    ),
    candidates as (
      select l.id as line_id, t.file_id
      from statement_lines l
      join totals t on t.cents = l.cents
      where ${newLines(sql, range)} and l.file_name is null and l.reason is null and l.kind = any (${KINDS_OF_ACH}::text[])
        and t.created_at > l.booked_on - ${LATE_DAYS}::integer and t.created_at < l.booked_on + 2
        and not exists (select from line_references r where r.line_id = l.id)
    ),
    ${openOfFiles(sql)}
    ${insertOfFiles(sql, range, 'amount')}
  `

/** Books lines without a reference of ours, if exactly one leg of these days and no other open line has the amount. */
export const matchAmounts = (sql: Sql, range: LineRange): Promise<Posting[]> =>
  sql<Posting[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with wanted as (
      select cents, min(id::text)::uuid as line_id, min(booked_on) as booked_on
      from statement_lines l
      where l.statement_id = ${range.statementId} and l.status = 'NEW'
        and l.kind = any (${KINDS_OF_ACH}::text[]) and l.file_name is null and l.booked_on is not null
        and l.reason is null
        and not exists (select from line_references r where r.line_id = l.id)
      group by cents
      having count(*) = 1
    ),
    fitting as (
      select w.line_id, w.cents, g.platform_id, g.id as leg_id, g.purpose, g.subject_id, 'sent' as part
      from wanted w
      join legs g on g.connection_id = ${range.connectionId} and g.booked_line_id is null and g.cents = abs(w.cents)
        and g.direction = case when w.cents > 0 then 'debit' else 'credit' end
      where g.sent_at > w.booked_on - ${LATE_DAYS}::integer and g.sent_at < w.booked_on + 2 and g.rail = 'ACH'
      union all
      select w.line_id, w.cents, g.platform_id, g.id, g.purpose, g.subject_id, 'returned'
      from wanted w
      join legs g on g.connection_id = ${range.connectionId} and g.return_line_id is null and g.returned_at is not null
        and g.cents = abs(w.cents) and g.direction = case when w.cents > 0 then 'credit' else 'debit' end
      where g.returned_at > w.booked_on - ${LATE_DAYS}::integer and g.returned_at < w.booked_on + 2 and g.rail = 'ACH'
    ),
    counted as (select *, count(*) over (partition by line_id) as legs from fitting)
    insert into line_postings (id, line_id, account, platform_id, payment_id, leg_id, part, cents, decided_by, created_at)
    select uuid_of_time_v1(${range.now}), c.line_id, 'world', c.platform_id, case when c.purpose <> 'micro_deposit' then c.subject_id end,
      c.leg_id, c.part, c.cents, 'amount', ${range.now}
    from counted c
    join statement_lines l on l.id = c.line_id
    where c.legs = 1 and ${newLines(sql, range)}
    returning id, line_id, platform_id, leg_id, part
  `

/** Books lines to which a rule of the operator applies. */
export const matchRules = (sql: Sql, range: LineRange, operatorPlatform: string): Promise<Posting[]> =>
  sql<Posting[]>`
    insert into line_postings (id, line_id, account, platform_id, cents, decided_by, created_at)
    select uuid_of_time_v1(${range.now}), l.id, l.own_account, ${operatorPlatform}, l.cents, 'rule', ${range.now}
    from statement_lines l
    where ${newLines(sql, range)} and l.own_account is not null and l.reason is null
    returning id, line_id, platform_id, leg_id, part
  `

/** Books all other lines into suspense. */
export const matchNothing = (
  sql: Sql,
  range: LineRange,
  { operatorPlatform, suspense }: { operatorPlatform: string; suspense: string },
): Promise<Posting[]> =>
  sql<Posting[]>`
    insert into line_postings (id, line_id, account, platform_id, cents, decided_by, created_at)
    select uuid_of_time_v1(${range.now}), l.id, ${suspense}, ${operatorPlatform}, l.cents, 'nobody', ${range.now}
    from statement_lines l
    where ${newLines(sql, range)}
    returning id, line_id, platform_id, leg_id, part
  `

/**
 * Records the lines that book legs, in the order of the legs. A leg, or its return, that another line has booked is left alone.
 *
 * @param lineIds the lines that book the legs together
 * @returns whether all legs were free
 */
export async function updateLegsBooked(
  sql: Sql,
  postings: readonly Posting[],
  lineIds: readonly string[],
): Promise<boolean> {
  let areFree = true
  for (const part of ['sent', 'returned'] as const) {
    const some = postings.filter((one) => one.part === part).toSorted((a, b) => (legOf(a) < legOf(b) ? -1 : 1))
    if (some.length === 0) continue
    const line = part === 'sent' ? sql`booked_line_id` : sql`return_line_id`
    const { count } = await sql`
      ${allPlatforms('reads or writes a file of the bank or the printer')}
      update legs g
      set ${line} = p.line_id
      from unnest(
        ${some.map(({ platformId }) => platformId)}::uuid[], ${some.map(({ legId }) => legId)}::uuid[],
        ${some.map(({ lineId }) => lineId)}::uuid[]
      ) as p (platform_id, leg_id, line_id)
      where g.platform_id = p.platform_id and g.id = p.leg_id
        and (g.${line} is null or g.${line} = any (${lineIds as string[]}::uuid[]))
    `
    areFree &&= count === new Set(some.map(legOf)).size
  }
  return areFree
}

const legOf = ({ platformId, legId }: Posting): string => `${platformId}${legId}`

export async function updateLinesBooked(
  sql: Sql,
  lineIds: readonly string[],
  { status, reason }: { status: 'MATCHED' | 'OWN' | 'SUSPENSE'; reason: string | null },
): Promise<void> {
  await sql`
    update statement_lines
    set status = ${status}, reason = coalesce(${reason}::text, reason)
    where id = any (${lineIds as string[]}::uuid[])
  `
}

export async function updateLineReason(sql: Sql, lineId: string, reason: string): Promise<void> {
  await sql`
    update statement_lines
    set reason = ${reason}
    where id = ${lineId}
  `
}

/**
 * A contradiction between the books and the bank: a booked return of a leg that the bank has not returned, or a booked leg that the bank
 * has refused.
 */
export type Contradiction = {
  lineId: string
  postingId: string
  connectionId: string
  platformId: string
  legId: string
  part: 'sent' | 'returned'
  legStatus: string
  cents: number
  place: string
}

/**
 * Lists the bookings of a line, or of the lines of a statement, that contradict the bank's answers about legs. For a statement, leaves out
 * lines that already had a case about the leg.
 */
export const listContradictions = (
  sql: Sql,
  subject: { statementId: string } | { lineId: string },
): Promise<Contradiction[]> =>
  sql<Contradiction[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select
      l.id as line_id, p.id as posting_id, s.connection_id, p.platform_id, p.leg_id, p.part, g.status as leg_status, p.cents, l.place
    from bank_statements s
    join statement_lines l on l.statement_id = s.id
    join line_postings p on p.line_id = l.id and p.undone_at is null
    join legs g on g.platform_id = p.platform_id and g.id = p.leg_id
    where ${
      'lineId' in subject
        ? sql`l.id = ${subject.lineId}`
        : sql`
            s.id = ${subject.statementId} and not exists (
              select
              from bank_cases c
              where c.inbound_file_id = l.id and c.kind = 'line_contradicts' and c.leg_id = p.leg_id
            )
          `
    }
      and (
        -- Only lines tell that orders came back: see returned/.
        p.part = 'returned' and g.status <> 'RETURNED' and g.rail not in ('RTP', 'WIRE', 'SWIFT')
        -- A paid check with a number is evidence for its payment: see payments/check/paid/.
        or p.part = 'sent' and g.status in ('WAITING', 'CANCELLED')
          and not exists (select from paper_checks c where c.platform_id = g.platform_id and c.leg_id = g.id)
          and not (g.rail in ('RTP', 'WIRE', 'SWIFT') and g.return_line_id is not null)
        -- An order that the bank has rejected moves no money, unless the bank takes it back. A notification can say so before a line does.
        or p.part = 'sent' and g.status = 'RETURNED' and g.settled_at is null and g.return_line_id is null
          and g.rail in ('RTP', 'WIRE', 'SWIFT')
          and not exists (
            select
            from iso_orders o
            where o.platform_id = p.platform_id and o.leg_id = p.leg_id and o.recalled_at is null and o.code = 'RTRN'
          )
      )
    order by l.position
  `

export type ConfirmedReturn = { platformId: string; lineId: string; legId: string }

/** Lists open cases about returns on statements that the bank has confirmed in the meantime. */
export const listConfirmedReturns = (sql: Sql, skipped: Skipped): Promise<ConfirmedReturn[]> =>
  sql<ConfirmedReturn[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select c.inbound_file_id as line_id, c.leg_id, p.platform_id
    from bank_cases c
    join line_postings p on p.line_id = c.inbound_file_id and p.part = 'returned' and p.undone_at is null
    join legs g on g.platform_id = p.platform_id and g.id = p.leg_id
    where c.closed_at is null and c.kind = 'line_contradicts' and c.leg_id = p.leg_id and g.status = 'RETURNED'
      ${notSkipped(sql, skipped, { platformId: sql`p.platform_id`, id: sql`p.leg_id` })}
  `
