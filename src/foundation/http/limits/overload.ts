import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import type { Deps } from '../../db/deps.ts'
import { errorBody, JSON_TYPE, retryAfterOf } from '../error-handler.ts'
import type { Route } from '../route.ts'
import { safetyHeaders } from '../safety-headers.ts'
import type { SlowRequests } from './slow-requests.ts'

type OwnDeps = Pick<Deps, 'log' | 'meter'> & { settings: Pick<Deps['settings'], 'baseUrl'> }

type Options = { routes: readonly Route[]; newRequestId(): string; slowRequests: SlowRequests }

/** Answers a request with an error if its route is overloaded. Returns whether it did. */
export type RefuseOverload = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Refuses requests of overloaded routes before Fastify sees them. One thread reads all requests, so cheap refusals leave time for payments.
 * A hook of Fastify would take twice as long. The hook in `http/server.ts` handles the two kinds that are not refused here: requests with
 * unusual URLs, and requests during a close.
 */
export function refuseUnderOverload(app: FastifyInstance, deps: OwnDeps, options: Options): RefuseOverload {
  const { routes, newRequestId, slowRequests } = options
  const overloadOf = new Map(routes.map(({ method, url, spec }) => [`${method} ${url}`, spec.isOverloaded]))
  const headersOf = safetyHeaders(deps.settings)
  const refusal = new ApiError('overloaded')
  const body = errorBody(refusal)
  const ownHeaders = {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'retry-after': String(retryAfterOf(refusal)),
  }
  let isClosing = false
  // A closing server must announce the close in each answer. Only the hook of Fastify does that, so refusals here end.
  app.addHook('preClose', async () => {
    isClosing = true
  })
  return (request, response) => {
    const { method = '', url = '' } = request
    if (isClosing || !overloadOf.get(`${method} ${url}`)?.()) return false
    const requestId = newRequestId()
    response.writeHead(refusal.status, { 'x-request-id': requestId, ...headersOf(url), ...ownHeaders })
    response.end(body, () => {
      if (!request.complete) slowRequests.watch({ id: requestId, raw: request, answer: response })
    })
    deps.log.debug({ requestId, method, route: url, code: refusal.code }, 'request refused')
    deps.meter.answered({ method, route: url, status: refusal.status, seconds: 0 })
    return true
  }
}
