import { DAY_MS } from '../lib/clock.ts'

/** The number of days for which requests are kept, in addition to today. */
export const LOG_KEPT_DAYS = 7

/** The number of partitions of `request_log`: today, the days that are kept, and an empty one for tomorrow. */
export const LOG_SLOTS = LOG_KEPT_DAYS + 2

/** Returns the partition of the day of a time. */
export const slotOf = (time: Date): number => Math.floor(time.getTime() / DAY_MS) % LOG_SLOTS

/** Returns the partition to empty. It contains the day that is no longer kept, and is filled next. */
export const nextSlot = (now: Date): number => (slotOf(now) + 1) % LOG_SLOTS

/** Returns the time of the oldest request that is shown. */
export const oldestShown = (now: Date): Date => new Date(now.getTime() - LOG_KEPT_DAYS * DAY_MS)

/**
 * Returns whether a request is logged. Calls of our own pages that only read are not logged, because they would hide the requests of
 * programs.
 */
export const isLogged = ({ kind, method, path }: { kind: string; method: string; path: string }): boolean =>
  path.startsWith('/v3/') && (kind !== 'session' || (method !== 'GET' && method !== 'HEAD'))

/** Returns whether the id in a path, or in its answer, is the id of a payment. */
export const isAboutPayment = (path: string): boolean => /^\/v3\/(check|payment)(\/|$)/.test(path)

/** Returns the id at the start of an answer. Answers about payments begin with their id. */
export const idAtStart = (answer: string): string | null => /^\{"id":"([0-9a-f]{32})"/.exec(answer)?.[1] ?? null

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const

/** Returns the lowest and highest HTTP status of a filter, such as `404` or `4xx`. */
export function statusRange(status: string): { from: number; to: number } {
  if (!status.endsWith('xx')) return { from: Number(status), to: Number(status) }
  const from = Number(status.charAt(0)) * 100
  return { from, to: from + 99 }
}
