import type { Measurement } from '../support/samples.ts'

/** A request that can be made again and again. */
export type Target = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string }

export type LoadJob = {
  url: string
  targets: Target[]
  connections: number
  /** How long it is measured, and how long the load runs before that. */
  seconds: number
  leadInSeconds: number
  /** Whether each request has an Idempotency-Key of its own. */
  hasIdempotencyKeys: boolean
  /** So many requests are offered in a second, whatever is answered; without it each connection waits for its answer. */
  perSecond?: number
  /** No more than this are sent. */
  maxRequests?: number
}

/** `measured` is of the answers that are no refusal; `statuses` counts all, 0 for connections that were lost. */
export type LoadResult = { measured: Measurement; statuses: Record<number, number> }
