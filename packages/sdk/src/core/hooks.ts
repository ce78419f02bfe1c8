import type { Operation } from './operation.ts'

/** One try of a request. `path` has the names of its parameters in place of ids. */
export type RequestEvent = { operation: string; method: Operation['method']; path: string; attempt: number }

/** The end of a try. `status` is null without an answer, `retryInMs` without another try. */
export type ResponseEvent = RequestEvent & {
  status: number | null
  /** The error code of the answer or, without an answer, the name of the error. */
  error: string | null
  requestId: string | null
  durationMs: number
  retryInMs: number | null
}

export type Hooks = {
  onRequest?: (event: RequestEvent) => void
  onResponse?: (event: ResponseEvent) => void
}

/** Calls a hook. A hook that fails does not affect the request. */
export function callHook<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event)
  } catch (error) {
    queueMicrotask(() => console.error('A hook of remit-payments-sdk failed:', error))
  }
}
