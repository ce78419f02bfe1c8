import { createHash } from 'node:crypto'
import { outcomeOfQuestion, outcomeOfSubmission } from '../processor/call-outcome-rules.ts'
import { type CallDeps, CallFailed, callOverHttps, type HttpsAnswer } from '../processor/https-call-actions.ts'
import type { CallOutcome, OrderKey, Processor, ProcessorOrder } from '../processor/processor-types.ts'
import { batchIdOf, payoutRequest, readBatch, readBatchError, unclaimedItemOf } from './paypal-payout-rules.ts'

/** The URL of PayPal, and the credentials of the app there. */
export type PaypalAddress = { url: string; clientId: string; clientSecret: string; answerMs: number }

/**
 * Opens PayPal Payouts. PayPal pays only one batch for a `sender_batch_id` within 30 days, but offers no search by this id. If the answer
 * for an order was lost, the same request is therefore sent again, and PayPal answers with the existing batch.
 */
export const openPaypal = (deps: CallDeps, address: PaypalAddress): Processor => ({
  submit: (order) => submit(deps, address, order),
  find: (key) => find(deps, address, key),
  cancel: (key) => cancel(deps, address, key),
  accountMark: createHash('sha256').update(address.clientId).digest('hex').slice(0, 32),
  asksBySubmitting: true,
})

async function submit(deps: CallDeps, address: PaypalAddress, order: ProcessorOrder): Promise<CallOutcome> {
  const request = payoutRequest(order)
  if (request === null)
    return { kind: 'refused', problem: 'PayPal cannot pay to this kind of account.', reasonCode: 'AC03' }
  try {
    const call = { method: 'POST', path: '/v1/payments/payouts', body: JSON.stringify(request) } as const
    const answer = await callPaypal(deps, address, call)
    return answer.status === 201 ? taken(order, batchIdOf(answer.json)) : outcomeOfError(answer, order)
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error
    if (error.hasLeft) return { kind: 'unknown', problem: error.message }
    return notTaken(error.message)
  }
}

/** Returns the result for an order that PayPal has. The next call reads its state. */
function taken({ cents }: ProcessorOrder, batchId: string | null): CallOutcome {
  if (batchId === null) return { kind: 'unknown', problem: 'PayPal has the order, but did not name its batch.' }
  const nothing = { reasonCode: null, feeCents: null, cardToken: null }
  return { kind: 'reported', report: { state: 'submitted', processorId: batchId, cents, ...nothing } }
}

function outcomeOfError(answer: HttpsAnswer, order: ProcessorOrder): CallOutcome {
  const { isDuplicate, isOfBalance, batchId } = readBatchError(answer.json)
  if (isDuplicate) return taken(order, batchId)
  if (isOfBalance) return { kind: 'no_funds' }
  return outcomeOfSubmission(answer)
}

const notTaken = (problem: string): CallOutcome => ({
  kind: 'not_taken',
  problem,
  retryAfterSeconds: null,
  isOfConnection: true,
})

const find = async (deps: CallDeps, address: PaypalAddress, key: OrderKey): Promise<CallOutcome> =>
  (await findItem(deps, address, key)).outcome

/** Reads an order. `unclaimedId`: the id of its item, if nobody has claimed the money. */
async function findItem(
  deps: CallDeps,
  address: PaypalAddress,
  { reference, processorId }: OrderKey,
): Promise<{ outcome: CallOutcome; unclaimedId: string | null }> {
  const failed = (outcome: CallOutcome) => ({ outcome, unclaimedId: null })
  if (processorId === null) return failed({ kind: 'unknown', problem: 'PayPal no longer knows our reference.' })
  try {
    const path = `/v1/payments/payouts/${encodeURIComponent(processorId)}`
    const answer = await callPaypal(deps, address, { method: 'GET', path, body: null })
    if (answer.status !== 200) return failed(outcomeOfQuestion(answer))
    const report = readBatch(answer.json, { reference })
    if (!report) return failed({ kind: 'unknown', problem: 'The answer of PayPal cannot be read.' })
    return { outcome: { kind: 'reported', report }, unclaimedId: unclaimedItemOf(answer.json, { reference }) }
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error
    return failed(notTaken(error.message))
  }
}

