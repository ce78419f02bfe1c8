import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { digestList } from '../../foundation/db/digests.ts'
import { type LineRange, newLines, type Posting } from './match-store.ts'

// PostgreSQL has no statistics yet about lines that were just stored. Therefore, no statement here joins two of its own subqueries, and
// sums use window functions.

/** Returns the references in the lines of a range. */
const wantedReferences = (sql: Sql, range: LineRange) => sql`
  wanted as materialized (
    select
      r.line_id, r.position, r.cents, r.leg_id, r.trace, r.serial, l.position as line_position, l.place, l.cents as line_cents, l.detail_count
    from statement_lines l
    join line_references r on r.line_id = l.id
    where ${newLines(sql, range)}
  )
`

/** Returns the legs that references name. Trace numbers start again at some time, so only the latest entry counts. */
const namedLegs = (sql: Sql, range: LineRange, digests: readonly Buffer[]) => sql`
  ${wantedReferences(sql, range)},
  -- Other conditions come afterward, so that entries are found by their trace numbers alone.
  entries as materialized (
    select w.*, e.file_id, e.platform_id, e.leg_id as named_leg_id, e.recalled_at
    from wanted w
    join ach_entries e on e.trace_number = w.trace
    where w.trace is not null
  ),
  named as materialized (
    select distinct on (e.line_id, e.position)
      e.line_id, e.position, e.cents, e.leg_id, e.trace, e.serial, e.line_position, e.place, e.line_cents, e.detail_count, e.platform_id,
      e.named_leg_id
    from entries e
    join exchanges x on x.id = e.file_id
    where x.connection_id = ${range.connectionId} and e.named_leg_id is not null and e.recalled_at is null
    order by e.line_id, e.position, x.created_at desc
  ),
  all_named as materialized (
    select * from named
    union all
    select w.*, l.platform_id, l.id
    from wanted w
    join legs l on l.id = w.leg_id and l.connection_id is not null
    where w.leg_id is not null
    ${
      digests.length === 0
        ? sql``
        : sql`
            union all
            select w.*, n.platform_id, n.leg_id
            from wanted w
            join check_numbers n on n.serial = w.serial
            where w.serial is not null and n.account_digest in ${digestList(sql, digests)}
          `
    }
  ),
  -- The connection is compared afterward, so that legs are found by their ids.
  found as materialized (
    select
      g.connection_id,
      n.line_id, n.position, n.cents, n.line_position, n.place, n.line_cents, n.detail_count,
      g.platform_id, g.id as leg_id, g.rail, g.cents as leg_cents,
      case when g.purpose <> 'micro_deposit' then g.subject_id end as payment_id,
      case when (g.direction = 'debit') = (n.cents > 0) then 'sent' else 'returned' end as part,
      case when (g.direction = 'debit') = (n.cents > 0) then g.booked_line_id else g.return_line_id end as former_line_id
    from all_named n
    join legs g on g.platform_id = n.platform_id and g.id = n.named_leg_id
  ),
  facts as (
    select *
    from found
    where connection_id = ${range.connectionId}
  )
`

const insertByReference = (sql: Sql, { now }: LineRange) => sql`
  insert into line_postings (id, line_id, account, platform_id, payment_id, leg_id, part, cents, decided_by, created_at)
  select uuid_of_time_v1(${now}), line_id, 'world', platform_id, payment_id, leg_id, part, cents, 'reference', ${now}
`

/** Books the lines whose references name legs of their amount. Each payment of a line books its own leg. */
export const matchReferences = (
  sql: Sql,
  range: LineRange,
  { digests }: { digests: readonly Buffer[] },
): Promise<Posting[]> =>
  sql<Posting[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with ${namedLegs(sql, range, digests)},
    free as (
      select *, row_number() over (partition by leg_id, part order by line_position, position) as nth
      from facts
      where former_line_id is null and leg_cents = abs(cents)
    ),
    judged as (
      select *, count(*) over line as found, sum(cents) over line as found_cents
      from free
      where nth = 1
      window line as (partition by line_id)
    )
    ${insertByReference(sql, range)}
    from judged
    where found = detail_count and found_cents = line_cents
    returning id, line_id, platform_id, leg_id, part
  `

/** Books several lines that name one leg and together have its amount. */
export const matchParts = (
  sql: Sql,
  range: LineRange,
  { digests }: { digests: readonly Buffer[] },
): Promise<Posting[]> =>
  sql<Posting[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with ${namedLegs(sql, range, digests)},
    judged as (
      select *, count(*) over leg as found, sum(cents) over leg as found_cents
      from facts
      where former_line_id is null and detail_count = 1
      window leg as (partition by leg_id, part)
    )
    ${insertByReference(sql, range)}
    from judged
    where found > 1 and abs(found_cents) = leg_cents
    returning id, line_id, platform_id, leg_id, part
  `

/** A leg that a line names without booking it. A line of several payments can have several. */
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
  rail: string
}

