import type { ApiKey, LoggedRequest } from '../../answers.ts'

/** Returns who made a request. Keys of users and applications are shown by their id. */
export function callerName({ credential, key }: Pick<LoggedRequest, 'credential' | 'key'>, keys: ApiKey[]): string {
  if (credential === 'session') return 'Dashboard'
  const own = keys.find(({ id }) => id === key)
  if (own) return own.name ?? `Key ${shortId(own.id)}`
  return `${credential === 'token' ? 'Application' : 'Key'} ${shortId(key ?? '')}`
}

export const shortId = (id: string): string => `${id.slice(0, 8)}…`

/** Formats a duration: "42 ms", "1.2 s". */
export const durationText = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`)
