import type { EnvironmentSettings } from '../core/environment.ts'

/** Only for this host, because other hosts of the domain are not ours. RFC 6797. */
const ONE_YEAR = 'max-age=31536000'

/** Answers contain money, names and account numbers, so they are never cached. */
const NEVER_STORED = /^\/(v3|web)(\/|$)/

/** The headers of each answer to a URL. */
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