/**
 * Lists the legs that the lines of a notification name with another amount, alone and together. Leaves out lines whose details a booked
 * line has, because that line is compared as well.
 */
export const listNoticedMisfits = (
  sql: Sql,
  range: LineRange,
  { digests, limit }: { digests: readonly Buffer[]; limit: number },
): Promise<Misfit[]> =>
  sql<Misfit[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with ${namedLegs(sql, range, digests)},
    summed as (
      select *, sum(cents) over (partition by leg_id, part) as all_cents
      from facts
    )
    select distinct on (f.line_position, f.leg_id)
      f.line_id, f.place, f.cents, f.platform_id, f.leg_id, f.payment_id, f.leg_cents, f.part, f.rail,
      null as former_booked_on, false as is_booked
    from summed f
    where f.leg_cents <> abs(f.cents) and f.leg_cents <> abs(f.all_cents) and not exists (select from statement_lines l where l.detail_line_id = f.line_id)
    order by f.line_position, f.leg_id, f.position
    limit ${limit}
  `

/** Lists the legs that the lines of a range name with another amount, or that another line has already booked, in order of the lines. */
export const listMisfits = (
  sql: Sql,
  range: LineRange,
  { digests, limit }: { digests: readonly Buffer[]; limit: number },
): Promise<Misfit[]> =>
  sql<Misfit[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with ${namedLegs(sql, range, digests)}
    select distinct on (f.line_position, f.leg_id)
      f.line_id, f.place, f.cents, f.platform_id, f.leg_id, f.payment_id, f.leg_cents, f.part, f.rail,
      former.booked_on::text as former_booked_on, f.former_line_id is not null as is_booked
    from facts f
    left join statement_lines former on former.id = f.former_line_id
    where f.former_line_id is not null or f.leg_cents <> abs(f.cents)
    order by f.line_position, f.leg_id, f.position
    limit ${limit}
  `

/** A leg whose entry a line names or contains although the entry was recalled: its file, its batch or it alone was rejected or canceled. */
export type RecalledLeg = { lineId: string; place: string; cents: number; platformId: string; legId: string }

/**
 * Lists the legs whose recalled entries the lines of a range name by their trace numbers, or contain because they name a file and have a sum
 * of all its entries. These entries are in another file now, so the bank may move their money twice.
 */
export const listRecalledLegs = (sql: Sql, range: LineRange, { limit }: { limit: number }): Promise<RecalledLeg[]> =>
  sql<RecalledLeg[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    with ${wantedReferences(sql, range)},
    traced as materialized (
      select w.line_id, w.line_position, w.place, w.cents, e.file_id, e.platform_id, e.leg_id, e.recalled_at
      from wanted w
      join ach_entries e on e.trace_number = w.trace
      where w.trace is not null and e.leg_id is not null
    ),
    latest as materialized (
      select distinct on (t.line_id, t.line_position, t.cents, t.leg_id) t.*
      from traced t
      join exchanges x on x.id = t.file_id
      where x.connection_id = ${range.connectionId}
      order by t.line_id, t.line_position, t.cents, t.leg_id, x.created_at desc
    ),
    of_files as materialized (
      select
        l.id as line_id, l.position as line_position, l.place, l.cents as line_cents, e.platform_id, e.leg_id, e.recalled_at, g.direction,
        case g.direction when 'debit' then g.cents else -g.cents end as cents
      from statement_lines l
      join exchanges x on x.name = l.file_name
      join ach_entries e on e.file_id = x.id
      join legs g on g.platform_id = e.platform_id and g.id = e.leg_id
      where ${newLines(sql, range)} and x.direction = 'out' and x.kind = 'ach' and x.connection_id = ${range.connectionId}
    ),
    summed as (
      select *, sum(cents) over (partition by line_id) as net_cents, sum(cents) over (partition by line_id, direction) as own_cents
      from of_files
    )
    select t.line_id, t.place, t.cents, t.platform_id, t.leg_id
    from (
      select n.line_id, n.line_position, n.place, n.cents, n.platform_id, n.leg_id
      from latest n
      join legs g on g.platform_id = n.platform_id and g.id = n.leg_id
      where n.recalled_at is not null and n.cents = case g.direction when 'debit' then g.cents else -g.cents end
      union all
      select line_id, line_position, place, cents, platform_id, leg_id
      from summed
      where recalled_at is not null and line_cents in (net_cents, own_cents)
    ) t
    order by t.line_position, t.leg_id
    limit ${limit}
  `
