import type { ErrorCode } from '../../core/errors.ts'
import { SCOPES } from '../../core/scope.ts'
import type { AllowsScope, StoppedGuard } from '../caller.ts'
import { isIdempotent, type Route, takesKey } from '../route.ts'

/** The rules that decide who may call a route. */
export type Permissions = { allowsScope: AllowsScope; stoppedGuard: StoppedGuard }

/** Returns the errors that a route has because of its method, its access and its parameters. */
export const generalErrors = (route: Route, { allowsScope, stoppedGuard }: Permissions): ErrorCode[] => [
  'invalid_request',
  ...only(hasCursor(route), 'invalid_cursor'),
  ...only(readsBody(route), 'malformed_json', 'invalid_text'),
  ...only(takesKey(route), 'invalid_idempotency_key'),
  'unauthorized',
  'invalid_token',
  ...only(!SCOPES.every((scope) => allowsScope(scope, route)), 'insufficient_scope'),
  ...only(route.spec.permission !== 'self', 'permission_denied'),
  ...only(route.spec.access === 'owner', 'owner_only'),
  ...only(stoppedGuard.refuses({ ...route, access: route.spec.access }), 'user_not_active'),
  ...only(route.spec.params !== undefined, 'not_found'),
  'request_timeout',
  ...only(readsBody(route), 'body_too_large', 'unsupported_media_type'),
  ...only(isIdempotent(route), 'idempotency_key_in_use', 'idempotency_key_reused'),
  'misdirected_request',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'database_unavailable',
  ...only(route.method !== 'GET', 'outcome_unknown'),
]

const only = (isSo: boolean, ...codes: ErrorCode[]): ErrorCode[] => (isSo ? codes : [])

/** Returns whether a route parses a body. A DELETE needs none, but if one is sent, it is parsed. */
const readsBody = ({ method }: Route): boolean => method !== 'GET'

const hasCursor = ({ spec }: Route): boolean =>
  Object.hasOwn((spec.query as { properties?: object } | undefined)?.properties ?? {}, 'cursor')
