import type { FastifyInstance } from 'fastify'
import { ApiError } from '../lib/errors.ts'
import { addressPattern } from './route.ts'

type Address = { method: string; url: string }

/** 405 with `Allow` where the address exists for another method, else 404 (api.md 0). */
export function answerUnknownAddresses(app: FastifyInstance, routes: Address[]): void {
  const addresses = routes.map(({ method, url }) => ({ method, pattern: addressPattern(url) }))
  // Before a body is read, and before Fastify asks more of a method like QUERY than this address knows.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const path = request.url.split('?', 1)[0] as string
    const allowed = new Set(addresses.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    if (allowed.size === 0) throw new ApiError('not_found')
    reply.header('allow', [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', '))
    throw new ApiError('method_not_allowed')
  })
}
