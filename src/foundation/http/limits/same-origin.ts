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
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin === undefined && site !== 'same-origin') throw new ApiError('foreign_origin')
  requireOwnPage(request, baseUrl)
}

/**
 * The same for a request that only reads. Browsers leave the origin out there, and old ones also `Sec-Fetch-Site`.
 *
 * @throws ApiError foreign_origin
 */
export function requireOwnPage({ headers, protocol, host }: FastifyRequest, baseUrl: string | null): void {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') throw new ApiError('foreign_origin')
  if (origin !== undefined && origin !== (baseUrl ?? `${protocol}://${host}`)) throw new ApiError('foreign_origin')
}
