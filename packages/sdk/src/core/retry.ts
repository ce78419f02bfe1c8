import { ApiError, RemitError } from './errors.ts'
import type { Operation } from './operation.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000

/** Returns whether a request may be sent again after an error. */
export const mayRepeat = (operation: Operation, error: unknown): boolean =>
  operation.idempotency !== 'none' && error instanceof RemitError && error.isTransient

/** Returns the pause before the next try: exponential with jitter, and at least what the service asks for. */
export function pauseMs(error: unknown, { attempt, random = Math.random }: { attempt: number; random?: () => number }) {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS)
  const jittered = longest * (0.5 + random() / 2)
  return Math.max(jittered, error instanceof ApiError ? retryAfterMs(error.response.headers) : 0)
}

/** Reads `Retry-After`: seconds, or a date. */
function retryAfterMs(headers: Headers): number {
  const text = headers.get('retry-after')
  if (text === null) return 0
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0
}

/** Waits. @throws the reason of the signal */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
  })
}
