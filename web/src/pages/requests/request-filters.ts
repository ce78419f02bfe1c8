import type { RequestFilters } from '../../api.ts'

/** The filters of the page. `find` is the text of the search: a request id or a part of a path. */
export type PageFilters = { find?: string | undefined; status?: string | undefined; key?: string | undefined }

/** Reads the filters of the list from its address and drops invalid ones. */
export function readRequestFilters(search: Record<string, unknown>): PageFilters {
  const text = (name: keyof PageFilters, isValid: (value: string) => boolean) => {
    const value = typeof search[name] === 'number' ? String(search[name]) : search[name] // the router reads digits
    return typeof value === 'string' && isValid(value) ? value : undefined
  }
  // Every filter is set, because the router would otherwise keep the values from the address.
  return {
    find: text('find', (value) => value !== '' && value.length <= 180),
    status: text('status', (value) => /^[2345](xx|\d\d)$/.test(value)),
    key: text('key', isId),
  }
}

export const noFilters: PageFilters = { find: undefined, status: undefined, key: undefined }

export const isId = (value: string): boolean => /^[0-9a-f]{32}$/.test(value)

/** Returns the query for the service. A complete request id is looked up, and any other text is a part of the path. */
export function toServiceFilters({ find, status, key }: PageFilters): RequestFilters {
  const text = find?.trim().toLowerCase()
  if (text !== undefined && isId(text)) return { id: text, status, key }
  return { path: text || undefined, status, key }
}
