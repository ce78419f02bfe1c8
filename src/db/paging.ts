import type { Sql } from './connect.ts'

/** One page of a list: the part of it that SQL needs. */
export type Paging = {
  limit: number
  sort: { field: string; direction: 'asc' | 'desc' }
  page: number
  /** Rows to leave out, where the page has a number. */
  offset: number
  /** The last row of the page before, where the list is read by cursor. */
  after: Position | null
}

/** Where a row stands in a sorted list: its value of the sort field, as text, and its id. */
export type Position = { value: string; id: string }

/** Where ids tell the time: from the lower, up to and without the upper; null: no bound. */
export type IdRange = { fromId: string | null; untilId: string | null }

export type SortType = 'timestamptz' | 'text' | 'bigint' | 'uuid'

/** What a list is sorted by: an SQL expression of the program, never of a request, and its type. */
export type SortKey = { expression: string; type: SortType }

/** Where a row stands: PostgreSQL itself turns the value into text, and reads it again. */
export const sortValue = (sql: Sql, key: SortKey) => sql.unsafe(`(${key.expression})::text`)

/** `and …`: only rows behind the position. Rows with one value are ordered by their id, so no row is met twice. */
export function afterPosition(sql: Sql, paging: Paging, key: SortKey, idColumn: string) {
  if (!paging.after) return sql``
  const comparison = paging.sort.direction === 'asc' ? '>' : '<'
  return sql`
    and (${sql.unsafe(key.expression)}, ${sql.unsafe(idColumn)})
      ${sql.unsafe(comparison)} (${paging.after.value}::text::${sql.unsafe(key.type)}, ${paging.after.id}::uuid)
  `
}

/** The columns of `order by`. */
export function sortOrder(sql: Sql, paging: Paging, key: SortKey, idColumn: string) {
  const { direction } = paging.sort
  return sql.unsafe(`${key.expression} ${direction}, ${idColumn} ${direction}`)
}

/** One row more than the page has tells whether another page follows. */
export function cutPage<Row extends { id: string; sortValue: string | null }>(
  rows: readonly Row[],
  { limit }: Paging,
): { rows: Row[]; next: Position | null } {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { rows: page, next: last ? { value: last.sortValue as string, id: last.id } : null }
}

/** Text for `ilike` that matches `q` literally anywhere. */
export const containsPattern = (q: string): string => `%${q.replace(/[\\%_]/g, '\\$&')}%`
