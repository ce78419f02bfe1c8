import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../core/errors.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Browsers attach cookies to requests from any site, so a changing request must come from a page of this origin. Browsers say so
 * in headers that a page cannot forge.
 *
 * @throws ApiError foreign_origin
 */
export function requireSameOrigin(request: FastifyRequest, baseUrl: string | null): void {
  if (SAFE_METHODS.includes(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new ApiError('foreign_origin')
  const { origin } = request.headers
  if (origin === undefined && site === 'same-origin') return
  const own = baseUrl ?? `${request.protocol}://${request.host}`
  if (origin !== own) throw new ApiError('foreign_origin')
}
