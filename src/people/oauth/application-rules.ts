import { fieldError } from '../../foundation/core/errors.ts'
import { isLocalHost } from '../../foundation/lib/local-host.ts'

/** The milliseconds for which the previous secret keeps working after a rotation. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000

/**
 * Checks the redirect URIs of an application. Each must be HTTPS, or a program on the owner's own machine (RFC 8252, 7.3). They are stored
 * unchanged, because `isRedirectUriOf` compares their bytes.
 *
 * @throws ApiError invalid_request
 */
export function requireRedirectUris(uris: readonly string[]): string[] {
  for (const [index, uri] of uris.entries()) {
    const problem = redirectUriProblem(uri)
    if (problem !== null) throw fieldError('invalid_request', `redirect_uris.${index}`, problem)
  }
  return [...uris]
}

/**
 * Matches redirect URIs of programs on the owner's machine, which listen on a port that the system assigns. `localhost` is not matched,
 * because it may be the name of another machine.
 */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?([/?].*)?$/s

/**
 * Returns whether a redirect URI is registered. Compares byte for byte (RFC 9700, 2.1), except that a URI at 127.0.0.1 or [::1] may have
 * any port (RFC 8252, 7.3).
 */
export function isRedirectUriOf(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true
  const withoutPort = (text: string) => LOOPBACK.exec(text)?.slice(1).join('')
  const given = withoutPort(uri)
  return given !== undefined && URL.canParse(uri) && registered.some((one) => withoutPort(one) === given)
}

function redirectUriProblem(text: string): string | null {
  const url = URL.parse(text)
  if (!url || !/^[\x21-\x7e]+$/.test(text)) return 'must be an absolute URL'
  if (text.includes('#')) return 'must not have a fragment (RFC 6749, 3.1.2)'
  if (url.username !== '' || url.password !== '') return 'must not contain a username or password'
  if (text.includes('*')) return 'must not contain a wildcard because URIs are compared exactly'
  return isOverHttps(url) ? null : HTTPS_ONLY
}

/** Checks the application's website, which the consent page links to. @throws ApiError invalid_request */
export function requireSite(text: string): string {
  const url = URL.parse(text)
  if (!url || !isOverHttps(url) || url.username !== '' || url.password !== '') {
    throw fieldError('invalid_request', 'site', HTTPS_ONLY)
  }
  return url.href
}

const HTTPS_ONLY = 'must be an https URL (http is allowed for localhost)'

/** Returns whether a URL uses HTTPS or belongs to a program on the owner's own machine. */
const isOverHttps = (url: URL): boolean => url.protocol === 'https:' || (url.protocol === 'http:' && isLocalHost(url))
