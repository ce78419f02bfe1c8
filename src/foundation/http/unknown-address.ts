import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import type { MissingPage } from './pages.ts'
import { addressPattern, requestPath } from './route.ts'

type Address = { method: string; url: string }

/**
 * Answers requests to unknown URLs: 405 with `Allow` if the URL exists for another method, otherwise 404 (specification.md 1.8). Browsers
 * get an HTML page, other clients JSON.
 */
export function answerUnknownAddresses(app: FastifyInstance, routes: Address[], missingPage: MissingPage | null): void {
  const addresses = routes.map(({ method, url }) => ({ method, pattern: addressPattern(url) }))
  // Runs before the body is read, and before Fastify checks requirements of methods such as QUERY.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const path = requestPath(request.url)
    const allowed = new Set(addresses.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    if (allowed.size === 0) {
      if (missingPage === null || !isPageRequest(request, path)) throw new ApiError('not_found')
      return reply.code(404).headers(missingPage.headers).type('text/html; charset=utf-8').send(missingPage.html)
    }
    reply.header('allow', [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', '))
    throw new ApiError('method_not_allowed')
  })
}

/** Paths that contain no pages. */
const NO_PAGES = /^\/(v3|web|oauth|assets|docs|\.well-known)(\/|$)/

/** Returns whether a browser opens a page. Browsers then accept HTML, and API clients do not. */
const isPageRequest = ({ method, headers }: FastifyRequest, path: string): boolean =>
  method === 'GET' && !NO_PAGES.test(path) && (headers.accept ?? '').includes('text/html')
