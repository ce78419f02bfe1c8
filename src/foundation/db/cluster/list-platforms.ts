import type { Sql } from '../connect.ts'
import { type Fragment, notSkipped, type Skipped } from '../skipped.ts'
import { allPlatforms } from './all-platforms.ts'

/** A part of the platforms, sorted by id, that starts after `after`. See `eachPlatform` of `Isolation`. */
export type PlatformTurn = { after: string | null; limit: number; skipped: Skipped }

/**
 * Lists the platforms that have rows in a table, each once.
 *
 * @param where a condition of the rows
 * @param id the column with the id of an item that can be skipped alone. Null: only whole platforms can be skipped
 */
export async function listPlatformsWith(
  sql: Sql,
  table: string,
  { after, limit, skipped, where, id = null }: PlatformTurn & { where?: Fragment; id?: Fragment | null },
): Promise<string[]> {
  const rows = await sql<{ platformId: string }[]>`
    ${allPlatforms('finds work')}
    select distinct platform_id
    from ${sql(table)}
    where ${where ?? sql`true`} ${after ? sql`and platform_id > ${after}` : sql``} ${notSkipped(sql, skipped, { id })}
    order by platform_id
    limit ${limit}
  `
  return rows.map(({ platformId }) => platformId)
}
