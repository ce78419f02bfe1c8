import type { CallOutcome } from './processor-types.ts'

/** An answer that contains no report about an order. */
type Answer = { status: number; retryAfterSeconds: number | null }

/**
 * Returns the meaning of an HTTP status for an order that was sent. The order is sent again only if the status proves that it was not
 * taken. Any other status may come from a proxy, after the processor took the order.
 */
export function outcomeOfSubmission({ status, retryAfterSeconds }: Answer): CallOutcome {
  const problem = `The processor answered ${status}.`
  if (status === 400 || status === 422) return { kind: 'refused', problem, reasonCode: null }
  if (status === 429) return { kind: 'not_taken', problem, retryAfterSeconds, isOfConnection: true }
  if (ON_CONNECTION.includes(status))
    return { kind: 'not_taken', problem: `${problem} ${HINT}`, retryAfterSeconds, isOfConnection: true }
  return { kind: 'unknown', problem }
}

/** The statuses that concern the call itself: the key, the address, the method. */
const ON_CONNECTION = [401, 403, 404, 405]
const HINT = 'Check the URL and the key of the connection.'

/** Returns the meaning of an HTTP status for a question about an order. */
export function outcomeOfQuestion({ status, retryAfterSeconds }: Answer): CallOutcome {
  if (status === 404) return { kind: 'not_found' }
  const problem = `The processor answered ${status}.`
  if (status === 401 || status === 403)
    return { kind: 'not_taken', problem: `${problem} ${HINT}`, retryAfterSeconds, isOfConnection: true }
  if (status === 429) return { kind: 'not_taken', problem, retryAfterSeconds, isOfConnection: true }
  return { kind: 'unknown', problem }
}
