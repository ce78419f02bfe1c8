/** A row of a list that is sorted newest first. `sortValue` is a time, or the id. */
export type Placed = { id: string; sortValue: string }

/** Returns whether `a` comes before `b` in the list. */
export const isNewer = (a: Placed, b: Placed): boolean =>
  a.sortValue === b.sortValue ? a.id > b.id : a.sortValue > b.sortValue

/** The rows that were found in one table. `end` is the row where the search stopped, or null if it searched everything. */
export type SearchedRows<Row extends Placed, End extends Placed> = { rows: readonly Row[]; end: End | null }

/**
 * Merges the rows of several tables into a page. Rows after the `end` of another table are left for the next page, because that table can
 * have rows before them.
 *
 * @returns the page, the position `next` after which the next page begins, and `end` if the search stopped before the page was full
 */
export function mergeSides<Row extends Placed, End extends Placed>(
  sides: readonly SearchedRows<Row, End>[],
  limit: number,
): { page: Row[]; next: Placed | null; end: End | null } {
  const ends = sides.map(({ end }) => end).filter((end) => end !== null)
  const end = ends.reduce<End | null>((first, one) => (first && isNewer(first, one) ? first : one), null)
  const found = sides
    .flatMap(({ rows }) => rows)
    .filter((row) => end === null || !isNewer(end, row))
    .sort((a, b) => (isNewer(a, b) ? -1 : 1))
  const page = found.slice(0, limit)
  if (found.length > limit) return { page, next: page.at(-1) as Row, end: null }
  return { page, next: end, end }
}
