import type { NewSubscription, PreparedPayment, SentPayment } from '../../answers.ts'
import { api } from '../../api.ts'
import { once } from '../../form/once.ts'
import { findPending, forgetPending, isPending } from '../../form/pending.ts'
import { hasCode } from '../../service-error.ts'
import { buildOrder, isNow, type Order, type SendFields, subscriptionBody } from './send-order.ts'

/** The result of the form: a payment, a payment that waits for approval, or a payment that is made later. */
export type Sent = { payment: SentPayment } | { prepared: PreparedPayment } | { subscription: NewSubscription }

/** The names of the requests that the form makes. */
const [SEND, PREPARE, REPEAT] = ['send', 'send prepare', 'send repeat'] as const

/** Returns the values that were sent before the page was left, if the outcome is unknown. */
export function unresolvedFields(): SendFields | null {
  const pending = findPending(SEND) ?? findPending(PREPARE) ?? findPending(REPEAT)
  return pending && (JSON.parse(pending.content) as SendFields)
}

export const forgetUnresolved = (): void => [SEND, PREPARE, REPEAT].forEach(forgetPending)

/**
 * Makes the payment of a form once: after a lost answer, it repeats the request with the same key. If the payment needs an approval,
 * it is prepared instead. The refused request binds no key.
 *
 * @param onUnknown called when an answer was lost
 */
export async function makeOnce(fields: SendFields, maySend: boolean, onUnknown: () => void): Promise<Sent> {
  const order = buildOrder(fields)
  if (!isNow(fields)) {
    const body = subscriptionBody(fields)
    return { subscription: await once(REPEAT, fields, (key) => api.repeatPayment(key, body), onUnknown) }
  }
  if (maySend && !isPending(PREPARE, fields)) {
    try {
      return { payment: await once(SEND, fields, (key) => send(key, order), onUnknown) }
    } catch (error) {
      if (!hasCode(error, 'approval_required')) throw error
    }
  }
  return { prepared: await once(PREPARE, fields, (key) => prepare(key, order), onUnknown) }
}

function prepare(key: string, { kind, body }: Order): Promise<PreparedPayment> {
  if (kind === 'MULTI') return api.prepareMulti(key, body)
  return kind === 'DIGITAL' ? api.prepareDigital(key, body) : api.preparePhysical(key, body)
}

function send(key: string, { kind, body }: Order): Promise<SentPayment> {
  if (kind === 'MULTI') return api.sendMulti(key, body)
  return kind === 'DIGITAL' ? api.sendDigital(key, body) : api.sendPhysical(key, body)
}
