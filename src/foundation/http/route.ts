import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from '../core/errors.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import type { Access, Caller, RoutePermission } from './caller.ts'
import type { KeyElsewhere } from './idempotency/idempotency.ts'
import type { RouteLimit } from './limits/route-limits.ts'

/**
 * The way in which a route commits its work and the record of its Idempotency-Key. Keys belong to callers, so routes that anyone may call
 * ignore them.
 */
export const transactionPolicies = {
  /**
   * One transaction contains the work and the record. If the handler returns a refusal instead of throwing it, that transaction commits as
   * well.
   */
  withAnswer: { isInTransaction: true, key: 'recorded' },
  /**
   * For handlers that wait for another server or need many transactions. The answer is recorded after the work, so two processes that get
   * the same key at the same time may both do the work.
   */
  beforeAnswer: { isInTransaction: false, key: 'recorded' },
  /** The handler itself commits its work together with the record. The routes that accept payments use this. */
  byHandler: { isInTransaction: false, key: 'handled' },
  /** The handler opens its own transactions, and ignores keys. */
  none: { isInTransaction: false, key: 'ignored' },
} as const satisfies Record<string, { isInTransaction: boolean; key: 'recorded' | 'handled' | 'ignored' }>

export type TransactionPolicy = keyof typeof transactionPolicies

/**
 * The callers that a route allows. A route with a caller names the permission that the member's role or the API key must have. `self`: the
 * route concerns only the person's own login.
 */
export type RouteGuard =
  | { access: 'anyone'; permission?: never }
  | { access: Exclude<Access, 'anyone'>; permission: RoutePermission }

/** The description of a route, from which validation, types, serialization and `openapi.json` are made. */
export type RouteSpec<Body extends TSchema, Params extends TSchema, Query extends TSchema> = RouteGuard & {
  tag: string
  /** The name of the operation in the API reference and in generated clients: a verb and a noun. Required below /v3. */
  operationId?: string
  summary: string
  /** The description for the API reference, in Markdown. Required below /v3. */
  description?: string
  /** The errors of this route, in addition to those of all routes (`http/reference/documented-errors.ts`). */
  errors?: readonly ErrorCode[]
  body?: Body
  params?: Params
  query?: Query
  /** The schema of the answer's body. A 204 has none. */
  answer?: TSchema
  /** The media type of an answer that is not JSON. */
  answerType?: 'application/pdf' | 'image/png' | 'text/csv' | 'text/event-stream'
  /** The status of the answer. Default: 200. */
  status?: 200 | 201 | 204
  bodyLimitBytes?: number
  /** Returns whether the service is so overloaded that a request is refused before any work. */
  isOverloaded?: () => boolean
  /** A rate limit of this route, in addition to those of all requests. */
  ownLimit?: RouteLimit
  /** Whether the answer contains a secret. If so, the recorded answer is sealed, and `needsStepUp` applies. */
  answersSecret?: true
  /** Whether the answer contains a complete account number. If so, the recorded answer is sealed. */
  answersAccountNumber?: true
  /** Whether a session needs a recent confirmation (`requireRecentProof`). */
  needsStepUp?: true
  /** Whether a repeated request changes nothing more and gets the same answer, without an Idempotency-Key. */
  isRepeatable?: true
  /** Whether pages call the route without an action of the person. Such calls do not extend the session. */
  isUnattended?: true
}

