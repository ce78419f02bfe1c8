import type { CarriedRail } from '../../foundation/core/connections.ts'
import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'

/** Lists the ids of connections outside of `ids` that were used or have an open file. */
export async function listOtherConnectionIds(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ connectionId: string }[]>`
    select connection_id
    from connection_states
    where connection_id <> all (${ids as string[]}::text[])
    union
    select connection_id
    from exchanges
    where status in ('WRITTEN', 'TRANSMITTED') and connection_id <> all (${ids as string[]}::text[])
    union
    select connection_id
    from exchanges
    where status = 'RECEIVED' and connection_id <> all (${ids as string[]}::text[])
    order by connection_id
  `
  return rows.map(({ connectionId }) => connectionId)
}

/** Counts the files of a connection that have not ended. */
export async function countOpenFiles(sql: Sql, connectionId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count
    from exchanges
    where connection_id = ${connectionId} and status in ('WRITTEN', 'TRANSMITTED', 'RECEIVED')
  `
  return row?.count ?? 0
}

/**
 * Counts the legs of a connection on rails that can still change: those that are not settled, not trusted yet, or paid by a processor that
 * is still asked whether the money was returned.
 */
export async function countOpenLegs(
  sql: Sql,
  { connectionId, rails }: { connectionId: string; rails: readonly CarriedRail[] },
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    ${allPlatforms('serves the operator')}
    select count(*) as count
    from (
      select platform_id, id
      from legs
      where connection_id = ${connectionId} and rail = any (${rails as CarriedRail[]}::text[])
        and (status in ('SENT', 'ACCEPTED', 'STOPPING') or next_event is not null)
      union
      select platform_id, leg_id
      from payouts
      where connection_id = ${connectionId} and rail = any (${rails as CarriedRail[]}::text[]) and next_at is not null
    ) open_legs
  `
  return row?.count ?? 0
}

/** Counts the checks of a connection that wait for a list of issued, stopped or void checks. */
export async function countChecksToList(sql: Sql, connectionId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    ${allPlatforms('serves the operator')}
    select count(*) as count
    from paper_checks
    where connection_id = ${connectionId}
      and (
        issue_file_id is null and paid_on is null
        or stopped_at is not null and (stop_file_id is null or void_file_id is null)
      )
  `
  return row?.count ?? 0
}
