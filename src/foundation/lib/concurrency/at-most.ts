import pLimit from 'p-limit'

/**
 * Returns a function that runs at most `atOnce` calls at the same time. Up to `maxWaiting` more calls wait in order. Further calls reject
 * with the error of `whenFull`.
 */
export function atMost({ atOnce, maxWaiting, whenFull }: { atOnce: number; maxWaiting: number; whenFull(): Error }) {
  const limit = pLimit(atOnce)
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (limit.activeCount + limit.pendingCount >= atOnce + maxWaiting) throw whenFull()
    return limit(run)
  }
}
