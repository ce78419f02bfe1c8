import type { PreparedPayment, SentPayment } from '../../answers.ts'
import { api } from '../../api.ts'
import { hasCode } from '../../service-error.ts'
import type { Order } from './send-order.ts'

/** Answers after which nobody knows whether the payment was made. */
const UNKNOWN = ['unreachable', 'outcome_unknown', 'idempotency_key_in_use', 'http_502', 'http_503', 'http_504']

const RETRY_AFTER_MS = [1_000, 2_000, 4_000, 8_000]

/** A key for one form. It stays the same until the service has said what became of the payment. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Sends a payment. After a lost answer it asks again with the same key, so that the payment is made once.
 *
 * @param onUnknown called when an answer was lost
 */
export const sendOnce = (key: string, order: Order, onUnknown: () => void): Promise<SentPayment> =>
  once(() => send(key, order), onUnknown)

/** Prepares a payment that somebody else releases, in the same way. */
export const prepareOnce = (key: string, order: Order, onUnknown: () => void): Promise<PreparedPayment> =>
  once(
    () => (order.kind === 'DIGITAL' ? api.prepareDigital(key, order.body) : api.preparePhysical(key, order.body)),
    onUnknown,
  )

/** The same for another request that has an Idempotency-Key. */
export async function once<Answer>(request: () => Promise<Answer>, onUnknown: () => void): Promise<Answer> {
  for (const delayMs of RETRY_AFTER_MS) {
    try {
      return await request()
    } catch (error) {
      if (!isUnknown(error)) throw error
      onUnknown()
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
  return request()
}

export const isUnknown = (error: unknown): boolean => UNKNOWN.some((code) => hasCode(error, code))

const send = (key: string, order: Order): Promise<SentPayment> =>
  order.kind === 'DIGITAL' ? api.sendDigital(key, order.body) : api.sendPhysical(key, order.body)
