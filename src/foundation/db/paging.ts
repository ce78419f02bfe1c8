import type { Sql } from './connect.ts'

/** The part of a page request that SQL needs. */
export type Paging = {
  limit: number
  sort: { field: string; direction: 'asc' | 'desc' }
  page: number
  /** Rows to skip, for numbered pages. */
  offset: number
  /** The last row of the previous page, for cursors. */
  after: Position | null
}

/** The position of a row in a sorted list: its sort value as text, and its id. */
export type Position = { value: string; id: string }

/** The range of ids of a time span: from the lower bound, up to but without the upper one. Null: no bound. */
export type IdRange = { fromId: string | null; untilId: string | null }

export type SortType = 'timestamptz' | 'text' | 'bigint' | 'uuid'

/** A sort key: an SQL expression from the program, never from a request, and its type. */
export type SortKey = { expression: string; type: SortType }

/** The sort value of a row. PostgreSQL itself converts it to text and back. */
export const sortValue = (sql: Sql, key: SortKey) => sql.unsafe(`(${key.expression})::text`)

/** `and …`: only rows after the position. Equal values are sorted by id, so no row appears twice. */
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

/** Cuts the extra row, which shows that another page follows. */
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
