import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import { LATE_DAYS } from '../match-store.ts'
import { type BookableLeg, legColumns } from './reconcile-store.ts'

/** Locks the legs of an ACH file of a connection that no line has booked. Leaves out entries that the bank has rejected. */
export const lockOpenLegsOfFile = (
  sql: Sql,
  { connectionId, name }: { connectionId: string; name: string },
): Promise<BookableLeg[]> =>
  sql<BookableLeg[]>`
    ${allPlatforms('serves the operator')}
    select ${legColumns(sql)}
    from legs
    where booked_line_id is null and (platform_id, id) in (
      select e.platform_id, e.leg_id
      from exchanges x
      join ach_entries e on e.file_id = x.id
      where x.connection_id = ${connectionId} and x.direction = 'out' and x.kind = 'ach' and x.name = ${name}
        and e.recalled_at is null and not e.is_rejected
    )
    order by platform_id, id
    for update
  `

/**
 * An ACH file that a line may book, and what no line has booked of it: the legs (`open`), and the entries whose payments a restore lost
 * (`lost`). All sums are signed as a line: debits are positive, credits negative.
 */
export type FileOfLine = {
  lineId: string
  name: string
  openDebits: number
  openCredits: number
  lostDebits: number
  lostCredits: number
}

/** Lists the ACH files that lines name, or that have a total of their amount in the last days before them. */
export const listFilesOfLines = (sql: Sql, lineIds: readonly string[]): Promise<FileOfLine[]> =>
  sql<FileOfLine[]>`
    ${allPlatforms('serves the operator')}
    with candidates as (
      select l.id as line_id, x.id as file_id, x.name
      from statement_lines l
      join bank_statements s on s.id = l.statement_id
      join exchanges x on x.connection_id = s.connection_id and x.direction = 'out' and x.kind = 'ach'
      join ach_files f on f.id = x.id
      where l.id = any (${lineIds as string[]}::uuid[]) and not l.is_return and (
        x.name = l.file_name
        or l.file_name is null and l.cents in (f.debit_cents, -f.credit_cents, f.debit_cents - f.credit_cents)
          and x.created_at::date between coalesce(l.booked_on, s.day) - ${LATE_DAYS}::integer and coalesce(l.booked_on, s.day)
      )
    ),
    entries as (
      select e.file_id,
        case when g.id is null then r.direction else g.direction end as direction,
        case when g.id is null then r.cents else g.cents end as cents,
        g.id is null as is_lost
      from ach_entries e
      left join legs g on g.platform_id = e.platform_id and g.id = e.leg_id
      left join ach_recovered_entries r on r.file_id = e.file_id and r.trace_number = e.trace_number and r.matched_at is null
      where e.file_id in (select file_id from candidates) and e.recalled_at is null and not e.is_rejected
        and (g.id is not null and g.booked_line_id is null or g.id is null and r.file_id is not null)
    )
    select c.line_id, c.name,
      coalesce(sum(e.cents) filter (where e.direction = 'debit' and not e.is_lost), 0)::bigint as open_debits,
      coalesce(-sum(e.cents) filter (where e.direction = 'credit' and not e.is_lost), 0)::bigint as open_credits,
      coalesce(sum(e.cents) filter (where e.direction = 'debit' and e.is_lost), 0)::bigint as lost_debits,
      coalesce(-sum(e.cents) filter (where e.direction = 'credit' and e.is_lost), 0)::bigint as lost_credits
    from candidates c
    join entries e on e.file_id = c.file_id
    group by c.line_id, c.file_id, c.name
    order by c.line_id, c.name
  `

/**
 * Returns those of the lines that book one entry, order or check whose payment a restore lost, or its return. Numbers of entries and checks
 * start again at some time, so the amounts must be equal too.
 */
export async function listLinesOfLost(sql: Sql, lineIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ lineId: string }[]>`
    select r.line_id
    from line_references r
    join statement_lines l on l.id = r.line_id
    where r.line_id = any (${lineIds as string[]}::uuid[]) and l.detail_count = 1 and l.cents = r.cents and (
      exists (select from ach_recovered_entries e where e.trace_number = r.trace and e.matched_at is null and e.cents = abs(r.cents))
      or exists (select from recovered_orders o where o.leg_id = r.leg_id and o.matched_at is null and o.cents = abs(r.cents))
      or exists (select from recovered_checks c where c.number = r.serial and c.matched_at is null and c.cents = abs(r.cents))
    )
  `
  return rows.map(({ lineId }) => lineId)
}
