import { createServer as createHttpServer } from 'node:http'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import type { Deps } from '../db/deps.ts'
import { classifyDatabaseError } from '../db/trouble.ts'
import { newId } from '../lib/ids.ts'
import { networkOf } from '../lib/network.ts'
import { isTracing } from '../lib/trace/trace.ts'
import type { Access, AllowsScope, Authenticate, Caller, StoppedGuard } from './caller.ts'
import { answerClientError } from './client-error.ts'
import { endConnectionsWhenClosing } from './closing.ts'
import { createErrorHandler } from './error-handler.ts'
import type { OneAtATime } from './idempotency/idempotency.ts'
import { readJsonBodies } from './json-body.ts'
import { limitBadCredentials } from './limits/credential-limit.ts'
import { requireKnownHost } from './limits/host.ts'
import { refuseUnderOverload } from './limits/overload.ts'
import { createRateLimits } from './limits/rate-limit.ts'
import { logRefusals } from './limits/refusal-log.ts'
import { limitsOf } from './limits/request-limits.ts'
import { limitOfRoute } from './limits/route-limits.ts'
import { requireSameOrigin } from './limits/same-origin.ts'
import { endSlowRequests } from './limits/slow-requests.ts'
import { mountRoute } from './mount-route.ts'
import type { MissingPage } from './pages.ts'
import { requirePermission, requireShownPlatform } from './permission.ts'
import { requireRecentProof } from './recent-proof.ts'
import { type ApiReference, documentAddresses, serveApiReference } from './reference/api-reference.ts'
import { type Route, requestPath, routePattern } from './route.ts'
import { safetyHeaders } from './safety-headers.ts'
import { serializerCompiler } from './serialization.ts'
import type { ServerPart } from './server-part.ts'
import { traceRequests } from './trace-requests.ts'
import { answerUnknownAddresses } from './unknown-address.ts'
import { validatorCompiler } from './validation.ts'

const MIB = 1024 * 1024
/** Node's time limits. `endSlowRequests` ends requests with a late body earlier than Node would. */
const TIMEOUTS = {
  headersTimeout: 30_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 5_000,
}

/** Creates the HTTP server of one environment, with limits, authentication, routes and documents. It does not listen yet. */
export async function createServer(
  deps: Deps,
  options: {
    authenticate: Authenticate
    /** Whether the scope of an access token allows a route (specification.md 2.2). */
    allowsScope: AllowsScope
    stoppedGuard: StoppedGuard
    oneAtATime: OneAtATime
    routes: Route[]
    parts: ServerPart[]
    /** The page that browsers get for an unknown URL. If it is null, they get JSON. */
    missingPage: MissingPage | null
    apiReference: ApiReference
    isReady: () => Promise<boolean>
    /** Called after each answer. */
    noteAnswer?(request: FastifyRequest, reply: FastifyReply): void
  },
): Promise<FastifyInstance> {
  const newRequestId = () => newId({ clock: deps.realClock, random: deps.random })
  const handleError = createErrorHandler({ log: deps.log, clock: deps.realClock })
  const app = Fastify({
    bodyLimit: MIB,
    serverFactory: (handle) =>
      createHttpServer(TIMEOUTS, (request, response) => {
        if (!refusesOverload(request, response)) handle(request, response)
      }),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: newRequestId,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 1_000 },
    trustProxy: deps.settings.trustsProxy && isOurProxy,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      handleError(error, request as never, reply as never)
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, newRequestId()),
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  const headersOf = safetyHeaders(deps.settings)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.headers(headersOf(request.routeOptions.url ?? requestPath(request.url)))
    requireKnownHost(request, deps.settings)
  })
  const slowRequests = endSlowRequests(app, {
    refuse: (request, requestId) => answerClientError(LATE, request.socket, requestId),
  })
  const refusesOverload = refuseUnderOverload(app, deps, { routes: options.routes, newRequestId, slowRequests })
  if (isTracing()) traceRequests(app)
  readJsonBodies(app)
  endConnectionsWhenClosing(app) // must follow the body parsers, because it sets the final `connection` header
  await app.register(cookie)
  authenticateRequests(app, deps, options)
  observeAnswers(app, deps, options)
  logRefusals(app, { log: deps.log, clock: deps.realClock })
  const partAddresses = options.parts.flatMap(({ addresses }) => addresses)
  answerUnknownAddresses(app, [...options.routes, ...partAddresses, ...publicAddresses], options.missingPage)
  await serveApiReference(app, options.apiReference, options)

  for (const route of options.routes) mountRoute(app, deps, route, options)
  for (const { mount } of options.parts) await app.register(mount)
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))
  let wasReady = true // a change is logged once, not for every request
  app.get('/readyz', { schema: { hide: true } }, async () => {
    const isReady = await options.isReady().catch((error) => {
      if (wasReady) deps.log.warn({ err: error }, 'not ready')
      return false
    })
    wasReady = isReady
    if (!isReady) throw new ApiError('database_unavailable')
    return { status: 'ready' }
  })
  return app
}