/**
 * Asks PayPal to cancel an order. PayPal cancels only an item that nobody has claimed, and its money is then RETURNED. An order that is
 * not processed yet may become unclaimed, so the request stays open. If PayPal refuses, the payee may just have claimed the money, so this
 * function then reads the state again.
 */
async function cancel(deps: CallDeps, address: PaypalAddress, key: OrderKey): Promise<CallOutcome> {
  const { outcome, unclaimedId } = await findItem(deps, address, key)
  if (unclaimedId === null) return withOpenCancel(outcome)
  try {
    const path = `/v1/payments/payouts-item/${encodeURIComponent(unclaimedId)}/cancel`
    const answer = await callPaypal(deps, address, { method: 'POST', path, body: null })
    if (refusesCancel(answer)) return find(deps, address, key)
    if (answer.status !== 200) return outcomeOfQuestion(answer)
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error
    return notTaken(error.message)
  }
  return withOpenCancel(await find(deps, address, key))
}

/** A query with the same token has just succeeded, so 403 is about the cancellation. */
const refusesCancel = ({ status }: HttpsAnswer): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 429

const withOpenCancel = (outcome: CallOutcome): CallOutcome =>
  outcome.kind === 'reported' ? { ...outcome, isCancelOpen: true } : outcome

type Call = { method: 'GET' | 'POST'; path: string; body: string | null }

/** Calls PayPal with an access token. @throws CallFailed. If there is no token, the request was not sent */
export async function callPaypal(deps: CallDeps, address: PaypalAddress, call: Call): Promise<HttpsAnswer> {
  const token = await accessToken(deps, address)
  const answer = await callOverHttps(deps, {
    ...{ method: call.method, url: `${address.url}${call.path}`, body: call.body, answerMs: address.answerMs },
    headers: {
      accept: 'application/json',
      'user-agent': 'Remit-Connections/1',
      authorization: `Bearer ${token}`,
      ...(call.method === 'POST' && { 'content-type': 'application/json' }),
    },
  })
  if (answer.status === 401) tokens.delete(keyOf(address))
  return answer
}

/** Access tokens by address and app. `endsAt`: milliseconds of real time. */
const tokens = new Map<string, { token: string; endsAt: number }>()

const keyOf = ({ url, clientId, clientSecret }: PaypalAddress): string => JSON.stringify([url, clientId, clientSecret])

/** The milliseconds before its end in which a token is renewed. */
const MARGIN_MS = 60_000

/** Returns an access token for the client credentials (RFC 6749, 4.4). @throws CallFailed */
async function accessToken(deps: CallDeps, address: PaypalAddress): Promise<string> {
  const { url, clientId, clientSecret, answerMs } = address
  const now = deps.realClock.now().getTime()
  const known = tokens.get(keyOf(address))
  if (known && known.endsAt - MARGIN_MS > now) return known.token
  const { status, json } = await askForToken(deps, { url, clientId, clientSecret, answerMs })
  const { access_token: token, expires_in: seconds } = (json ?? {}) as { access_token?: unknown; expires_in?: unknown }
  if (status !== 200 || typeof token !== 'string' || typeof seconds !== 'number')
    throw new CallFailed(`PayPal gave no access token: it answered ${status}.`, { hasLeft: false })
  tokens.set(keyOf(address), { token, endsAt: now + seconds * 1000 })
  return token
}

async function askForToken(deps: CallDeps, address: PaypalAddress): Promise<HttpsAnswer> {
  const { url, clientId, clientSecret, answerMs } = address
  try {
    return await callOverHttps(deps, {
      method: 'POST',
      url: `${url}/v1/oauth2/token`,
      headers: {
        accept: 'application/json',
        'user-agent': 'Remit-Connections/1',
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      },
      body: 'grant_type=client_credentials',
      answerMs,
    })
  } catch (error) {
    // The order itself was not sent.
    throw error instanceof CallFailed ? new CallFailed(error.message, { hasLeft: false }) : error
  }
}
