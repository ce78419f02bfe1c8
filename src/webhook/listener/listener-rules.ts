import type { Outcome } from '../delivery/delivery-status.ts'

/** An owner has at most so many listeners that polled of late. */
export const MAX_LISTENERS = 50

/** A listener that has not polled for so long is removed. */
export const SILENCE_MS = 3_600_000

/** What a listener has made of a delivery. */
export type ListenerResult = {
  eventId: string
  /** From 1, as the delivery said it. */
  attempt: number
  outcome: Outcome
  /** Of the answer; null when there was none. */
  httpStatus: number | null
  durationMs: number
  error: string | null
  requestHeaders: Record<string, string>
  responseBody: Buffer
}

/** A webhook as a listener is to send it. `retrySeconds`: after which it is tried again if it fails, null for never. */
export type ListenerDelivery = {
  eventId: string
  attempt: number
  retrySeconds: number | null
  headers: Record<string, string>
  body: string
}
