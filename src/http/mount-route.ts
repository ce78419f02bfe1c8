import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { ApiError } from '../core/errors.ts'
import { SCOPES } from '../core/scope.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import type { AllowsScope, StoppedGuard } from './caller.ts'
import { answerOnce, idempotencyClaim, keptAnswer, type OneAtATime } from './idempotency/idempotency.ts'
import { type AnyInput, isIdempotent, isPublic, operationId, type Route, routerUrl } from './route.ts'
import { closed } from './schema.ts'
import { sendJson } from './send-json.ts'

/** Gives a route to Fastify: its schema validates, serialises and documents; changes run in one transaction. */
export function mountRoute(
  app: FastifyInstance,
  deps: Deps,
  route: Route,
  { oneAtATime, allowsScope, stoppedGuard }: MountOptions,
): void {
  const { spec, method, url } = route
  const isGuarded = stoppedGuard.refuses({ method, url, access: spec.access })
  const handler = isGuarded ? onlyWhenActive(route, stoppedGuard) : route.handler
  const guarded = { ...route, handler }
  const status = spec.status ?? 200
  app.route({
    method,
    url: routerUrl(url),
    config: {
      access: spec.access,
      isOverloaded: spec.isOverloaded,
      limitsAddress: spec.access === 'anyone',
      needsRecentProof: spec.answersSecret === true,
    },
    ...(spec.bodyLimitBytes && { bodyLimit: spec.bodyLimitBytes }),
    schema: {
      hide: !isPublic(route),
      operationId: operationId(route),
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
    ...(method === 'POST' && spec.body && isAllOptional(spec.body) && { preValidation: takeNoBodyAsEmpty }),
    handler: async (request, reply) => {
      const input = inputOf(request, reply)
      const own = await onClockOf(deps, input)
      if (handler.kind === 'answers') {
        reply.code(status)
        return handler.run(own, input)
      }
      if (handler.kind === 'reads') return reply.code(status).send(await handler.run(own, input))
      if (handler.kind === 'waits') return answerWaiting(own, { route: guarded, input, status, oneAtATime })
      if (method === 'POST') return answerPost(own, { route: guarded, input, status, oneAtATime })
      const body = await inTransaction(own, (tx) => handler.run(tx, input))
      return reply.code(status).send(status === 204 ? undefined : (body ?? {}))
    },
  })
}

type MountOptions = { oneAtATime: OneAtATime; allowsScope: AllowsScope; stoppedGuard: StoppedGuard }

/** Asked where the work begins: the stored answer of an Idempotency-Key stays what it was. */
function onlyWhenActive({ handler }: Route, { requireActive }: StoppedGuard): Route['handler'] {
  const run = async (deps: never, input: AnyInput): Promise<unknown> => {
    await requireActive(deps, input.caller)
    return handler.run(deps, input)
  }
  return { ...handler, run }
}

/** The same with the time of the caller's platform. */
const onClockOf = async (deps: Deps, { caller }: AnyInput): Promise<Deps> =>
  caller ? { ...deps, clock: await deps.clocks.of(caller.platformId) } : deps

/** An API key, or a token of one of the scopes that allow it. */
const securityOf = (route: Route, allowsScope: AllowsScope) => [
  { apiKey: [] },
  ...SCOPES.filter((scope) => allowsScope(scope, route)).map((scope) => ({ oauth: [scope] })),
]

/** Requests are closed: a query where none is read is a mistake. */
const noQuery = closed({})

const isAllOptional = (schema: { required?: string[] }) => (schema.required ?? []).length === 0

/** A POST whose fields are all optional can go without a body; a PUT that changes nothing is a mistake. */
async function takeNoBodyAsEmpty(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {}
}

const idempotencyHeaders = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      description: 'Repeating a request with its key gives the same answer for 24 hours, and does nothing again.',
    },
  },
}

function answerSchema({ answer, answerType }: Route['spec']): object {
  if (answerType) return { content: { [answerType]: { schema: { type: 'string', format: 'binary' } } } }
  return answer ? { description: 'Done', ...answer } : { type: 'null', description: 'Done' }
}

async function answerPost(
  deps: Deps,
  { route, input, status, oneAtATime }: { route: Route; input: AnyInput; status: number; oneAtATime: OneAtATime },
): Promise<FastifyReply> {
  const { request, reply, caller } = input
  // A key belongs to its caller: where anyone may call, it is not looked at.
  const claim = route.spec.access === 'anyone' ? null : idempotencyClaim(deps, request, caller)
  reply.code(status)
  const answer = await oneAtATime(claim, () =>
    inTransaction(deps, async (tx) => {
      const work = () => serializedAnswer(tx, route, input)
      if (claim) return answerOnce(tx, claim, { status, isSecret: route.spec.answersSecret === true }, work)
      const text = await work()
      return text instanceof ApiError ? text : { status, text, isReplayed: false }
    }),
  )
  if (answer instanceof ApiError) throw answer
  if (answer.isReplayed) reply.header('idempotent-replayed', 'true')
  return sendJson(reply, answer)
}

/** The answer is asked for, and kept, in transactions of their own: the work between them is in none. */
async function answerWaiting(
  deps: Deps,
  { route, input, status, oneAtATime }: { route: Route; input: AnyInput; status: number; oneAtATime: OneAtATime },
): Promise<FastifyReply> {
  const { request, reply, caller } = input
  const claim = idempotencyClaim(deps, request, caller)
  reply.code(status)
  const answer = await oneAtATime(claim, async () => {
    const known = claim && (await inTransaction(deps, (tx) => keptAnswer(tx, claim)))
    if (known) return known
    const body = await (route.handler.run as WaitingHandler)(deps, input)
    const text = reply.serialize(body ?? {}) as string
    if (!claim) return { status, text, isReplayed: false }
    const options = { status, isSecret: route.spec.answersSecret === true }
    return inTransaction(deps, (tx) => answerOnce(tx, claim, options, async () => text))
  })
  if (answer instanceof ApiError) throw answer
  if (answer.isReplayed) reply.header('idempotent-replayed', 'true')
  return sendJson(reply, answer)
}

type WaitingHandler = (deps: Deps, input: AnyInput) => Promise<unknown>

/** A refusal that the handler returns instead of throwing it commits what was done: a wrong try counts. */
async function serializedAnswer(tx: TxDeps, { handler }: Route, input: AnyInput): Promise<string | ApiError> {
  const body = await (handler.run as PostHandler)(tx, input)
  return body instanceof ApiError ? body : (input.reply.serialize(body ?? {}) as string)
}

type PostHandler = (deps: TxDeps, input: AnyInput) => Promise<unknown>

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
