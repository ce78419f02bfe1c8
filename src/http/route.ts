import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from '../core/errors.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import type { Access, Caller } from './caller.ts'

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

/** What a route says of itself: the source of validation, types, serialisation and `openapi.json`. */
export type RouteSpec<Body extends TSchema, Params extends TSchema, Query extends TSchema> = {
  access: Access
  tag: string
  summary: string
  /** What the API reference says: markdown. Needed below /v3. */
  description?: string
  /** What this route can refuse beside what every route can (`http/reference/documented-errors.ts`). */
  errors?: readonly ErrorCode[]
  body?: Body
  params?: Params
  query?: Query
  /** Schema of the body of the answer; none for 204. */
  answer?: TSchema
  /** Media type of an answer that is not JSON. */
  answerType?: 'application/pdf'
  /** Status of the answer: 200 unless it says otherwise. */
  status?: 200 | 201 | 204
  bodyLimitBytes?: number
  /** Whether requests are refused before anything is done for them: there is more to do than can be done. */
  isOverloaded?: () => boolean
  /** The answer holds a secret: a stored answer is sealed, and a signed-in owner must have confirmed lately (`requireRecentProof`). */
  answersSecret?: true
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

/** What stands for a parameter: so that the id of a bank is not mistaken for /v3/bank/release, nor the other way round. */
const PARAMETERS: Record<string, string> = {
  ':id': '[0-9a-f]{32}',
  ':event': '[0-9a-f]{32}',
  ':endpoint': '[0-9a-f]{32}',
  ':code': '\\w{1,64}', // of a return
  ':uid': '[\\w-]{10,64}', // of an authorization request, made by oidc-provider
  ':mail': '[\\w-]{1,700}', // a sealed email address
  ':token': '\\w{1,64}', // of a link to a payment: one that was cut off still leads to the page, which says so
}

/** The URL of a route as the router takes it. */
export const routerUrl = (url: string): string => url.replace(/:\w+/g, (name) => `${name}(^${PARAMETERS[name]}$)`)

/** What the pages of this service ask for is not part of the contract: `openapi.json` does not name it. */
export const isPublic = ({ url }: Route): boolean => url.startsWith('/v3/')

/** Whether an Idempotency-Key makes a difference. */
export const isIdempotent = ({ method, spec, transaction }: Route): boolean =>
  method === 'POST' && spec.access !== 'anyone' && transactionPolicies[transaction].key !== 'ignored'

/** `POST /v3/check/deposit/:id` → `postCheckDepositById`: what generated clients call it. */
export function operationId({ method, url }: Route): string {
  const words = url
    .split('/')
    .slice(2)
    .flatMap((part) => (part.startsWith(':') ? ['by', part.slice(1)] : part.split('_')))
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** A URL of the router as people write it: `/v3/check/:id`. */
export const routePattern = (routerUrl: string): string => routerUrl.replace(/\(\^.*?\$\)/g, '')

/** Matches the addresses that a route answers to. */
export const addressPattern = (url: string): RegExp =>
  new RegExp(`^${url.replace(/:\w+/g, (name) => PARAMETERS[name] as string)}$`)
