import type { FastifyRequest } from 'fastify'
import type { EnvironmentSettings } from '../../core/environment.ts'
import { ApiError } from '../../core/errors.ts'
import { isLocalHost } from '../../lib/local-host.ts'

type HostSettings = Pick<EnvironmentSettings, 'baseUrl' | 'answersAnyHost'>

/** Paths that load balancers request by IP address. */
const FOR_ANY_HOST = ['/healthz', '/readyz']

/** Paths that show all mail, including codes. A foreign host name that resolves to this machine (DNS rebinding) must not read them. */
const FOR_OWN_HOSTS = ['/mail', '/web/v1/mail']

/** Refuses requests with an unknown host. @throws ApiError invalid_request, misdirected_request */
export function requireKnownHost(request: FastifyRequest, settings: HostSettings): void {
  if (countHostHeaders(request.raw.rawHeaders) > 1) {
    throw new ApiError('invalid_request', { message: 'The request needs exactly one Host header.' })
  }
  // Uses the URL of the route, because `/mai%6c` and `/mail` are the same path.
  const { url = '' } = request.routeOptions
  if (FOR_ANY_HOST.includes(url)) return
  if (settings.answersAnyHost && !FOR_OWN_HOSTS.includes(url)) return
  if (!isOwnHost(request.host, settings)) throw new ApiError('misdirected_request')
}

/** Returns whether a host matches the base URL. Where any host is allowed, whether it is a local name. */
export function isOwnHost(host: string | undefined, { baseUrl, answersAnyHost }: HostSettings): boolean {
  // Most requests match here. Parsing the host would take longer than all other checks before the body.
  if (baseUrl !== null && (baseUrl === `https://${host}` || baseUrl === `http://${host}`)) return true
  const base = new URL(baseUrl ?? 'http://localhost')
  const asked = /^[\w.:[\]-]+$/.test(host ?? '') ? URL.parse(`${base.protocol}//${host}`) : null
  if (!asked) return false
  if (baseUrl !== null && asked.host === base.host) return true
  return (answersAnyHost || baseUrl === null) && isLocalHost(asked)
}

function countHostHeaders(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1
  }
  return count
}
