import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import { notSkipped, type Skipped } from '../../../foundation/db/skipped.ts'
import { type LineRange, newLines, type Posting } from '../match-store.ts'

/** The rails whose returns are reported only by a line of a statement or of a notification. */
const hasOrder = (sql: Sql) => sql`rail in ('RTP', 'WIRE', 'SWIFT')`

/** The number of days after its payment for which an order can be returned. */
export const RETURN_DAYS = 90

/** A new credit that the bank marks as a return, without a reference of ours. `bookedOn`: YYYY-MM-DD. */
export type NewReturn = { lineId: string; cents: number; bookedOn: string; kind: string; contentSealed: Buffer }

/** Lists the new credits of a range that the bank marks as returns and that have no reference of ours. */
export const listNewReturns = (sql: Sql, range: LineRange): Promise<NewReturn[]> =>
  sql<NewReturn[]>`
    select l.id as line_id, l.cents, l.booked_on::text as booked_on, l.kind, l.content_sealed
    from statement_lines l
    where ${newLines(sql, range)} and l.is_return and l.cents > 0 and l.detail_count = 1 and l.reason is null
      and l.booked_on is not null and not exists (select from line_references r where r.line_id = l.id)
    order by l.position
  `

/** A leg that a line booked on `bookedOn` (YYYY-MM-DD), and that can be returned. `contentSealed`: of the line. */
export type ReturnableOrder = {
  platformId: string
  paymentId: string
  legId: string
  cents: number
  bookedOn: string
  contentSealed: Buffer
}

