import type { EnvironmentSettings } from '../../../foundation/core/environment.ts'

/** A session ends after this time without use, and after `SESSION_DAYS` in any case. */
export const SESSION_IDLE_HOURS = 24
export const SESSION_DAYS = 14

/** A page sends this header with requests that it makes by itself while nobody uses it. They keep no session alive. */
export const UNATTENDED_HEADER = 'remit-unattended'

/** Cookies are shared between ports, and several environments may run on one host, so each has its own cookie name. */
export function sessionCookieName(settings: Pick<EnvironmentSettings, 'name' | 'baseUrl'>): string {
  const name = `remit_${settings.name}_session`
  return isHttps(settings) ? `__Host-${name}` : name
}

/** `__Host-` requires Secure, the path "/" and no domain, so that no other host and no plain HTTP answer can set the cookie. */
export const sessionCookieOptions = (settings: Pick<EnvironmentSettings, 'baseUrl'>) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(settings) }) as const

/** How long a browser stays known after a sign-in. */
export const DEVICE_DAYS = 180

export const deviceCookieName = ({ name }: Pick<EnvironmentSettings, 'name'>) => `remit_${name}_device`

/** The cookie is read on sign-in and on password reset. */
export const deviceCookieOptions = (settings: Pick<EnvironmentSettings, 'baseUrl'>) =>
  ({ path: '/web/v1', httpOnly: true, sameSite: 'lax', secure: isHttps(settings) }) as const

const isHttps = ({ baseUrl }: Pick<EnvironmentSettings, 'baseUrl'>) => baseUrl?.startsWith('https:') === true
