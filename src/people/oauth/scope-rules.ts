import type { Scope } from '../../foundation/core/scope.ts'

const BOTH = ['check', 'single-use'] as const

/** The routes that an access token may call, and the scopes that allow each (specification.md 2.2). All other routes are refused. */
export const scopedRoutes: readonly [method: 'GET' | 'POST', url: string, scopes: readonly Scope[]][] = [
  ['POST', '/v3/check/digital', BOTH],
  ['POST', '/v3/check/physical', BOTH],
  ['POST', '/v3/check/multi', BOTH],
  ['POST', '/v3/check/direct', BOTH],
  ['POST', '/v3/check/preview', BOTH],
  ['POST', '/v3/check/csv', ['check']],
  // limited to payments that the grant created
  ['GET', '/v3/check', BOTH],
  ['GET', '/v3/check/:id', BOTH],
  ['GET', '/v3/check/:id/deposit', BOTH],
  ['GET', '/v3/check/:id/fail', BOTH],
  ['GET', '/v3/check/:id/tracking', BOTH],
  ['GET', '/v3/check/:id/attachment', BOTH],
  ['GET', '/v3/user', BOTH],
  ['GET', '/v3/bank', BOTH],
  ['GET', '/v3/account/bank', BOTH],
]

const allowed = new Set(
  scopedRoutes.flatMap(([method, url, scopes]) => scopes.map((scope) => `${scope} ${method} ${url}`)),
)

/** Returns whether a scope allows a route, given with its declared URL. */
export const allowsScope = (scope: Scope, { method, url }: { method: string; url: string }): boolean =>
  allowed.has(`${scope} ${method === 'HEAD' ? 'GET' : method} ${declaredUrl(url)}`)

/** Returns a router URL without its patterns, such as the one in `/v3/check/:id(^[0-9a-f]{32}$)`. */
const declaredUrl = (url: string) => url.replace(/\(.*?\$\)/, '')