/** Lists the booked legs of a connection that can be returned by lines of the given amounts and days. `limit`: for each amount. */
export const listReturnableOrders = (
  sql: Sql,
  {
    connectionId,
    lines,
    limit,
  }: { connectionId: string; lines: readonly Pick<NewReturn, 'cents' | 'bookedOn'>[]; limit: number },
): Promise<ReturnableOrder[]> =>
  sql<ReturnableOrder[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with amounts as materialized (
      select cents, min(booked_on) - ${RETURN_DAYS}::integer as first_day, max(booked_on) as last_day
      from unnest(
        ${lines.map(({ cents }) => cents)}::bigint[], ${lines.map(({ bookedOn }) => bookedOn)}::date[]
      ) as line (cents, booked_on)
      group by cents
    )
    select one.*
    from amounts a
    cross join lateral (
      select
        g.platform_id, g.subject_id as payment_id, g.id as leg_id, g.cents, o.booked_on::text as booked_on, o.content_sealed
      from statement_lines o
      join line_postings p on p.line_id = o.id and p.part = 'sent' and p.undone_at is null
      join legs g on g.platform_id = p.platform_id and g.id = p.leg_id
      where o.cents = -a.cents and o.booked_on between a.first_day and a.last_day
        and g.connection_id = ${connectionId} and g.${hasOrder(sql)} and g.direction = 'credit'
        and g.return_line_id is null and g.cents = a.cents
      limit ${limit}
    ) one
    order by one.leg_id
  `

/** A line, and the leg that it returns. */
export type FoundReturn = Pick<NewReturn, 'lineId'> & Omit<ReturnableOrder, 'bookedOn' | 'contentSealed'>

/** Books lines that return legs. */
export async function insertReturns(sql: Sql, returns: readonly FoundReturn[], now: Date): Promise<Posting[]> {
  if (returns.length === 0) return []
  return sql<Posting[]>`
    insert into line_postings (id, line_id, account, platform_id, payment_id, leg_id, part, cents, decided_by, created_at)
    select uuid_of_time_v1(${now}), r.line_id, 'world', r.platform_id, r.payment_id, r.leg_id, 'returned', r.cents, 'reference', ${now}
    from unnest(
      ${returns.map(({ lineId }) => lineId)}::uuid[], ${returns.map(({ platformId }) => platformId)}::uuid[],
      ${returns.map(({ paymentId }) => paymentId)}::uuid[], ${returns.map(({ legId }) => legId)}::uuid[],
      ${returns.map(({ cents }) => cents)}::bigint[]
    ) as r (line_id, platform_id, payment_id, leg_id, cents)
    returning id, line_id, platform_id, leg_id, part
  `
}

/**
 * A line that returns a leg. `cents`: of the payment in the line that names the leg. `isDecided`: the operator has booked the line as the
 * return of the leg. `isCanceled`: the order was canceled here.
 */
export type ReturnLine = {
  lineId: string
  connectionId: string
  place: string
  kind: string
  contentSealed: Buffer
  platformId: string
  legId: string
  cents: number
  legCents: number
  isDecided: boolean
  isCanceled: boolean
}

/**
 * Lists lines that book the return of a leg whose payment was not refunded, and that have no case about the leg. A line that the operator
 * has booked is listed despite its case, once nothing holds the payment. Canceled orders are listed only if the bank did not cancel or
 * return them, and no line books them: the operator must judge these.
 */
export const listBookedReturns = (
  sql: Sql,
  { skipped, limit }: { skipped: Skipped; limit: number },
): Promise<ReturnLine[]> =>
  sql<ReturnLine[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with back as materialized (
      select connection_id, platform_id, id, cents, return_line_id, booked_line_id, held_at, status = 'CANCELLED' as is_canceled
      from legs
      where return_line_id is not null and ${hasOrder(sql)} and status <> 'RETURNED' ${notSkipped(sql, skipped)}
    ),
    judged as (
      select
        b.*,
        exists (
          select
          from line_postings p
          where p.line_id = b.return_line_id and p.platform_id = b.platform_id and p.leg_id = b.id and p.part = 'returned'
            and p.undone_at is null and p.decided_by = 'person'
        ) as is_decided
      from back b
    )
    select
      l.id as line_id, b.connection_id, l.place, l.kind, l.content_sealed, b.platform_id, b.id as leg_id, b.cents, b.cents as leg_cents,
      b.is_decided, b.is_canceled
    from judged b
    join statement_lines l on l.id = b.return_line_id
    where
      case
        when b.is_canceled then b.booked_line_id is null and not b.is_decided and not exists (
          select
          from iso_orders o
          where o.platform_id = b.platform_id and o.leg_id = b.id and o.recalled_at is null
            and (o.code = 'RTRN' or o.recall_id is not null)
        )
        when b.is_decided then b.held_at is null
        else true
      end
      and (
        b.is_decided or not exists (
          select
          from bank_cases c
          where c.inbound_file_id = l.id and c.kind = 'line_contradicts' and c.leg_id = b.id
        )
      )
    order by l.booked_on, l.id
    limit ${limit}
  `

/** A notification or an interim report: its lines are not booked, but its returns count. `accountId`: null for an account of others. */
export type Notice = {
  id: string
  kind: 'notification' | 'interim'
  connectionId: string
  accountId: string | null
  day: string | null
  lineCount: number
}

export const listUnreadNotices = (
  sql: Sql,
  { after, limit }: { after: string | null; limit: number },
): Promise<Notice[]> =>
  sql<Notice[]>`
    select id, kind, connection_id, account_id, day::text as day, line_count
    from bank_statements
    where status = 'NOTED' and returns_read_at is null and ${after === null ? sql`true` : sql`id > ${after}`}
    order by id
    limit ${limit}
  `

export async function updateReturnsRead(sql: Sql, { id }: Pick<Notice, 'id'>, readAt: Date): Promise<void> {
  await sql`
    update bank_statements
    set returns_read_at = ${readAt}
    where id = ${id}
  `
}

/** Lists the credits of a notice that name legs whose payments were not refunded, and that have no case. */
export const listNoticedReturns = (sql: Sql, { id, connectionId }: Notice): Promise<ReturnLine[]> =>
  sql<ReturnLine[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with wanted as materialized (
      select l.id as line_id, l.position, l.place, l.kind, l.content_sealed, r.leg_id, r.cents
      from statement_lines l
      join line_references r on r.line_id = l.id
      where l.statement_id = ${id} and r.leg_id is not null and r.cents > 0
    )
    select
      w.line_id, g.connection_id, w.place, w.kind, w.content_sealed, g.platform_id, g.id as leg_id, w.cents, g.cents as leg_cents,
      false as is_decided, false as is_canceled
    from wanted w
    join legs g on g.id = w.leg_id
    where g.connection_id = ${connectionId} and g.${hasOrder(sql)} and g.direction = 'credit'
      and g.status not in ('RETURNED', 'CANCELLED')
      and not exists (
        select
        from bank_cases c
        where c.inbound_file_id = w.line_id and c.kind = 'line_contradicts' and c.leg_id = w.leg_id
      )
    order by w.position, g.id
  `
