import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../core/errors.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * A browser sends its cookies with whatever leads here: what changes something must come from a page of this very
 * origin. Browsers say so in one of these headers, which no page can forge.
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
