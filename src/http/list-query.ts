import type { FastifyRequest } from 'fastify'
import { type TProperties, type TSchema, Type } from 'typebox'
import type { Deps } from '../db/deps.ts'
import type { Paging, Position, SortKey } from '../db/paging.ts'
import { ApiError } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { isBadText } from './json-body.ts'
import { closed, oneOf, PER_PAGE, text } from './schema.ts'

/** The query of a list (api.md 0): pages by number or by cursor, a search text, a sort, and the list's own filters. */
export const listQuery = <Filters extends TProperties>(sortFields: readonly string[], filters: Filters) =>
  closed({
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    per_page: Type.Optional(oneOf(PER_PAGE)),
    q: Type.Optional(text(0, 180)),
    sort: Type.Optional(
      // A "+" in a query arrives as a space.
      oneOf(sortFields.flatMap((field) => [`+${field}`, `-${field}`, ` ${field}`])),
    ),
    cursor: Type.Optional(text(1, 2_000)),
    ...filters,
  })

type ListQuery = { page?: number; per_page?: string; sort?: string; cursor?: string }

/** @throws ApiError invalid_cursor */
export function pagingOf(query: ListQuery, defaultSort: string, sortKeys: Record<string, SortKey>): Paging {
  const sort = (query.sort ?? defaultSort).replace(' ', '+')
  const limit = Number(query.per_page ?? 50)
  const page = query.page ?? 1
  return {
    limit,
    sort: { field: sort.slice(1), direction: sort.startsWith('-') ? 'desc' : 'asc' },
    page,
    offset: query.cursor === undefined ? (page - 1) * limit : 0,
    after: query.cursor === undefined ? null : decodeCursor(query.cursor, sort, sortKeys[sort.slice(1)] as SortKey),
  }
}

const encodeCursor = (paging: Paging, position: Position): string =>
  Buffer.from(JSON.stringify([signedSort(paging), position.value, position.id])).toString('base64url')

const signedSort = ({ sort }: Paging) => `${sort.direction === 'desc' ? '-' : '+'}${sort.field}`

function decodeCursor(cursor: string, sort: string, key: SortKey): Position {
  try {
    const [cursorSort, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (cursorSort === sort && typeof value === 'string' && isValueOf[key.type](value) && isId(id)) return { value, id }
  } catch {
    // Not one of ours, like any other that does not fit.
  }
  throw new ApiError('invalid_cursor', { fields: { cursor: ['is not one of this list and this sort'] } })
}

/** A cursor can be made up: its value must be one that the database can read. */
const isValueOf: Record<SortKey['type'], (value: string) => boolean> = {
  text: (value) => !isBadText(value),
  bigint: (value) => /^\d{1,15}$/.test(value),
  timestamptz: (value) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && !Number.isNaN(Date.parse(value)),
}

/** The value of a `Link` header which names the page that follows (RFC 8288). */
export function nextPageLink(
  deps: Pick<Deps, 'settings'>,
  request: FastifyRequest,
  paging: Paging,
  last: Position,
): string {
  const [path, query] = request.url.split('?', 2) as [string, string | undefined]
  const parameters = new URLSearchParams(query)
  parameters.delete('page')
  parameters.set('cursor', encodeCursor(paging, last))
  const origin = deps.settings.baseUrl ?? `${request.protocol}://${request.host}`
  return `<${origin}${path}?${parameters}>; rel="next"`
}

/** The numbers of an answer by page; an answer by cursor has none, which keeps it fast (api.md 0). */
export const pageNumbers = (paging: Paging, total: number) => ({
  page: paging.page,
  pages: Math.ceil(total / paging.limit),
  total,
})

export const pageNumbersSchema: Record<'page' | 'pages' | 'total', TSchema> = {
  page: Type.Optional(Type.Integer()),
  pages: Type.Optional(Type.Integer()),
  total: Type.Optional(Type.Integer()),
}
