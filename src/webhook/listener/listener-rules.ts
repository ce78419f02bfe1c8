import type { Outcome } from '../delivery/delivery-status.ts'

/** The maximum number of active listeners of an owner. */
export const MAX_LISTENERS = 50

/** The milliseconds without a poll after which a listener is removed. */
export const SILENCE_MS = 3_600_000

/** The result of a delivery by a listener. */
export type ListenerResult = {
  eventId: string
  /** The number of the attempt, as in the delivery, counted from 1. */
  attempt: number
  outcome: Outcome
  /** The HTTP status of the answer, or null if there was no answer. */
  httpStatus: number | null
  durationMs: number
  error: string | null
  requestHeaders: Record<string, string>
  responseBody: Buffer
}

/** A webhook for the listener to send. `retrySeconds`: the delay before the next attempt if this one fails, or null for no retry. */
export type ListenerDelivery = {
  eventId: string
  attempt: number
  retrySeconds: number | null
  headers: Record<string, string>
  body: string
}
