import pLimit from 'p-limit'

/**
 * Runs at most `atOnce` calls at the same time. Up to `maxWaiting` more wait in their order. Beyond that, the call rejects
 * with the error of `whenFull`.
 */
export function atMost({ atOnce, maxWaiting, whenFull }: { atOnce: number; maxWaiting: number; whenFull(): Error }) {
  const limit = pLimit(atOnce)
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (limit.activeCount + limit.pendingCount >= atOnce + maxWaiting) throw whenFull()
    return limit(run)
  }
}
