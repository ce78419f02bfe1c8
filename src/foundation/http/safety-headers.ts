import type { EnvironmentSettings } from '../core/environment.ts'

/** HTTP Strict Transport Security (RFC 6797). It applies only to this host, because other hosts of the domain may not be ours. */
const ONE_YEAR = 'max-age=31536000'

/** Answers below these paths are never cached, because they contain money, names and account numbers. */
const NEVER_STORED = /^\/(v3|web)(\/|$)/

/** Returns the security headers of an answer. */
export function safetyHeaders({
  baseUrl,
}: Pick<EnvironmentSettings, 'baseUrl'>): (url: string) => Record<string, string> {
  const ofAll = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(baseUrl?.startsWith('https://') && { 'strict-transport-security': ONE_YEAR }),
  }
  const ofNeverStored = { ...ofAll, 'cache-control': 'no-store' }
  return (url) => (NEVER_STORED.test(url) ? ofNeverStored : ofAll)
}
