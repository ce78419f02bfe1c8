import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { ApiError } from '../core/errors.ts'
import { SCOPES } from '../core/scope.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { type AllowsScope, actorOf, type StoppedGuard } from './caller.ts'
import { answerOnce, idempotencyClaim, idempotencyKeyOf, type OneAtATime } from './idempotency/idempotency.ts'
import {
  type AnyInput,
  isIdempotent,
  isPublic,
  mayOmitBody,
  type Route,
  routerUrl,
  takesKey,
  transactionPolicies,
} from './route.ts'
import { closed, nothing } from './schema.ts'
import { sendJson } from './send-json.ts'

/** Adds a route to Fastify. The route's schema validates requests, serializes answers and documents both. */
export function mountRoute(
  app: FastifyInstance,
  deps: Deps,
  route: Route,
  { oneAtATime, allowsScope, stoppedGuard }: MountOptions,
): void {
  const { spec, method, url } = route
  const isGuarded = stoppedGuard.refuses({ method, url, access: spec.access })
  const guarded = isGuarded ? onlyWhenActive(route, stoppedGuard) : route
  const status = spec.status ?? 200
  app.route({
    method,
    url: routerUrl(url),
    config: {
      access: spec.access,
      isOverloaded: spec.isOverloaded,
      limitsAddress: spec.access === 'anyone',
      permission: spec.permission,
      ownLimit: spec.ownLimit,
      needsRecentProof: spec.answersSecret === true || spec.needsStepUp === true,
      isUnattended: spec.isUnattended === true,
    },
    ...(spec.bodyLimitBytes && { bodyLimit: spec.bodyLimitBytes }),
    schema: {
      hide: !isPublic(route),
      ...(spec.operationId && { operationId: spec.operationId }),
      tags: [spec.tag],
      security: securityOf(route, allowsScope),
      summary: spec.summary,
      ...(spec.description && { description: spec.description }),
      ...(spec.body && { body: spec.body }),
      ...(spec.params && { params: spec.params }),
      querystring: spec.query ?? noQuery,
      ...(isIdempotent(route) && { headers: idempotencyHeaders }),
      response: { [status]: answerSchema(spec) }, // http/reference/api-document.ts adds the errors
    },
    ...(mayOmitBody(route) && { preValidation: defaultMissingBody }),
    handler: async (request, reply) => {
      const input = inputOf(request, reply)
      return answer(await ofCaller(deps, input), { route: guarded, input, oneAtATime })
    },
  })
}

type MountOptions = { oneAtATime: OneAtATime; allowsScope: AllowsScope; stoppedGuard: StoppedGuard }

/**
 * Adds the check for stopped users to a route. The check runs together with the work and not before it, so that a repeated request still
 * gets the recorded answer of its Idempotency-Key.
 */
const onlyWhenActive = (route: Route, { requireActive }: StoppedGuard): Route => ({
  ...route,
  before: async (deps, input) => {
    const prepare = (await route.before?.(deps, input)) ?? null
    if (!prepare) return null
    return async (key) => {
      await requireActive(deps, input.caller)
      return prepare(key)
    }
  },
  run: async (deps, input, prepared) => {
    if (!prepared) await requireActive(deps, input.caller)
    return route.run(deps, input, prepared)
  },
})

/** Returns dependencies with the clock of the caller's platform and with the caller. */
const ofCaller = async (deps: Deps, { caller }: AnyInput): Promise<Deps> =>
  caller ? { ...deps, clock: await deps.clocks.of(caller.platformId), actor: actorOf(caller) } : deps

/** Returns the credentials that a route accepts: an API key, or a token with a scope that allows the route. */
const securityOf = (route: Route, allowsScope: AllowsScope) => [
  { apiKey: [] },
  ...SCOPES.filter((scope) => allowsScope(scope, route)).map((scope) => ({ oauth: [scope] })),
]

/** The query schema of routes without query parameters: any parameter is an error. */
const noQuery = closed({})

async function defaultMissingBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}

const idempotencyHeaders = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      description:
        'A repeated request with the same key returns the same answer for 24 hours and has no further effect.',
    },
  },
}

function answerSchema({ answer, answerType }: Route['spec']): object {
  if (answerType) return { description: 'The file', content: { [answerType]: { schema: fileSchema(answerType) } } }
  return answer ? { description: 'Success', ...answer } : { type: 'null', description: 'Success' }
}

/** Returns the schema of a file. Generated clients read `binary` as bytes, so text files such as CSV do not have it. */
const fileSchema = (type: string) => ({ type: 'string', ...(!type.startsWith('text/') && { format: 'binary' }) })

/** Runs a route and records its answer. @returns the body that Fastify sends, or undefined if it was already sent */
async function answer(
  deps: Deps,
  { route, input, oneAtATime }: { route: Route; input: AnyInput; oneAtATime: OneAtATime },
): Promise<unknown> {
  const { spec, before, run } = route
  const { request, reply, caller } = input
  const policy = transactionPolicies[route.transaction]
  const status = spec.status ?? 200
  reply.code(status)
  if (takesKey(route)) idempotencyKeyOf(request)
  if (policy.key !== 'recorded') {
    const body = await run(deps, input, null)
    return reply.sent ? undefined : (body ?? (spec.answer === nothing ? {} : undefined))
  }
  const claim = isIdempotent(route) ? idempotencyClaim(deps, request, caller) : null
  const isSecret = spec.answersSecret === true || spec.answersAccountNumber === true
  const options = { status, isSecret, isInTransaction: policy.isInTransaction }
  const work = async (given: Deps | TxDeps, prepared: object | null): Promise<string | ApiError> => {
    const body = await run(given, input, prepared)
    return body instanceof ApiError ? body : (reply.serialize(body ?? {}) as string)
  }
  const made = await oneAtATime(claim, async () => {
    const prepare = before && (await before(deps, input))
    return answerOnce(deps, claim, options, { prepare, work })
  })
  if (made instanceof ApiError) throw made
  if (made.isReplayed) reply.header('idempotent-replayed', 'true')
  sendJson(reply, made)
}

function inputOf(request: FastifyRequest, reply: FastifyReply): AnyInput {
  return {
    caller: request.caller,
    body: request.body as TSchema,
    params: request.params as TSchema,
    query: request.query as TSchema,
    request,
    reply,
  }
}
