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
  once(
    () => (order.kind === 'DIGITAL' ? api.prepareDigital(key, order.body) : api.preparePhysical(key, order.body)),
    onUnknown,
  )

const send = (key: string, order: Order): Promise<SentPayment> =>
  order.kind === 'DIGITAL' ? api.sendDigital(key, order.body) : api.sendPhysical(key, order.body)
