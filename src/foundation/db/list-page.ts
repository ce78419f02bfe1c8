import type { Sql } from './connect.ts'
import { afterPosition, cutPage, type Paging, type Position, type SortKey, sortOrder, sortValue } from './paging.ts'
import type { Fragment } from './skipped.ts'

/** A page of a list. `total` is set only for numbered pages. */
export type Page<Row> = { rows: Row[]; next: Position | null; total: number | null }

/** Sorts by creation time. */
export const BY_DATE: SortKey = { expression: 'created_at', type: 'timestamptz' }

/** Reads one page of the rows of a table that match `where`. For numbered pages, also counts them. The table must have an `id`. */
export async function listPage<Row extends { id: string }>(
  sql: Sql,
  { columns, table, where }: { columns: Fragment; table: Fragment; where: Fragment },
  { paging, sortKey = BY_DATE }: { paging: Paging; sortKey?: SortKey },
): Promise<Page<Row>> {
  const rows = await sql<(Row & { sortValue: string })[]>`
    select ${columns}, ${sortValue(sql, sortKey)} as sort_value
    from ${table}
    where ${where} ${afterPosition(sql, paging, sortKey, 'id')}
    order by ${sortOrder(sql, paging, sortKey, 'id')}
    limit ${paging.limit + 1}
    offset ${paging.offset}
  `
  const total = paging.after ? null : await countRows(sql, { table, where })
  return { ...cutPage(rows, paging), total }
}

async function countRows(sql: Sql, { table, where }: { table: Fragment; where: Fragment }): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total
    from ${table}
    where ${where}
  `
  return row?.total ?? 0
}
