import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TProperties, type TSchema, Type } from 'typebox'
import { ApiError } from '../../core/errors.ts'
import type { Deps } from '../../db/deps.ts'
import type { IdRange, Paging, Position, SortType } from '../../db/paging.ts'
import { addDays, isCalendarDate, startOfDay } from '../../lib/clock.ts'
import { isId, lowestIdOf } from '../../lib/ids.ts'
import { isBadText } from '../json-body.ts'
import { calendarDate, closed, oneOf, PER_PAGE, text } from '../schema.ts'

/** The maximum length of a cursor. It contains the sort value, and a description of 1,024 characters in base64 must fit. */
const MAX_CURSOR_LENGTH = 9_000

const DEFAULT_PER_PAGE = 50

const pageFields = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  per_page: Type.Optional(Type.Unsafe<number>({ type: 'integer', enum: [...PER_PAGE] })),
}

/** Returns the query schema of a list (specification.md 1.5): paging by number or cursor, search, sort, and the list's own filters. */
export const listQuery = <Filters extends TProperties>(sortFields: readonly string[], filters: Filters) =>
  closed({
    ...pageFields,
    q: Type.Optional(text(0, 180)),
    sort: Type.Optional(oneOf(sortFields.flatMap((field) => [`+${field}`, `-${field}`]))),
    cursor: Type.Optional(text(1, MAX_CURSOR_LENGTH)),
    ...filters,
  })

/**
 * Returns the query schema of a long list, which is newest first and ordered by id. It has only cursors, because counting would take
 * longer than reading.
 */
export const historyQuery = <Filters extends TProperties>(filters: Filters) =>
  closed({
    per_page: pageFields.per_page,
    cursor: Type.Optional(text(1, MAX_CURSOR_LENGTH)),
    ...dayFilters,
    ...filters,
  })

export const historyPaging = (query: Pick<ListQuery, 'per_page' | 'cursor'>): Paging =>
  pagingOf(query, '-DATE', { DATE: 'uuid' })

/** The query parameters that select the rows of a list by their creation days. */
export const dayFilters = {
  start_date: Type.Optional(calendarDate),
  end_date: Type.Optional(calendarDate),
  time_zone: Type.Optional(
    oneOf(['UTC', 'PLATFORM'], {
      description: 'The time zone of `start_date` and `end_date`: UTC by default. PLATFORM is that of `/v3/stats`',
    }),
  ),
}

type Days = { start_date?: string; end_date?: string; time_zone?: string }

/** A range of creation times: at or after `from`, and before `until`. Null means no bound. */
export type CreatedWithin = { from: Date | null; until: Date | null }

/** Returns the time range from the start of `start_date` to the end of `end_date`, in the time zone of the query. */
export function createdWithin(query: Days, { timeZone }: { timeZone: string }): CreatedWithin {
  const zone = query.time_zone === 'PLATFORM' ? timeZone : 'UTC'
  return {
    from: query.start_date === undefined ? null : startOfDay(midnight(query.start_date), zone),
    until:
      query.end_date === undefined || query.end_date === LAST_DAY ? null : startOfDay(dayAfter(query.end_date), zone),
  }
}

/** The last day that can be written with ten characters. Its end needs no bound, because nothing is created that late. */
const LAST_DAY = '9999-12-31'

const dayAfter = (day: string): Date => addDays(midnight(day), 1)

/** Returns the range of the ids that were created within the days of the query. */
export function idRange(query: Days, settings: { timeZone: string }): IdRange {
  const { from, until } = createdWithin(query, settings)
  return { fromId: from && lowestIdOf(from), untilId: until && lowestIdOf(until) }
}

const midnight = (day: string) => new Date(`${day}T00:00:00Z`)

export type ListQuery = { page?: number; per_page?: number; sort?: string; cursor?: string }

/** Parses the paging of a query. @throws ApiError invalid_cursor */
export function pagingOf(query: ListQuery, defaultSort: string, sorts: Record<string, SortType>): Paging {
  const sort = query.sort ?? defaultSort
  const limit = query.per_page ?? DEFAULT_PER_PAGE
  const page = query.page ?? 1
  return {
    limit,
    sort: { field: sort.slice(1), direction: sort.startsWith('-') ? 'desc' : 'asc' },
    page,
    offset: query.cursor === undefined ? (page - 1) * limit : 0,
    after: query.cursor === undefined ? null : decodeCursor(query.cursor, sort, sorts[sort.slice(1)] as SortType),
  }
}

const encodeCursor = (paging: Paging, position: Position): string =>
  Buffer.from(JSON.stringify([signedSort(paging), position.value, position.id])).toString('base64url')

const signedSort = ({ sort }: Paging) => `${sort.direction === 'desc' ? '-' : '+'}${sort.field}`

function decodeCursor(cursor: string, sort: string, type: SortType): Position {
  try {
    const [cursorSort, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isPosition = typeof value === 'string' && isValueOf[type](value) && typeof id === 'string' && isId(id)
    if (cursorSort === sort && isPosition) return { value, id }
  } catch {
    // An invalid cursor is handled like a cursor of another list, below.
  }
  throw new ApiError('invalid_cursor', { fields: { cursor: ['is invalid for this list and sort order'] } })
}

/** Whether the database can parse the value of a cursor. A client can forge cursors. */
const isValueOf: Record<SortType, (value: string) => boolean> = {
  text: (value) => !isBadText(value),
  bigint: (value) => /^\d{1,15}$/.test(value),
  uuid: isId,
  timestamptz: (value) =>
    isCalendarDate(value.slice(0, 10)) && /^.{10} (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?\+00$/.test(value),
}

/** Adds a `Link` header for the next page (RFC 8288), if there is one. */
export function linkNextPage(
  deps: Pick<Deps, 'settings'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  paging: Paging,
  next: Position | null,
): void {
  if (!next) return
  const [path, ...query] = request.url.split('?')
  const parameters = new URLSearchParams(query.join('?'))
  parameters.delete('page')
  parameters.set('cursor', encodeCursor(paging, next))
  const origin = deps.settings.baseUrl ?? `${request.protocol}://${request.host}`
  reply.header('link', `<${origin}${path}?${parameters}>; rel="next"`)
}

/** Returns the page numbers of an answer. Paging by cursor has none, which keeps it fast (specification.md 1.5). */
export const pageNumbers = ({ page, limit }: Pick<Paging, 'page' | 'limit'>, total: number) => ({
  page,
  pages: Math.ceil(total / limit),
  total,
})

export const pageNumbersSchema: Record<'page' | 'pages' | 'total', TSchema> = {
  page: Type.Optional(Type.Integer()),
  pages: Type.Optional(Type.Integer()),
  total: Type.Optional(Type.Integer()),
}

/** Returns the query schema of a list that is always short. Clients send `q` and `sort` to every list, but most short lists ignore them. */
export const shortListQuery = <Filters extends TProperties>(filters: Filters) =>
  closed({
    ...pageFields,
    q: Type.Optional(text(0, 180)),
    sort: Type.Optional(text(0, 180, { pattern: '^[+-][A-Z_]+$', description: 'a field with + or - before it' })),
    cursor: Type.Optional(text(1, MAX_CURSOR_LENGTH)),
    ...filters,
  })
