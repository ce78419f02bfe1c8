import type { Measurement } from '../support/samples.ts'

/** A request that can be repeated. */
export type Target = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string }

export type LoadJob = {
  url: string
  targets: Target[]
  connections: number
  /** The duration of the measurement, and of the warm-up before it. */
  seconds: number
  leadInSeconds: number
  /** Whether each request has its own Idempotency-Key. */
  hasIdempotencyKeys: boolean
  /** A fixed rate of requests, independent of the answers. Without it, each connection sends its next request after an answer. */
  perSecond?: number
  /** The maximum number of requests. */
  maxRequests?: number
}

/** `measured` covers answers that are not refusals. `statuses` counts all answers, with 0 for lost connections. */
export type LoadResult = { measured: Measurement; statuses: Record<number, number> }
