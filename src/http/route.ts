import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from '../core/errors.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import type { Access, Caller } from './caller.ts'

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
  /** A POST that an Idempotency-Key does not change. */
  ignoresIdempotencyKey?: true
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
  handler:
    | { kind: 'reads'; run(deps: Deps, input: AnyInput): Promise<unknown> }
    | { kind: 'changes'; run(deps: TxDeps, input: AnyInput): Promise<unknown> }
    | { kind: 'answers'; run(deps: Deps, input: AnyInput): Promise<unknown> }
    | { kind: 'waits'; run(deps: Deps, input: AnyInput): Promise<unknown> }
}

export type AnyInput = Input<TSchema, TSchema, TSchema>

type Define<GivenDeps> = <B extends TSchema, P extends TSchema, Q extends TSchema>(
  url: string,
  spec: RouteSpec<B, P, Q>,
  run: (deps: GivenDeps, input: Input<B, P, Q>) => Promise<unknown>,
) => Route

const define =
  <GivenDeps>(method: Method, kind: Route['handler']['kind']): Define<GivenDeps> =>
  (url, spec, run) => ({ method, url, spec, handler: { kind, run: run as never } })

/** Reads and changes nothing. The handler returns the body of the answer. */
export const get = define<Deps>('GET', 'reads')

/** Runs in one transaction, in which the record of its Idempotency-Key commits too. */
export const post = define<TxDeps>('POST', 'changes')

/** Sees to its transaction and its Idempotency-Key itself, and sends its answer or returns it: the hot path. */
export const postByItself = define<Deps>('POST', 'answers')

/**
 * Waits for somebody, or takes many transactions: it runs in none. Its answer is kept for its Idempotency-Key when it is
 * there; in two processes at once it can run twice.
 */
export const postAndWait = define<Deps>('POST', 'waits')

export const putByItself = define<Deps>('PUT', 'answers')

/** Runs in one transaction. */
export const put = define<TxDeps>('PUT', 'changes')

/** Runs in one transaction. */
export const del = define<TxDeps>('DELETE', 'changes')

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

/** Whether its Idempotency-Key is looked at: a key belongs to its caller. */
export const isIdempotent = ({ method, spec }: Route): boolean =>
  method === 'POST' && spec.access !== 'anyone' && !spec.ignoresIdempotencyKey

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
