import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { digestList } from '../../foundation/db/digests.ts'
import { type LineRange, newLines, type Posting } from './match-store.ts'

/** The legs that references name. Trace numbers start over eventually: the latest entry counts. */
const namedLegs = (sql: Sql, { connectionId }: LineRange, digests: readonly Buffer[]) => sql`
  named as (
    select distinct on (w.line_id, w.position) w.line_id, w.position, w.cents, e.platform_id, e.leg_id
    from wanted w
    join ach_entries e on e.trace_number = w.trace
    join exchanges x on x.id = e.file_id
    where x.connection_id = ${connectionId} and e.leg_id is not null and e.recalled_at is null
    order by w.line_id, w.position, x.created_at desc
  ),
  all_named as (
    select * from named
    union all
    select w.line_id, w.position, w.cents, l.platform_id, l.id
    from wanted w
    join legs l on l.id = w.leg_id
    where l.connection_id = ${connectionId}
    ${
      digests.length === 0
        ? sql``
        : sql`
            union all
            select w.line_id, w.position, w.cents, n.platform_id, n.leg_id
            from wanted w
            join check_numbers n on n.serial = w.serial
            where n.account_digest in ${digestList(sql, digests)}
          `
    }
  ),
  facts as (
    select
      n.line_id, n.position, n.cents, g.platform_id, g.id as leg_id, g.cents as leg_cents, g.status,
      case when g.purpose <> 'micro_deposit' then g.subject_id end as payment_id,
      case when (g.direction = 'debit') = (n.cents > 0) then 'sent' else 'returned' end as part,
      case when (g.direction = 'debit') = (n.cents > 0) then g.booked_line_id else g.return_line_id end as former_line_id
    from all_named n
    join legs g on g.platform_id = n.platform_id and g.id = n.leg_id
  )
`

/** Books the lines whose references name legs of their amount: each payment of a line its own leg. */
export const matchReferences = (
  sql: Sql,
  range: LineRange,
  { digests }: { digests: readonly Buffer[] },
): Promise<Posting[]> =>
  sql<Posting[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with wanted as (
      select r.line_id, r.position, r.cents, r.leg_id, r.trace, r.serial
      from statement_lines l
      join line_references r on r.line_id = l.id
      where ${newLines(sql, range)}
    ),
    ${namedLegs(sql, range, digests)},
    free as (
      select *, row_number() over (partition by leg_id, part order by line_id, position) as nth
      from facts
      where former_line_id is null and leg_cents = abs(cents)
    ),
    whole as (
      select f.line_id
      from free f
      join statement_lines l on l.id = f.line_id
      where f.nth = 1
      group by f.line_id, l.detail_count, l.cents
      having count(*) = l.detail_count and sum(f.cents) = l.cents
    )
    insert into line_postings (id, line_id, account, platform_id, payment_id, leg_id, part, cents, decided_by, created_at)
    select uuid_of_time_v1(${range.now}), line_id, 'world', platform_id, payment_id, leg_id, part, cents, 'reference', ${range.now}
    from free
    where nth = 1 and line_id in (select line_id from whole)
    returning id, line_id, platform_id, leg_id, part
  `

/** Books several lines that name one leg and have its amount together. */
export const matchParts = (
  sql: Sql,
  range: LineRange,
  { digests }: { digests: readonly Buffer[] },
): Promise<Posting[]> =>
  sql<Posting[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with wanted as (
      select r.line_id, r.position, r.cents, r.leg_id, r.trace, r.serial
      from statement_lines l
      join line_references r on r.line_id = l.id
      where ${newLines(sql, range)} and l.detail_count = 1
    ),
    ${namedLegs(sql, range, digests)},
    whole as (
      select leg_id, part
      from facts
      where former_line_id is null
      group by leg_id, part, leg_cents
      having count(*) > 1 and abs(sum(cents)) = leg_cents
    )
    insert into line_postings (id, line_id, account, platform_id, payment_id, leg_id, part, cents, decided_by, created_at)
    select uuid_of_time_v1(${range.now}), f.line_id, 'world', f.platform_id, f.payment_id, f.leg_id, f.part, f.cents, 'reference', ${range.now}
    from facts f
    join whole w on w.leg_id = f.leg_id and w.part = f.part
    returning id, line_id, platform_id, leg_id, part
  `

/** A line that names a leg without booking it. */
export type Misfit = {
  lineId: string
  place: string
  cents: number
  platformId: string
  legId: string
  paymentId: string | null
  legCents: number
  part: 'sent' | 'returned'
  formerBookedOn: string | null
  isBooked: boolean
}

/** Lists the lines of a range that name legs of another amount, or legs that another line has booked. */
export const listMisfits = (
  sql: Sql,
  range: LineRange,
  { digests, limit }: { digests: readonly Buffer[]; limit: number },
): Promise<Misfit[]> =>
  sql<Misfit[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with wanted as (
      select r.line_id, r.position, r.cents, r.leg_id, r.trace, r.serial
      from statement_lines l
      join line_references r on r.line_id = l.id
      where ${newLines(sql, range)}
    ),
    ${namedLegs(sql, range, digests)}
    select distinct on (l.position)
      f.line_id, l.place, f.cents, f.platform_id, f.leg_id, f.payment_id, f.leg_cents, f.part,
      former.booked_on::text as former_booked_on, f.former_line_id is not null as is_booked
    from facts f
    join statement_lines l on l.id = f.line_id
    left join statement_lines former on former.id = f.former_line_id
    where f.former_line_id is not null or f.leg_cents <> abs(f.cents)
    order by l.position, f.position
    limit ${limit}
  `
