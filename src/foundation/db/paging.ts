import type { Sql } from './connect.ts'

/** A page request, as SQL needs it. */
export type Paging = {
  limit: number
  sort: { field: string; direction: 'asc' | 'desc' }
  page: number
  /** The number of rows to skip, for numbered pages. */
  offset: number
  /** The last row of the previous page, for cursors. Otherwise null. */
  after: Position | null
}

/** The position of a row in a sorted list: its sort value as text, and its id. */
export type Position = { value: string; id: string }

/** The ids of a time span, from `fromId` up to but not including `untilId`. Null means no bound. */
export type IdRange = { fromId: string | null; untilId: string | null }

export type SortType = 'timestamptz' | 'text' | 'bigint' | 'uuid'

/** A sort key: an SQL expression and its type. The expression must come from the program, never from a request. */
export type SortKey = { expression: string; type: SortType }

/** Returns the sort value of a row as text. PostgreSQL converts it to text and back. */
export const sortValue = (sql: Sql, key: SortKey) => sql.unsafe(`(${key.expression})::text`)

/**
 * Returns the condition `and …` for the rows after the position. Rows with equal values are sorted by id, so that no row appears on two
 * pages.
 */
export function afterPosition(sql: Sql, paging: Paging, key: SortKey, idColumn: string) {
  if (!paging.after) return sql``
  const comparison = paging.sort.direction === 'asc' ? '>' : '<'
  return sql`
    and (${sql.unsafe(key.expression)}, ${sql.unsafe(idColumn)})
      ${sql.unsafe(comparison)} (${paging.after.value}::text::${sql.unsafe(key.type)}, ${paging.after.id}::uuid)
  `
}

/** Returns the columns of `order by`. */
export function sortOrder(sql: Sql, paging: Paging, key: SortKey, idColumn: string) {
  const { direction } = paging.sort
  return sql.unsafe(`${key.expression} ${direction}, ${idColumn} ${direction}`)
}

/** Removes the extra row of a page, which shows that another page follows. */
export function cutPage<Row extends { id: string; sortValue: string | null }>(
  rows: readonly Row[],
  { limit }: Paging,
): { rows: Row[]; next: Position | null } {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { rows: page, next: last ? { value: last.sortValue as string, id: last.id } : null }
}

/** Returns a pattern for `ilike` that matches `q` literally at any position. */
export const containsPattern = (q: string): string => `%${q.replace(/[\\%_]/g, '\\$&')}%`
