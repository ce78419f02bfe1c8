import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { routePattern } from '../route.ts'
import { createRateLimits } from './rate-limit.ts'

/** Limits log lines, so that a flood of refused requests does not flood the log. */
const LINES = { key: 'lines', limit: { burst: 50, perSecond: 5 } }

declare module 'fastify' {
  interface FastifyRequest {
    /** The reason of a refusal for the log: more precise than the answer, and never a secret. */
    refusal?: object
  }
}

/** Logs refused requests (401, 403) with their address and reason. A line says how many before it were omitted. */
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
