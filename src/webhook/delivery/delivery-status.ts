/** Seconds from the start of an attempt to the next one. After eleven retries, the delivery has failed (specification.md 7.2). */
export const RETRY_DELAYS_SECONDS = [30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 30_720] as const

const LONGEST_DELAY_SECONDS = Math.max(...RETRY_DELAYS_SECONDS)

/** The maximum duration of a host name lookup in milliseconds. It does not count toward `RESPONSE_TIMEOUT_MS`. */
export const LOOKUP_TIMEOUT_MS = 5_000

/** The maximum time in milliseconds from connecting to the end of the response's headers (specification.md 7.2). */
export const RESPONSE_TIMEOUT_MS = 10_000

/** The milliseconds to wait for the response's body after its status. A missing body does not change the outcome. */
export const BODY_TIMEOUT_MS = 2_000

/** The maximum duration of an attempt in milliseconds. */
export const EXCHANGE_TIMEOUT_MS = LOOKUP_TIMEOUT_MS + RESPONSE_TIMEOUT_MS + BODY_TIMEOUT_MS

export const OUTCOMES = ['acknowledged', 'rejected', 'timed_out', 'unreachable'] as const

export type Outcome = (typeof OUTCOMES)[number]

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export type DeliveryChange =
  | { status: 'DELIVERED'; nextAttemptAt: null }
  | { status: 'PENDING'; nextAttemptAt: Date }
  | { status: 'FAILED'; nextAttemptAt: null }

/**
 * Returns the change of a delivery after an attempt.
 *
 * @param attemptNumber counted from 1. After a replay, it starts at 1 again
 * @param notBefore the time from the receiver's Retry-After header. It postpones the next attempt by at most the longest delay
 */
export function afterAttempt({
  outcome,
  attemptNumber,
  startedAt,
  notBefore = null,
}: {
  outcome: Outcome
  attemptNumber: number
  startedAt: Date
  notBefore?: Date | null
}): DeliveryChange {
  if (outcome === 'acknowledged') return { status: 'DELIVERED', nextAttemptAt: null }
  const delaySeconds = RETRY_DELAYS_SECONDS[attemptNumber - 1]
  if (delaySeconds === undefined) return { status: 'FAILED', nextAttemptAt: null }
  const after = (seconds: number) => startedAt.getTime() + seconds * 1000
  const asked = Math.min(notBefore?.getTime() ?? 0, after(LONGEST_DELAY_SECONDS))
  return { status: 'PENDING', nextAttemptAt: new Date(Math.max(after(delaySeconds), asked)) }
}
