import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { routePattern } from '../route.ts'
import { limitLines, type Omitted } from './line-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The reason of a refusal, for the log only. It is more precise than the answer, and never contains a secret. */
    refusal?: object
  }
}

/** Logs refused requests (401, 403) with their address and reason, at a limited rate. */
export function logRefusals(app: FastifyInstance, { log, clock }: { log: Log; clock: Clock }): void {
  const writeLimited = limitLines(clock)

  app.decorateRequest('refusal')
  app.addHook('onResponse', (request, { raw }, done) => {
    const { statusCode: status } = raw
    if (status === 401 || status === 403) writeLimited((fields) => write(request, { status, ...fields }))
    done()
  })

  function write(request: FastifyRequest, fields: { status: number } & Omitted): void {
    const { id: requestId, method, ip: address, routeOptions, refusal } = request
    const route = routeOptions.url === undefined ? null : routePattern(routeOptions.url)
    log.info({ requestId, address, method, route, ...fields, ...refusal }, 'request refused')
  }
}
