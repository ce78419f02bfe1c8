import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import type { Twin } from './proposal-rules.ts'
import { type BookableLeg, legColumns } from './reconcile-store.ts'

/**
 * Lists the legs of a connection that have one of these amounts, if the leg or its return is not booked yet. Also lists the legs with these
 * ids.
 */
export const listCandidateLegs = (
  sql: Sql,
  { connectionId, amounts, ids }: { connectionId: string; amounts: readonly number[]; ids: readonly string[] },
  limit: number,
): Promise<BookableLeg[]> =>
  sql<BookableLeg[]>`
    ${allPlatforms('serves the operator')}
    select ${legColumns(sql)}
    from legs
    where connection_id = ${connectionId} and (
      booked_line_id is null and direction in ('debit', 'credit') and cents = any (${amounts as number[]}::bigint[])
        and status not in ('WAITING', 'CANCELLED')
      or return_line_id is null and returned_at is not null and direction in ('debit', 'credit')
        and cents = any (${amounts as number[]}::bigint[])
      or id = any (${ids as string[]}::uuid[])
    )
    order by sent_at desc, id
    limit ${limit}
  `

/** Lists booked lines with one of these amounts whose day is in a range, latest first. */
export const listTwins = (
  sql: Sql,
  { amounts, from, to }: { amounts: readonly number[]; from: string; to: string },
  limit: number,
): Promise<Twin[]> =>
  sql<Twin[]>`
    select l.id, s.connection_id, s.account_id, l.cents, l.booked_on::text as booked_on
    from statement_lines l
    join bank_statements s on s.id = l.statement_id
    where l.cents = any (${amounts as number[]}::bigint[]) and l.booked_on between ${from}::date - 7 and ${to}::date + 7
      and l.status in ('MATCHED', 'OWN', 'SPLIT')
    order by l.booked_on desc, l.id
    limit ${limit}
  `

/** Finds the open cases about lines that take a credit to a wallet back with another amount. */
export const listDifferingReturns = (
  sql: Sql,
  lineIds: readonly string[],
): Promise<{ lineId: string; contentSealed: Buffer }[]> =>
  sql<{ lineId: string; contentSealed: Buffer }[]>`
    select inbound_file_id as line_id, content_sealed
    from bank_cases
    where closed_at is null and kind = 'line_contradicts' and leg_id is null
      and inbound_file_id = any (${lineIds as string[]}::uuid[])
  `

export type ContradictedLeg = { lineId: string; legId: string; detailCount: number }

/** Finds the legs that lines name without matching, by the open cases about the lines. `detailCount`: the number of payments in the line. */
export const listContradictedLegs = (sql: Sql, lineIds: readonly string[]): Promise<ContradictedLeg[]> =>
  sql<ContradictedLeg[]>`
    select c.inbound_file_id as line_id, c.leg_id, l.detail_count
    from bank_cases c
    join statement_lines l on l.id = c.inbound_file_id
    where c.closed_at is null and c.kind = 'line_contradicts' and c.leg_id is not null
      and c.inbound_file_id = any (${lineIds as string[]}::uuid[])
  `
