import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../core/errors.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Requires that a changing request comes from a page of this origin, because browsers attach cookies to requests from any site. The
 * headers that prove it cannot be set by a page.
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
 * Refuses requests that read data for another site. Browsers may omit the origin of such requests, and old ones also
 * omit `Sec-Fetch-Site`.
 *
 * @throws ApiError foreign_origin
 */
export function requireOwnPage({ headers, protocol, host }: FastifyRequest, baseUrl: string | null): void {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin') throw new ApiError('foreign_origin')
  if (origin !== undefined && origin !== (baseUrl ?? `${protocol}://${host}`)) throw new ApiError('foreign_origin')
}