/** A validated request. */
export type Input<Body extends TSchema, Params extends TSchema, Query extends TSchema> = {
  caller: Caller
  body: Static<Body>
  params: Static<Params>
  query: Static<Query>
  request: FastifyRequest
  reply: FastifyReply
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A route with its handler. `http/server.ts` mounts it. */
export type Route = {
  method: Method
  url: string
  spec: RouteSpec<TSchema, TSchema, TSchema>
  transaction: TransactionPolicy
  before: Before<AnyInput, object> | null
  run(deps: Deps | TxDeps, input: AnyInput, prepared: object | null): Promise<unknown>
}

export type AnyInput = Input<TSchema, TSchema, TSchema>

/**
 * Work of some requests that cannot be part of their transaction, such as decoding an image or changing another platform. The function is
 * called before the transaction and only reads. It returns the work, or null for most requests. The work runs unless the Idempotency-Key
 * was used before. Its result is passed to the handler, whose transaction records the answer. Work on another platform records the key there.
 */
type Before<Input, Prepared> = (deps: Deps, input: Input) => Promise<((key: KeyElsewhere) => Promise<Prepared>) | null>

type DepsOf<Policy extends TransactionPolicy> = Policy extends 'withAnswer' ? TxDeps : Deps

/** Defines a route. The handler returns the body of the answer, or the reply if it has already sent one. */
type Define<Default extends TransactionPolicy> = <
  B extends TSchema,
  P extends TSchema,
  Q extends TSchema,
  Policy extends TransactionPolicy = Default,
  Prepared extends object = never,
>(
  url: string,
  spec: RouteSpec<B, P, Q> & { transaction?: Policy; before?: Before<Input<B, P, Q>, Prepared> },
  run: (deps: DepsOf<Policy>, input: Input<B, P, Q>, prepared: Prepared | null) => Promise<unknown>,
) => Route

const define =
  <Default extends TransactionPolicy>(method: Method, byDefault: Default): Define<Default> =>
  (url, { transaction = byDefault, before, ...spec }, run) => ({
    method,
    url,
    spec,
    transaction,
    before: (before as Route['before']) ?? null,
    run: run as never,
  })

export const get = define('GET', 'none')
export const post = define('POST', 'withAnswer')
export const put = define('PUT', 'withAnswer')
export const del = define('DELETE', 'withAnswer')

/** The patterns of URL parameters. They keep the router from reading `/v3/bank/release` as the id of a bank. */
const PARAMETERS: Record<string, string> = {
  ':id': '[0-9a-f]{32}',
  ':account': '[0-9a-f]{32}',
  ':key': '[0-9a-f]{32}',
  ':transaction': '[0-9a-f]{32}',
  ':item': '[0-9a-f]{32}',
  ':event': '[0-9a-f]{32}',
  ':endpoint': '[0-9a-f]{32}',
  ':connection': '[a-z][a-z0-9-]{0,29}',
  ':code': '\\w{1,64}', // a return code
  ':uid': '[\\w-]{10,64}', // an authorization request of oidc-provider
  ':mail': '[\\w-]{1,700}', // a sealed email address
  ':token': '\\w{1,64}', // the token of a payment link; a truncated token still opens the page, which explains the problem
}

/** Converts the URL of a route to the router's syntax. */
export const routerUrl = (url: string): string => url.replace(/:\w+/g, (name) => `${name}(^${PARAMETERS[name]}$)`)

/**
 * Returns whether a request may omit its body. A POST with only optional fields may. A PUT without fields would change nothing, so it is an
 * error.
 */
export const mayOmitBody = ({ method, spec }: Route): boolean =>
  method === 'POST' && spec.body !== undefined && ((spec.body as { required?: string[] }).required ?? []).length === 0

/** Returns whether a route is part of the public API. The calls of our own pages are not part of `openapi.json`. */
export const isPublic = ({ url }: Route): boolean => url.startsWith('/v3/')

/** Returns whether a route checks the format of an Idempotency-Key. */
export const takesKey = ({ method, spec }: Route): boolean => method === 'POST' && spec.access !== 'anyone'

/** Returns whether a route uses the Idempotency-Key. */
export const isIdempotent = (route: Route): boolean =>
  takesKey(route) && transactionPolicies[route.transaction].key !== 'ignored'

/** The reason that lets a client send a request again after its outcome was lost. `none`: the client must not send it again. */
export type Repetition = 'read' | 'repeatable' | 'key' | 'none'

/** Returns whether a repeated request is safe. `key`: the record of its Idempotency-Key commits with its effect. */
export function repetitionOf(route: Route): Repetition {
  if (route.method === 'GET') return 'read'
  if (route.spec.isRepeatable) return 'repeatable'
  return isIdempotent(route) && route.transaction !== 'beforeAnswer' ? 'key' : 'none'
}

/** Converts a router URL to its readable form: `/v3/check/:id`. */
export const routePattern = (routerUrl: string): string => routerUrl.replace(/\(\^.*?\$\)/g, '')

/** Returns a pattern that matches the URLs of a route. */
export const addressPattern = (url: string): RegExp =>
  new RegExp(`^${url.replace(/:\w+/g, (name) => PARAMETERS[name] as string)}$`)

/** Returns the path of a URL as the router reads it: decoded, without host and query. `%2F` is not a slash. */
export function requestPath(url: string): string {
  const path = writtenPath(url)
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Returns the path of a URL as the client wrote it, without decoding. */
export const writtenPath = (url: string): string => url.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] as string
