import type { EnvironmentSettings } from '../../../foundation/core/environment.ts'

/** The hours without use after which a session ends. In any case, it ends after `SESSION_DAYS`. */
export const SESSION_IDLE_HOURS = 24
export const SESSION_DAYS = 14

/** Pages send this header with automatic requests. Such requests do not extend the session. */
export const UNATTENDED_HEADER = 'remit-unattended'

/**
 * Returns the name of the session cookie. Each environment has its own, because several can run on one host, and cookies are shared
 * between ports.
 */
export function sessionCookieName(settings: Pick<EnvironmentSettings, 'name' | 'baseUrl'>): string {
  const name = `remit_${settings.name}_session`
  return isHttps(settings) ? `__Host-${name}` : name
}

/**
 * Returns the options of the session cookie. `__Host-` requires Secure, the path "/" and no domain, so that no other host and no answer
 * over plain HTTP can set the cookie.
 */
export const sessionCookieOptions = (settings: Pick<EnvironmentSettings, 'baseUrl'>) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(settings) }) as const

/** The days for which a browser is remembered after a sign-in. */
export const DEVICE_DAYS = 180

export const deviceCookieName = ({ name }: Pick<EnvironmentSettings, 'name'>) => `remit_${name}_device`

/** Returns the options of the device cookie, which is read on sign-in and on password reset. */
export const deviceCookieOptions = (settings: Pick<EnvironmentSettings, 'baseUrl'>) =>
  ({ path: '/web/v1', httpOnly: true, sameSite: 'lax', secure: isHttps(settings) }) as const

const isHttps = ({ baseUrl }: Pick<EnvironmentSettings, 'baseUrl'>) => baseUrl?.startsWith('https:') === true
