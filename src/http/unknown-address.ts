import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import type { MissingPage } from './pages.ts'
import { addressPattern } from './route.ts'

type Address = { method: string; url: string }

/**
 * 405 with `Allow` where the address exists for another method, else 404 (specification.md 1.8). A browser that opens a page gets the
 * page that says so, clients get JSON.
 */
export function answerUnknownAddresses(app: FastifyInstance, routes: Address[], missingPage: MissingPage | null): void {
  const addresses = routes.map(({ method, url }) => ({ method, pattern: addressPattern(url) }))
  // Before a body is read, and before Fastify asks more of a method like QUERY than this address knows.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const path = request.url.split('?', 1)[0] as string
    const allowed = new Set(addresses.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    if (allowed.size === 0) {
      if (missingPage === null || !isPageRequest(request, path)) throw new ApiError('not_found')
      return reply.code(404).headers(missingPage.headers).type('text/html; charset=utf-8').send(missingPage.html)
    }
    reply.header('allow', [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', '))
    throw new ApiError('method_not_allowed')
  })
}

/** Below these there are no pages. */
const NO_PAGES = /^\/(v3|web|oauth|assets|docs|\.well-known)(\/|$)/

/** Browsers name HTML when they open an address; clients of an API do not. */
const isPageRequest = ({ method, headers }: FastifyRequest, path: string): boolean =>
  method === 'GET' && !NO_PAGES.test(path) && (headers.accept ?? '').includes('text/html')
