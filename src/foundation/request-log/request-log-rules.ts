import { DAY_MS } from '../lib/clock.ts'

/** How long requests are kept, besides today. */
export const LOG_KEPT_DAYS = 7

/** Partitions of `request_log`: today, the days that are kept, and one that is empty before its day comes. */
export const LOG_SLOTS = LOG_KEPT_DAYS + 2

/** The partition of the day of a time. */
export const slotOf = (time: Date): number => Math.floor(time.getTime() / DAY_MS) % LOG_SLOTS

/** The partition to empty: it has the day that is no longer kept, and is the next one to fill. */
export const nextSlot = (now: Date): number => (slotOf(now) + 1) % LOG_SLOTS

/** When the oldest request that is shown was made. */
export const oldestShown = (now: Date): Date => new Date(now.getTime() - LOG_KEPT_DAYS * DAY_MS)

/** Calls of our own pages that only read are not logged: they would hide what programs do. */
export const isLogged = ({ kind, method, path }: { kind: string; method: string; path: string }): boolean =>
  path.startsWith('/v3/') && (kind !== 'session' || (method !== 'GET' && method !== 'HEAD'))

/** Whether the id in the path, or in the answer, is the one of a payment. */
export const isAboutPayment = (path: string): boolean => /^\/v3\/(check|payment)(\/|$)/.test(path)

/** The id at the start of an answer. Payments are answered with their id first. */
export const idAtStart = (answer: string): string | null => /^\{"id":"([0-9a-f]{32})"/.exec(answer)?.[1] ?? null

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const

/** The lowest and highest HTTP status of a filter: `404` or `4xx`. */
export function statusRange(status: string): { from: number; to: number } {
  if (!status.endsWith('xx')) return { from: Number(status), to: Number(status) }
  const from = Number(status.charAt(0)) * 100
  return { from, to: from + 99 }
}
