import { amountOf, centsOfAmount } from '../processor/amount-rules.ts'
import { ORDER_STATES, type OrderReport, type OrderState, type ProcessorOrder } from '../processor/processor-types.ts'

/** Returns the body of an order in the adapter protocol (schemas/adapter.openapi.json). */
export const orderBody = ({ reference, rail, cents, paymentId, payee, description }: ProcessorOrder) => ({
  reference,
  rail,
  amount: amountOf(cents),
  payment: paymentId,
  payee: { name: payee.name, ...accountOf(payee) },
  description,
})

function accountOf({ account }: ProcessorOrder['payee']) {
  switch (account.kind) {
    case 'contact':
      return { username: account.username }
    case 'card':
      return { card: { number: account.number, expires: account.expires } }
    case 'card_token':
      return { card: { token: account.token, expires: account.expires } }
  }
}

/** Describes how an answer violates schemas/adapter.openapi.json, or returns null. The text contains no value of the answer. */
export function orderProblem(json: unknown, { reference }: { reference: string }): string | null {
  if (typeof json !== 'object' || json === null) return 'it is not a JSON object'
  const order = json as Record<string, unknown>
  if (order.reference !== reference) return '"reference" is not that of the order'
  if (!isText(order.id, 200)) return '"id" is not a text of 1 to 200 characters'
  if (!isOrderState(order.status)) return `"status" is none of ${ORDER_STATES.join(', ')}`
  const isAmount = centsOfAmount(order.amount) !== null
  return isAmount ? null : '"amount" does not have the form {"value": "12.50", "currency": "USD"}'
}

/**
 * Reads an order in the answer of an adapter. Returns null if the answer violates the protocol, because it then says nothing about the
 * order.
 */
export function readOrder(json: unknown, { reference }: { reference: string }): OrderReport | null {
  if (orderProblem(json, { reference }) !== null) return null
  const order = json as Record<string, unknown>
  const cents = centsOfAmount(order.amount) as number
  const reason = (order.reason ?? {}) as { code?: unknown }
  const { token } = (order.card ?? {}) as { token?: unknown }
  return {
    state: order.status as OrderState,
    processorId: order.id as string,
    cents,
    reasonCode: isText(reason.code, 20) ? (reason.code as string) : null,
    feeCents: order.fee == null ? null : centsOfAmount(order.fee),
    cardToken: isText(token, 500) ? (token as string) : null,
  }
}

const isText = (value: unknown, maxLength: number): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= maxLength && !value.includes('\0')

const isOrderState = (status: unknown): boolean => (ORDER_STATES as readonly unknown[]).includes(status)
