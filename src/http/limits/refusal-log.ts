import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { routePattern } from '../route.ts'
import { createRateLimits } from './rate-limit.ts'

/** Lines at once, and then in a second: a flood of refused requests must not become a flood of lines. */
const LINES = { key: 'lines', limit: { burst: 50, perSecond: 5 } }

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it was refused, for the log: more than the caller is told, and never a secret. */
    refusal?: object
  }
}

/** Writes down who was refused (401, 403), from where, and why. A line tells how many before it were left out. */
export function logRefusals(app: FastifyInstance, { log, clock }: { log: Log; clock: Clock }): void {
  const limits = createRateLimits(clock)
  let omitted = 0

  app.decorateRequest('refusal')
  app.addHook('onResponse', (request, { raw }, done) => {
    if (raw.statusCode === 401 || raw.statusCode === 403) note(request, raw.statusCode)
    done()
  })

  function note(request: FastifyRequest, status: number): void {
    if (!limits.hasLeft(LINES)) {
      omitted += 1
      return
    }
    limits.charge(LINES)
    const { id: requestId, method, ip: address, routeOptions, refusal } = request
    const route = routeOptions.url === undefined ? null : routePattern(routeOptions.url)
    log.info(
      { requestId, address, method, route, status, ...refusal, ...(omitted > 0 && { omitted }) },
      'request refused',
    )
    omitted = 0
  }
}