const LATE = Object.assign(new Error('the body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** Decides whether to trust a hop in `X-Forwarded-For`. Our proxy appends the last address, and clients can forge all others. */
const isOurProxy = (_address: string, hop: number): boolean => hop === 0

/** URLs outside of the API's routes. */
const publicAddresses = ['/healthz', '/readyz', '/docs/', ...documentAddresses].map((url) => ({ method: 'GET', url }))

function authenticateRequests(
  app: FastifyInstance,
  deps: Deps,
  { authenticate, allowsScope }: { authenticate: Authenticate; allowsScope: AllowsScope },
): void {
  const limits = createRateLimits(deps.realClock)
  const { ofCaller, ofAddress } = limitsOf(deps.settings)
  const credentialLimit = limitBadCredentials(limits, ofAddress)
  app.decorateRequest('caller')
  app.decorateRequest('errorCode', null)
  app.decorateRequest('answerStart', null)
  app.addHook('onRequest', async (request, reply) => {
    const { url = '', config, method } = request.routeOptions
    const { access } = config
    if (config.isOverloaded?.()) throw new ApiError('overloaded')
    if (config.limitsAddress) limits.take([{ key: `address ${networkOf(request.ip)}`, limit: ofAddress }], reply)
    // Other sites must not sign a visitor in with someone else's credentials.
    if (access === 'anyone') requireSameOrigin(request, deps.settings.baseUrl)
    if (access === undefined && isCallOfProgram(request)) {
      await identify(request, reply).catch(ignoreRefusal)
      return
    }
    if (access === undefined || access === 'anyone') return
    await identify(request, reply)
    const { credential } = request.caller
    if (credential.kind === 'session') {
      requireSameOrigin(request, deps.settings.baseUrl)
      requireShownPlatform(request, request.caller)
    }
    if (credential.kind === 'token' && !allowsScope(credential.scope, { method: [method].flat().join(), url })) {
      throw new ApiError('insufficient_scope')
    }
    requireAccess(access, request.caller)
    if (config.permission) requirePermission(config.permission, request.caller)
    if (config.needsRecentProof) requireRecentProof(request.caller, deps.realClock.now())
  })
  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    credentialLimit.refuse(request, reply)
    request.caller = await authenticate(request).catch((error) => {
      if (error instanceof ApiError && error.status === 401) credentialLimit.failed(request)
      return reportLostConnection(error)
    })
    credentialLimit.worked(request)
    limits.take(ofCaller(request.caller), reply)
  }
  // Runs after the validation, because a malformed request does not reach the work that the limit protects.
  app.addHook('preHandler', async (request, reply) => {
    const { ownLimit } = request.routeOptions.config
    if (ownLimit) limits.take([limitOfRoute(ownLimit, request.caller)], reply)
  })
}

/**
 * Returns whether the request log keeps a request to an unknown URL. Such an entry belongs to the caller whose credentials the request has.
 */
const isCallOfProgram = ({ is404, url, headers }: FastifyRequest): boolean =>
  is404 && requestPath(url).startsWith('/v3/') && headers.authorization !== undefined

/** Ignores a refused credential, because all callers get the same answer for an unknown URL. Rate limits still apply. */
function ignoreRefusal(error: unknown): void {
  if (error instanceof ApiError && error.status !== 429) return
  throw error
}

function requireAccess(access: Access, { credential, isOwner }: Caller): void {
  if (access === 'owner' && !isOwner) throw new ApiError('owner_only')
  if (access === 'session' && credential.kind !== 'session') throw new ApiError('not_signed_in')
}

/** Rethrows an error. If the connection was lost before the request started its work, reports that nothing happened. */
function reportLostConnection(error: unknown): never {
  throw classifyDatabaseError(error) === 'connection_lost' ? new ApiError('database_unavailable') : error
}

function observeAnswers(
  app: FastifyInstance,
  deps: Deps,
  { noteAnswer }: { noteAnswer?(request: FastifyRequest, reply: FastifyReply): void },
): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, id: requestId, routeOptions } = request
    const { statusCode: status, elapsedTime } = reply
    const route = routeOptions.url === undefined ? null : routePattern(routeOptions.url)
    deps.log.debug({ requestId, method, route, status, durationMs: Math.round(elapsedTime) }, 'answered')
    deps.meter.answered({ method, route, status, seconds: elapsedTime / 1000 })
    noteAnswer?.(request, reply)
  })
}
