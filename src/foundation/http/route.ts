import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from '../core/errors.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import type { Access, Caller, RoutePermission } from './caller.ts'
import type { RouteLimit } from './limits/route-limits.ts'

/**
 * How the work of a route and the record of its Idempotency-Key are committed. A key belongs to its caller, so routes that
 * anyone may call ignore it under every policy.
 */
export const transactionPolicies = {
  /** One transaction for the work and the record. A refusal that the handler returns, instead of throwing it, is committed too. */
  withAnswer: { isInTransaction: true, key: 'recorded' },
  /**
   * For handlers that wait for another server or need many transactions. The answer is recorded after the work, so two processes
   * that get the same key at the same time can both do the work.
   */
  beforeAnswer: { isInTransaction: false, key: 'recorded' },
  /** The handler commits its work together with the record of its key: accepting payments. */
  byHandler: { isInTransaction: false, key: 'handled' },
  /** The handler opens the transactions that it needs, and a key changes nothing. */
  none: { isInTransaction: false, key: 'ignored' },
} as const satisfies Record<string, { isInTransaction: boolean; key: 'recorded' | 'handled' | 'ignored' }>

export type TransactionPolicy = keyof typeof transactionPolicies

/**
 * Who may call a route. A route with a caller names one permission, which a member's role or an API key must have. `self`: what
 * concerns only the person's own login.
 */
export type RouteGuard =
  | { access: 'anyone'; permission?: never }
  | { access: Exclude<Access, 'anyone'>; permission: RoutePermission }

/** What a route says of itself: the source of validation, types, serialisation and `openapi.json`. */
export type RouteSpec<Body extends TSchema, Params extends TSchema, Query extends TSchema> = RouteGuard & {
  tag: string
  /** The name of the operation in the API reference and in generated clients: a verb and a noun. Required below /v3. */
  operationId?: string
  summary: string
  /** Markdown for the API reference. Required below /v3. */
  description?: string
  /** Errors of this route in addition to those of all routes (`http/reference/documented-errors.ts`). */
  errors?: readonly ErrorCode[]
  body?: Body
  params?: Params
  query?: Query
  /** The schema of the answer's body; none for 204. */
  answer?: TSchema
  /** The media type of an answer that is not JSON. */
  answerType?: 'application/pdf' | 'image/png' | 'text/csv' | 'text/event-stream'
  /** The status of the answer. The default is 200. */
  status?: 200 | 201 | 204
  bodyLimitBytes?: number
  /** Whether to refuse requests before any work, because the queue is full. */
  isOverloaded?: () => boolean
  /** A limit of its own, besides those of all requests. */
  ownLimit?: RouteLimit
  /** The answer contains a secret: a stored answer is sealed, and `needsStepUp` applies. */
  answersSecret?: true
  /** A session must have a recent confirmation (`requireRecentProof`). */
  needsStepUp?: true
  /** Open without anybody doing something, so it keeps no session alive. */
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

/** A route with its handler; `http/server.ts` mounts it. */
export type Route = {
  method: Method
  url: string
  spec: RouteSpec<TSchema, TSchema, TSchema>
  transaction: TransactionPolicy
  run(deps: Deps | TxDeps, input: AnyInput): Promise<unknown>
}

export type AnyInput = Input<TSchema, TSchema, TSchema>

type DepsOf<Policy extends TransactionPolicy> = Policy extends 'withAnswer' ? TxDeps : Deps

/** The handler returns the body of the answer, or the reply if it has sent one. */
type Define<Default extends TransactionPolicy> = <
  B extends TSchema,
  P extends TSchema,
  Q extends TSchema,
  Policy extends TransactionPolicy = Default,
>(
  url: string,
  spec: RouteSpec<B, P, Q> & { transaction?: Policy },
  run: (deps: DepsOf<Policy>, input: Input<B, P, Q>) => Promise<unknown>,
) => Route

const define =
  <Default extends TransactionPolicy>(method: Method, byDefault: Default): Define<Default> =>
  (url, { transaction = byDefault, ...spec }, run) => ({ method, url, spec, transaction, run: run as never })

export const get = define('GET', 'none')
export const post = define('POST', 'withAnswer')
export const put = define('PUT', 'withAnswer')
export const del = define('DELETE', 'withAnswer')

/** Patterns of parameters, so that `/v3/bank/release` is never taken for the id of a bank. */
const PARAMETERS: Record<string, string> = {
  ':id': '[0-9a-f]{32}',
  ':account': '[0-9a-f]{32}',
  ':key': '[0-9a-f]{32}',
  ':transaction': '[0-9a-f]{32}',
  ':item': '[0-9a-f]{32}',
  ':event': '[0-9a-f]{32}',
  ':endpoint': '[0-9a-f]{32}',
  ':code': '\\w{1,64}', // a return code
  ':uid': '[\\w-]{10,64}', // an authorization request of oidc-provider
  ':mail': '[\\w-]{1,700}', // a sealed email address
  ':token': '\\w{1,64}', // the token of a payment link; a truncated one still opens the page, which reports the problem
}

/** The URL of a route in the router's syntax. */
export const routerUrl = (url: string): string => url.replace(/:\w+/g, (name) => `${name}(^${PARAMETERS[name]}$)`)

/** A POST with only optional fields may omit the body. A PUT that changes nothing is an error. */
export const mayOmitBody = ({ method, spec }: Route): boolean =>
  method === 'POST' && spec.body !== undefined && ((spec.body as { required?: string[] }).required ?? []).length === 0

/** Calls of our own pages are not part of the contract, and `openapi.json` does not contain them. */
export const isPublic = ({ url }: Route): boolean => url.startsWith('/v3/')

/** Whether the form of an Idempotency-Key is checked. */
export const takesKey = ({ method, spec }: Route): boolean => method === 'POST' && spec.access !== 'anyone'

/** Whether an Idempotency-Key makes a difference. */
export const isIdempotent = (route: Route): boolean =>
  takesKey(route) && transactionPolicies[route.transaction].key !== 'ignored'

/** Converts a router URL to its readable form: `/v3/check/:id`. */
export const routePattern = (routerUrl: string): string => routerUrl.replace(/\(\^.*?\$\)/g, '')

/** Matches the URLs of a route. */
export const addressPattern = (url: string): RegExp =>
  new RegExp(`^${url.replace(/:\w+/g, (name) => PARAMETERS[name] as string)}$`)

/** The path of a URL as the router reads it: decoded, without host and query. `%2F` is no slash. */
export function requestPath(url: string): string {
  const path = writtenPath(url)
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** The path of a URL as the client wrote it, not decoded. */
export const writtenPath = (url: string): string => url.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] as string
