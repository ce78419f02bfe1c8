import type { PreparedPayment, SentPayment } from '../../answers.ts'
import { api } from '../../api.ts'
import { once } from '../../form/once.ts'
import type { Order } from './send-order.ts'

/**
 * Sends a payment. After a lost answer it asks again with the same key, so that the payment is made once.
 *
 * @param onUnknown called when an answer was lost
 */
export const sendOnce = (key: string, order: Order, onUnknown: () => void): Promise<SentPayment> =>
  once(() => send(key, order), onUnknown)

/** Prepares a payment that somebody else releases, in the same way. */
export const prepareOnce = (key: string, order: Order, onUnknown: () => void): Promise<PreparedPayment> =>
  once(() => prepare(key, order), onUnknown)

function prepare(key: string, { kind, body }: Order): Promise<PreparedPayment> {
  if (kind === 'MULTI') return api.prepareMulti(key, body)
  return kind === 'DIGITAL' ? api.prepareDigital(key, body) : api.preparePhysical(key, body)
}

function send(key: string, { kind, body }: Order): Promise<SentPayment> {
  if (kind === 'MULTI') return api.sendMulti(key, body)
  return kind === 'DIGITAL' ? api.sendDigital(key, body) : api.sendPhysical(key, body)
}
