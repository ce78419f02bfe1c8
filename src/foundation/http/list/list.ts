import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { Deps } from '../../db/deps.ts'
import type { IdRange, Paging, Position, SortType } from '../../db/paging.ts'
import type { Caller } from '../caller.ts'
import { get, type Route, type RouteGuard, type RouteSpec } from '../route.ts'
import { closed } from '../schema.ts'
import {
  type CreatedWithin,
  createdWithin,
  type dayFilters,
  historyPaging,
  historyQuery,
  idRange,
  linkNextPage,
  listQuery,
  pageNumbers,
  pageNumbersSchema,
  pagingOf,
} from './list-query.ts'

/** The description of a list route. `list` adds the schemas of its query and its answer. */
export type ListRouteSpec<Params extends TSchema> = RouteGuard &
  Omit<RouteSpec<TSchema, Params, TSchema>, 'access' | 'permission' | 'body' | 'query' | 'answer'>

/** The form of the rows in the answer. */
export type ListItems<Row> = {
  /** The name of the field that contains the rows, and the schema of one row. */
  items: Record<string, TSchema>
  /** The name of the answer in openapi.json, for a list that several routes return. */
  answerName?: string | undefined
  /** Returns a row as it appears in the answer. */
  show: (row: Row, context: { deps: Deps; caller: Caller }) => unknown
  /** If false, the answer contains no page numbers. */
  hasNumbers?: boolean
}

type ReadPage = { rows: readonly unknown[]; next: Position | null; total?: number | null }

type PagedList<Params extends TSchema, Filters extends TProperties, Range, Page extends ReadPage> = ListItems<
  Page['rows'][number]
> & {
  /** The query parameters of this list. `dayFilters` become a range of times in `filter`. */
  filters?: Filters
  read: (
    deps: Deps,
    input: { caller: Caller; params: Static<Params>; filter: ListFilter<Filters> & Range; paging: Paging },
  ) => Promise<Page>
  /** Additional fields of the answer. */
  more?: { fields: TProperties; show: (page: Page) => object }
}

/** The ids of the caller and the values of the query parameters, in the form that stores need. */
type ListFilter<Filters extends TProperties> = { platformId: string; userId: string; q: string | undefined } & {
  [Name in Exclude<keyof Filters, keyof typeof dayFilters>]: Static<Filters[Name]> | undefined
}

/**
 * Defines a `GET` route that returns one page of a list, by page number or by cursor, in the order of one of `sorts`. `defaultSort` is
 * `-DATE` if omitted. The answer has the total if `read` returns one.
 */
export const list = <P extends TSchema, F extends TProperties, Page extends ReadPage>(
  url: string,
  spec: ListRouteSpec<P>,
  {
    sorts,
    defaultSort = '-DATE',
    ...paged
  }: PagedList<P, F, CreatedWithin, Page> & { sorts: Record<string, SortType>; defaultSort?: string },
): Route =>
  pagedRoute(url, spec, {
    ...paged,
    query: listQuery(Object.keys(sorts), paged.filters ?? {}),
    pagingOf: (query) => pagingOf(query, defaultSort, sorts),
    rangeOf: createdWithin,
  })

/** Defines a `GET` route that returns one page of a long list, newest first, by cursor only. */
export const historyList = <P extends TSchema, F extends TProperties, Page extends ReadPage>(
  url: string,
  spec: ListRouteSpec<P>,
  paged: Omit<PagedList<P, F, IdRange, Page>, 'hasNumbers'>,
): Route =>
  pagedRoute(url, spec, {
    ...paged,
    hasNumbers: false,
    query: historyQuery(paged.filters ?? {}),
    pagingOf: historyPaging,
    rangeOf: idRange,
  })

type QueryReader<Range> = {
  query: TSchema
  pagingOf: (query: object) => Paging
  rangeOf: (query: object, settings: Deps['settings']) => Range
}

function pagedRoute<P extends TSchema, F extends TProperties, Range, Page extends ReadPage>(
  url: string,
  spec: ListRouteSpec<P>,
  {
    items,
    answerName,
    show,
    hasNumbers = true,
    filters,
    read,
    more,
    ...reader
  }: PagedList<P, F, Range, Page> & QueryReader<Range>,
): Route {
  const answer = answerOf({ items, answerName }, { ...more?.fields, ...(hasNumbers && pageNumbersSchema) })
  const [field] = Object.keys(items) as [string]
  const names = Object.keys(filters ?? {})
  return get(url, { ...spec, query: reader.query, answer }, async (deps, { caller, params, query, request, reply }) => {
    const given = query as Record<string, unknown>
    const paging = reader.pagingOf(given)
    const filter = {
      ...{ platformId: caller.platformId, userId: caller.userId, q: given.q },
      ...Object.fromEntries(names.map((name) => [name, given[name]])),
      ...reader.rangeOf(given, deps.settings),
    } as ListFilter<F> & Range
    const page = await read(deps, { caller, params, filter, paging })
    const { rows, next, total = null } = page
    linkNextPage(deps, { request, reply }, paging, next)
    return {
      [field]: rows.map((row) => show(row, { deps, caller })),
      ...more?.show(page),
      ...(hasNumbers && total !== null && pageNumbers(paging, total)),
    }
  })
}

export function answerOf({ items, answerName }: Pick<ListItems<never>, 'items' | 'answerName'>, besides: TProperties) {
  const arrays = Object.entries(items).map(([field, item]) => [field, Type.Array(item)] as const)
  return closed({ ...Object.fromEntries(arrays), ...besides }, answerName === undefined ? {} : { title: answerName })
}
