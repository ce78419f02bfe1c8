import { createHmac, timingSafeEqual } from 'node:crypto'
import type { EventSubject, PostedEvent } from '../processor/processor-types.ts'

/** The maximum difference between the time of an event and our time, in seconds. */
export const MAX_SKEW_SECONDS = 300

/** The reasons for which an event is refused. */
export type EventProblem = 'unsigned' | 'wrong_signature' | 'wrong_time' | 'unreadable'

/** Returns the `webhook-signature` of an event, as Standard Webhooks defines it. */
export const eventSignature = ({ id, timestamp, body, key }: Record<'id' | 'timestamp' | 'body' | 'key', string>) =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`

/**
 * Checks an event of an adapter. It is signed like the webhooks of this service, with the event key of the connection.
 *
 * @returns the reference of the order that it concerns, or the reason why the event is refused
 */
export function readAdapterEvent(
  { headers, body }: PostedEvent,
  { key, now }: { key: string; now: Date },
): EventSubject | EventProblem {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!id || !timestamp || !signatures) return 'unsigned'
  const expected = eventSignature({ id, timestamp, body, key })
  if (!signatures.split(' ').some((given) => isSame(given, expected))) return 'wrong_signature'
  const skew = Math.abs(Number(timestamp) - now.getTime() / 1000)
  if (!(skew <= MAX_SKEW_SECONDS)) return 'wrong_time'
  const reference = referenceIn(body)
  return reference === null ? 'unreadable' : { reference }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function referenceIn(body: string): string | null {
  try {
    const { reference } = JSON.parse(body) ?? {}
    return typeof reference === 'string' && /^[0-9a-f]{32}$/.test(reference) ? reference : null
  } catch {
    return null
  }
}
