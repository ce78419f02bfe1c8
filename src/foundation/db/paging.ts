import type { Sql } from './connect.ts'

/** The part of a list that a page shows, in the form that SQL needs. */
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

/** The filters that the lists of payments, approvals, invoices and subscriptions have in common. */
export type ListConditions<Status> = {
  direction?: 'INCOMING' | 'OUTGOING' | undefined
  status?: Status | undefined
  /** Created at `from` or later, and before `until`. */
  from?: Date | null
  until?: Date | null
  q?: string | undefined
}

export type SortType = 'timestamptz' | 'text' | 'bigint' | 'uuid'

/** A sort key: an SQL expression and its type. The expression must come from the program, never from a request. */
export type SortKey = { expression: string; type: SortType }

/** Returns the sort value of a row as text. Its type and its value survive the conversion to text and back. */
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

/** Returns the sort key that a query names. */
export const sortKeyOf = <Field extends string>(
  { sort }: Paging,
  expressions: Record<Field, string>,
  types: Record<Field, SortType>,
): SortKey => ({ expression: expressions[sort.field as Field], type: types[sort.field as Field] })

/** Returns the condition `and …` for rows that were created in the range and contain `q` in one of the columns. */
export const createdAndContaining = (
  sql: Sql,
  { from, until, q }: Pick<ListConditions<unknown>, 'from' | 'until' | 'q'>,
  columns: readonly string[],
) => sql`
  ${from ? sql`and created_at >= ${from}` : sql``}
  ${until ? sql`and created_at < ${until}` : sql``}
  ${containing(sql, q, columns)}
`

/** Returns the condition `and …` for rows that contain `q` in one of the columns. */
export function containing(sql: Sql, q: string | undefined, columns: readonly string[]) {
  if (!q) return sql``
  const pattern = containsPattern(q)
  const matches = columns.map((column) => sql`${sql.unsafe(column)} ilike ${pattern}`)
  return sql`and (${matches.reduce((all, one) => sql`${all} or ${one}`)})`
}

/** Returns a pattern for `ilike` that matches `q` literally at any position. */
export const containsPattern = (q: string): string => `%${q.replace(/[\\%_]/g, '\\$&')}%`
