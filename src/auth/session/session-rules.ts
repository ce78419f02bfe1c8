import type { EnvironmentSettings } from '../../core/environment.ts'

/** A session ends when it was not used for this long, and after this many days in any case. */
export const SESSION_IDLE_HOURS = 24
export const SESSION_DAYS = 14

/** Cookies do not tell ports apart, and environments run side by side on one host: each has a name of its own. */
export function sessionCookieName(settings: Pick<EnvironmentSettings, 'name' | 'baseUrl'>): string {
  const name = `remit_${settings.name}_session`
  return isHttps(settings) ? `__Host-${name}` : name
}

/** `__Host-` asks for Secure, a path of "/" and no domain: no other host and no plain HTTP can set such a cookie. */
export const sessionCookieOptions = (settings: Pick<EnvironmentSettings, 'baseUrl'>) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps(settings) }) as const

/** How long a browser is known after a sign-in. */
export const DEVICE_DAYS = 180

export const deviceCookieName = ({ name }: Pick<EnvironmentSettings, 'name'>) => `remit_${name}_device`

/** It is read where somebody signs in or has forgotten the password. */
export const deviceCookieOptions = (settings: Pick<EnvironmentSettings, 'baseUrl'>) =>
  ({ path: '/web/v1', httpOnly: true, sameSite: 'lax', secure: isHttps(settings) }) as const

const isHttps = ({ baseUrl }: Pick<EnvironmentSettings, 'baseUrl'>) => baseUrl?.startsWith('https:') === true
