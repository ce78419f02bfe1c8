import { STATUS_CODES } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Deps, TxDeps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { type ApiReference, serveApiReference } from './api-reference.ts'
import type { Access, Authenticate } from './caller.ts'
import { createErrorHandler, errorBody } from './error-handler.ts'
import { answerOnce, idempotencyClaim, type OneAtATime } from './idempotency.ts'
import { readJsonBodies } from './json-body.ts'
import { createRateLimit } from './rate-limit.ts'
import type { AnyInput, Route } from './route.ts'
import { errorAnswer } from './schema.ts'
import { sendJson } from './send-json.ts'
import { validatorCompiler } from './validation.ts'

const MIB = 1024 * 1024
/** What stands for `:id`: so that the id of a bank is not mistaken for /v3/bank/release, nor the other way round. */
const ID_PATTERN = '[0-9a-f]{32}'
const REQUEST_TIMEOUT_MS = 30_000

/** The HTTP side of one environment: limits, authentication, routes, documents. Not listening yet. */
export async function createServer(
  deps: Deps,
  options: {
    authenticate: Authenticate
    oneAtATime: OneAtATime
    routes: Route[]
    apiReference: ApiReference
    isReady: () => Promise<boolean>
  },
): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: MIB,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: () => newId({ clock: deps.realClock, random: deps.random }),
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 1_000 },
    frameworkErrors: (error, request, reply) => createErrorHandler(deps.log)(error, request as never, reply as never),
    clientErrorHandler: answerClientError,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(createErrorHandler(deps.log))
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  readJsonBodies(app)
  authenticateRequests(app, deps, options.authenticate)
  logAnswers(app, deps)
  answerUnknownAddresses(app, options.routes)
  await serveApiReference(app, options.apiReference)

  for (const route of options.routes) mount(app, deps, route, options.oneAtATime)
  app.get('/healthz', { schema: { hide: true }, config: { access: 'anyone' } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { schema: { hide: true }, config: { access: 'anyone' } }, async (_request, reply) => {
    const isReady = await options.isReady().catch(() => false)
    if (!isReady) throw new ApiError('database_unavailable')
    return reply.send({ status: 'ready' })
  })
  return app
}

function authenticateRequests(app: FastifyInstance, deps: Deps, authenticate: Authenticate): void {
  const { requestsPerSecond, requestBurst } = deps.settings
  const limitRate = createRateLimit({ perSecond: requestsPerSecond, burst: requestBurst, clock: deps.realClock })
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request, reply) => {
    const access: Access = request.routeOptions.config.access ?? 'anyone'
    if (access === 'anyone') return
    request.caller = await authenticate(request.headers.authorization)
    limitRate(request.caller.apiKey, reply)
    if (access === 'owner' && !request.caller.isOwner) throw new ApiError('owner_only')
  })
}

function logAnswers(app: FastifyInstance, deps: Deps): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, id: requestId, routeOptions } = request
    const durationMs = Math.round(reply.elapsedTime)
    deps.log.debug({ requestId, method, route: routeOptions.url, status: reply.statusCode, durationMs }, 'answered')
  })
}

function mount(app: FastifyInstance, deps: Deps, route: Route, oneAtATime: OneAtATime): void {
  const { spec, method, url, handler } = route
  const status = spec.status ?? 200
  app.route({
    method,
    url: url.replace(':id', `:id(^${ID_PATTERN}$)`),
    config: { access: spec.access },
    bodyLimit: spec.bodyLimitBytes ?? MIB,
    schema: {
      tags: [spec.tag],
      summary: spec.summary,
      ...(spec.body && { body: spec.body }),
      ...(spec.params && { params: spec.params }),
      ...(spec.query && { querystring: spec.query }),
      response: { [status]: spec.answer ?? { type: 'null' }, default: errorAnswer },
    },
    handler: async (request, reply) => {
      const input = inputOf(request, reply)
      if (handler.kind === 'answers') return handler.run(deps, input)
      if (handler.kind === 'reads') return reply.code(status).send(await handler.run(deps, input))
      if (method === 'POST') return answerPost(deps, { route, input, status, oneAtATime })
      const body = await inTransaction(deps, (tx) => handler.run(tx, input))
      return reply.code(status).send(status === 204 ? undefined : (body ?? {}))
    },
  })
}

async function answerPost(
  deps: Deps,
  { route, input, status, oneAtATime }: { route: Route; input: AnyInput; status: number; oneAtATime: OneAtATime },
): Promise<FastifyReply> {
  const { request, reply, caller } = input
  const claim = idempotencyClaim(deps, request, caller)
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

/** 405 with `Allow` where the address exists for another method, else 404 (api.md 0). */
function answerUnknownAddresses(app: FastifyInstance, routes: Route[]): void {
  const addresses = routes.map(({ method, url }) => ({
    method,
    pattern: new RegExp(`^${url.replace(':id', ID_PATTERN)}$`),
  }))
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] as string
    const allowed = new Set(addresses.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    if (allowed.size === 0) throw new ApiError('not_found')
    reply.header('allow', [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', '))
    throw new ApiError('method_not_allowed')
  })
}

/** What is not HTTP, or comes too slowly, never reaches a route. */
function answerClientError(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const code =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'request_timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? 'headers_too_large'
        : 'malformed_json'
  const apiError =
    code === 'malformed_json'
      ? new ApiError('invalid_request', { message: 'This is not valid HTTP.' })
      : new ApiError(code)
  const body = errorBody(apiError)
  socket.end(
    `HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
