import type { Static, TProperties, TSchema } from 'typebox'
import type { Deps } from '../../db/deps.ts'
import type { Paging, Position } from '../../db/paging.ts'
import type { Caller } from '../caller.ts'
import { get, type Route } from '../route.ts'
import { answerOf, type ListItems, type ListRouteSpec } from './list.ts'
import { type ListQuery, linkNextPage, pageNumbers, pageNumbersSchema, pagingOf, shortListQuery } from './list-query.ts'

type ShortList<Filters extends TProperties, Row> = ListItems<Row> & {
  /** The query parameters of this list. */
  filters?: Filters
  /** Reads all rows. */
  read: (deps: Deps, input: { caller: Caller; query: Query<Filters> }) => Promise<readonly Row[]>
}

type Query<Filters extends TProperties> = { [Name in keyof Filters]?: Static<Filters[Name]> }

type ShortQuery = ListQuery & { q?: string }

/** The order of a short list. Rows with the same sort value are ordered by id. */
type Order<Row> = { sort: string; sortValueOf: (row: Row) => string }

type SortedRow = { DATE: { createdAt: Date }; NAME: { name: string } }

const orders: { [By in keyof SortedRow]: Order<SortedRow[By]> } = {
  DATE: { sort: '+DATE', sortValueOf: ({ createdAt }) => createdAt.toISOString() },
  NAME: { sort: '+NAME', sortValueOf: ({ name }) => name },
}

/**
 * Defines a `GET` route for a list that is always short, so all its rows are read at once. The answer is the whole list, or one numbered
 * page if the query asks for a page.
 */
export const shortList = <
  By extends keyof SortedRow,
  Row extends { id: string } & SortedRow[By],
  F extends TProperties,
>(
  url: string,
  spec: ListRouteSpec<TSchema>,
  { sort, ...short }: ShortList<F, Row> & { sort: By },
): Route =>
  inMemoryRoute(url, spec, short, (rows, { page, per_page, cursor }) =>
    page === undefined && per_page === undefined && cursor === undefined ? null : { rows, order: orders[sort] },
  )

/**
 * Defines a `GET` route for a user's accounts. A user has few of them. The answer always has page numbers (specification.md 6). `q`
 * searches the names. The sort can be NAME or DATE, and other values are ignored.
 */
export const accountList = <Row extends { id: string; createdAt: Date }>(
  url: string,
  spec: ListRouteSpec<TSchema>,
  { nameOf, ...short }: ShortList<TProperties, Row> & { nameOf: (row: Row) => string | null },
): Route =>
  inMemoryRoute(url, spec, short, (rows, { q = '', sort }) => ({
    rows: rows.filter((row) => q === '' || nameOf(row)?.toLowerCase().includes(q.toLowerCase())),
    order: accountOrder(sort, nameOf),
  }))

function accountOrder<Row extends { createdAt: Date }>(
  sort: string | undefined,
  nameOf: (row: Row) => string | null,
): Order<Row> {
  if (sort === '+NAME' || sort === '-NAME') return { sort, sortValueOf: (row) => nameOf(row) ?? '' }
  return sort === '-DATE' ? { ...orders.DATE, sort } : orders.DATE
}

type Arranged<Row> = { rows: readonly Row[]; order: Order<Row> }

/**
 * Defines a route that reads all rows and selects a page in memory. `arrange` returns the matching rows and their order. If it returns
 * null, the answer contains all rows in the order in which they were read.
 */
function inMemoryRoute<Row extends { id: string }, F extends TProperties>(
  url: string,
  spec: ListRouteSpec<TSchema>,
  { items, answerName, show, hasNumbers = true, filters, read }: ShortList<F, Row>,
  arrange: (rows: readonly Row[], query: ShortQuery) => Arranged<Row> | null,
): Route {
  const answer = answerOf({ items, answerName }, hasNumbers ? pageNumbersSchema : {})
  const query = shortListQuery(filters ?? {})
  const [field] = Object.keys(items) as [string]
  return get(url, { ...spec, query, answer }, async (deps, { caller, query, request, reply }) => {
    const rows = await read(deps, { caller, query: query as Query<F> })
    const arranged = arrange(rows, query as ShortQuery)
    const page = arranged && pageOfRows(query as ShortQuery, arranged)
    if (page) linkNextPage(deps, { request, reply }, page.paging, page.next)
    return {
      [field]: (page?.rows ?? rows).map((row) => show(row, { deps, caller })),
      ...(hasNumbers && page?.numbers),
    }
  })
}

function pageOfRows<Row extends { id: string }>(
  query: ShortQuery,
  { rows, order: { sort, sortValueOf } }: Arranged<Row>,
) {
  const paging = pagingOf({ ...query, sort }, sort, { NAME: 'text', DATE: 'text' })
  const positionOf = (row: Row): Position => ({ value: sortValueOf(row), id: row.id })
  const comparePositions = positionComparer(paging)
  const sorted = rows.toSorted((one, other) => comparePositions(positionOf(one), positionOf(other)))
  // The row that the cursor names may have been deleted, so its position is found by comparison.
  const { after, offset, limit } = paging
  const rest = after ? sorted.filter((row) => comparePositions(positionOf(row), after) > 0) : sorted.slice(offset)
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  const next = last && rest.length > limit ? positionOf(last) : null
  return { rows: shown, paging, next, numbers: after ? {} : pageNumbers(paging, rows.length) }
}

const positionComparer =
  ({ sort }: Paging) =>
  (one: Position, other: Position): number =>
    (sort.direction === 'desc' ? -1 : 1) * compare(one.value, other.value) || compare(one.id, other.id)

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
