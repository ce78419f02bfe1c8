/**
 * Reads `?back=…`, the page to return to after signing in. Only paths of this service are allowed, which prevents open
 * redirects.
 */
export function readBack(search: Record<string, unknown>): { back?: string | undefined } {
  const { origin } = window.location
  const url = typeof search.back === 'string' && search.back.startsWith('/') ? URL.parse(search.back, origin) : null
  // Always set, because the router would otherwise keep the value from the address.
  const path = url?.origin === origin ? url.pathname + url.search : ''
  // A path that begins with two slashes leads to another host.
  return { back: /^\/(?!\/)/.test(path) ? path : undefined }
}
