/** Where an owner lands who came from nowhere else. */
export const HOME = '/settings/developer'

/**
 * Reads `?back=…`, the page to return to after signing in. Only a path of this service is taken, or a link could lead
 * from here to any site.
 */
export function readBack(search: Record<string, unknown>): { back?: string | undefined } {
  const { origin } = window.location
  const url = typeof search.back === 'string' && search.back.startsWith('/') ? URL.parse(search.back, origin) : null
  // Named even where there is none: the router would fill in what the address says.
  const path = url?.origin === origin ? url.pathname + url.search : ''
  // A path that begins with two slashes would name another host.
  return { back: /^\/(?!\/)/.test(path) ? path : undefined }
}
