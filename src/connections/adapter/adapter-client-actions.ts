import { outcomeOfQuestion, outcomeOfSubmission } from '../processor/call-outcome-rules.ts'
import { type CallDeps, CallFailed, callOverHttps, type HttpsAnswer } from '../processor/https-call-actions.ts'
import type { CallOutcome, OrderKey, Processor, ProcessorOrder } from '../processor/processor-types.ts'
import { orderBody, readOrder } from './adapter-report-rules.ts'

/** The URL of an adapter, and the key that authenticates calls. `answerMs`: the time limit of one call in milliseconds. */
export type AdapterAddress = { url: string; key: string; answerMs: number }

/** Opens a processor that speaks the adapter protocol. */
export const openAdapter = (deps: CallDeps, address: AdapterAddress): Processor => ({
  submit: (order) => submit(deps, address, order),
  find: (key) => find(deps, address, key),
  cancel: (key) => cancel(deps, address, key),
  accountMark: null,
  asksBySubmitting: false,
})

async function submit(deps: CallDeps, address: AdapterAddress, order: ProcessorOrder): Promise<CallOutcome> {
  try {
    const answer = await callAdapter(deps, address, {
      method: 'POST',
      path: '/orders',
      body: JSON.stringify(orderBody(order)),
      headers: { 'idempotency-key': order.reference },
    })
    return outcomeOf(answer, order) ?? outcomeOfSubmission(answer)
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error
    if (error.hasLeft) return { kind: 'unknown', problem: error.message }
    return { kind: 'not_taken', problem: error.message, retryAfterSeconds: null, isOfConnection: true }
  }
}

async function find(deps: CallDeps, address: AdapterAddress, { reference }: OrderKey): Promise<CallOutcome> {
  try {
    const answer = await callAdapter(deps, address, { method: 'GET', path: `/orders/${reference}`, body: null })
    return outcomeOf(answer, { reference }) ?? outcomeOfQuestion(answer)
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error
    return { kind: 'not_taken', problem: error.message, retryAfterSeconds: null, isOfConnection: true }
  }
}

/** Statuses about the call itself, not about the order. */
const ON_CALL = [401, 403, 429]

/** Whether an adapter says that it does not cancel an order. */
export const isCancelRefused = ({ status }: Pick<HttpsAnswer, 'status'>): boolean =>
  status >= 400 && status < 500 && !ON_CALL.includes(status)

/** Asks an adapter to cancel an order. One that refuses is asked for the order instead. */
async function cancel(deps: CallDeps, address: AdapterAddress, key: OrderKey): Promise<CallOutcome> {
  const { reference } = key
  try {
    const answer = await callAdapter(deps, address, { method: 'POST', path: `/orders/${reference}/cancel`, body: null })
    if (isCancelRefused(answer)) return find(deps, address, key)
    return outcomeOf(answer, { reference }) ?? outcomeOfQuestion(answer)
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error
    return { kind: 'not_taken', problem: error.message, retryAfterSeconds: null, isOfConnection: true }
  }
}

/** Returns the outcome of a successful answer about an order, or null for any other answer. */
function outcomeOf({ status, json }: HttpsAnswer, order: { reference: string }): CallOutcome | null {
  if (status !== 200 && status !== 201) return null
  const report = readOrder(json, order)
  return report ? { kind: 'reported', report } : { kind: 'unknown', problem: BROKEN }
}

const BROKEN = 'The answer breaks the adapter protocol. Run "remit connections test" for this connection.'

/** Sends one request of the adapter protocol. @throws CallFailed */
export const callAdapter = (
  deps: CallDeps,
  { url, key, answerMs }: AdapterAddress,
  {
    path,
    headers = {},
    ...call
  }: { method: 'GET' | 'POST'; path: string; body: string | null; headers?: Record<string, string> },
): Promise<HttpsAnswer> =>
  callOverHttps(deps, {
    ...call,
    url: `${url}${path}`,
    headers: {
      accept: 'application/json',
      'user-agent': 'Remit-Connections/1',
      authorization: `Bearer ${key}`,
      ...(call.body !== null && { 'content-type': 'application/json' }),
      ...headers,
    },
    answerMs,
  })
