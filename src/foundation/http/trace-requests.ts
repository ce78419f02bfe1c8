import type { Span } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { startRequestSpan } from '../lib/trace/trace.ts'
import { routePattern } from './route.ts'

/** Creates a span for each request, from its first hook to the end of its answer. */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, id } = request
    const attributes = { 'http.request.method': method, 'remit.request.id': id }
    request.span = startRequestSpan(request.headers, attributes, done)
  })
  app.addHook('onResponse', async (request, { statusCode }) => endSpan(request, statusCode))
  app.addHook('onRequestAbort', async (request) => endSpan(request, null))
}

function endSpan({ span, method, routeOptions, errorCode }: FastifyRequest, status: number | null): void {
  const route = routeOptions.url === undefined ? null : routePattern(routeOptions.url)
  span?.updateName(route === null ? method : `${method} ${route}`)
  span?.setAttributes({
    ...(route !== null && { 'http.route': route }),
    ...(status !== null && { 'http.response.status_code': status }),
    ...(errorCode && { 'error.type': errorCode }),
  })
  span?.end()
}

declare module 'fastify' {
  interface FastifyRequest {
    span?: Span | null
  }
}
