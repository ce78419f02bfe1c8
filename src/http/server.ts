import Fastify, { type FastifyInstance } from 'fastify'
import type { Deps } from '../db/deps.ts'
import { troubleOf } from '../db/trouble.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { type ApiReference, serveApiReference } from './api-reference.ts'
import type { Access, Authenticate } from './caller.ts'
import { answerClientError } from './client-error.ts'
import { endConnectionsWhenClosing } from './closing.ts'
import { createErrorHandler } from './error-handler.ts'
import type { OneAtATime } from './idempotency.ts'
import { readJsonBodies } from './json-body.ts'
import { mountRoute } from './mount-route.ts'
import { createRateLimit } from './rate-limit.ts'
import type { Route } from './route.ts'
import { answerUnknownAddresses } from './unknown-address.ts'
import { validatorCompiler } from './validation.ts'

const MIB = 1024 * 1024
const REQUEST_TIMEOUT_MS = 30_000
/** How often it is looked for requests that came too slowly. */
const TIMEOUT_CHECK_MS = 5_000

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
  const newRequestId = () => newId({ clock: deps.realClock, random: deps.random })
  const app = Fastify({
    bodyLimit: MIB,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: newRequestId,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 1_000 },
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      createErrorHandler(deps.log)(error, request as never, reply as never)
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, newRequestId()),
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(createErrorHandler(deps.log))
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
  })
  endConnectionsWhenClosing(app)
  readJsonBodies(app)
  authenticateRequests(app, deps, options.authenticate)
  logAnswers(app, deps)
  answerUnknownAddresses(app, [...options.routes, ...publicAddresses])
  await serveApiReference(app, options.apiReference)

  for (const route of options.routes) mountRoute(app, deps, route, options.oneAtATime)
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs/'))
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { schema: { hide: true } }, async () => {
    const isReady = await options.isReady().catch(() => false)
    if (!isReady) throw new ApiError('database_unavailable')
    return { status: 'ready' }
  })
  return app
}

/** What is served beside the routes of the API. */
const publicAddresses = ['/', '/healthz', '/readyz', '/openapi.json', '/docs/'].map((url) => ({ method: 'GET', url }))

function authenticateRequests(app: FastifyInstance, deps: Deps, authenticate: Authenticate): void {
  const { requestsPerSecond, requestBurst } = deps.settings
  const limitRate = createRateLimit({ perSecond: requestsPerSecond, burst: requestBurst, clock: deps.realClock })
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request, reply) => {
    const access: Access = request.routeOptions.config.access ?? 'anyone'
    if (access === 'anyone') return
    request.caller = await authenticate(request.headers.authorization).catch(nothingWasDone)
    limitRate(request.caller.apiKey, reply)
    if (access === 'owner' && !request.caller.isOwner) throw new ApiError('owner_only')
  })
}

/** A connection lost before the request was begun leaves nothing in doubt. */
function nothingWasDone(error: unknown): never {
  throw troubleOf(error) === 'connection_lost' ? new ApiError('database_unavailable') : error
}

function logAnswers(app: FastifyInstance, deps: Deps): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, id: requestId, routeOptions } = request
    const durationMs = Math.round(reply.elapsedTime)
    deps.log.debug({ requestId, method, route: routeOptions.url, status: reply.statusCode, durationMs }, 'answered')
  })
}
