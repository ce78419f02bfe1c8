import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Connection } from '../../src/foundation/core/connections.ts'
import { adapterConnection } from './adapter.ts'
import { temporaryFolder } from './process.ts'
import type { Terms } from './processors.ts'

type Lifetime = { after(end: () => Promise<void>): void }

export const PAYPAL_SECRET = 'secret-of-a-test-app'
const CLIENT_ID = 'id-of-a-test-app'
export const WEBHOOK_ID = '8PT597110X687430LKGECATA'

/** A connection to PayPal, with its secrets in files. */
export async function paypalConnection(
  t: Lifetime,
  { url, ...terms }: Terms & { url: string; answerMs?: number },
): Promise<Connection> {
  const base = await adapterConnection(t, { id: 'paypal', url, ...terms })
  const folder = await temporaryFolder(t)
  const [clientIdFile, clientSecretFile] = [join(folder, 'client-id'), join(folder, 'client-secret')]
  await writeFile(clientIdFile, CLIENT_ID, { mode: 0o600 })
  await writeFile(clientSecretFile, PAYPAL_SECRET, { mode: 0o600 })
  const { centsPerOrder = null, centsPerDay = null, caseAfterMs = 0, returnDays = 0 } = base.processor ?? {}
  const common = { centsPerOrder, centsPerDay, caseAfterMs, returnDays }
  return {
    ...base,
    processor: { type: 'paypal', clientIdFile, clientSecretFile, webhookId: WEBHOOK_ID, ...common },
  }
}

type Item = { status: string; errors?: object; fee?: string }
/** The parts of a request that the stand-in uses. */
type PayoutItem = { recipient_type: string; receiver: string; amount: { value: string }; recipient_wallet: string }
type Request = { sender_batch_header: { sender_batch_id: string }; items: [PayoutItem] }
type Batch = { id: string; request: Request; status: string; item: Item | null }
type Answer = { status: number; body: object } | 'cut'
type Played = { fail?: Answer; lose?: Answer }

/**
 * A stand-in for PayPal, based on its OpenAPI document payments_payouts_batch_v1 and its guide to errors. A batch is
 * PENDING and has no items until the test sets them.
 *
 * `fail`: refuses the next request for a batch with this answer. `lose`: accepts it, and returns this answer. `play`:
 * decides about each call instead.
 */
export async function startPaypal(t: Lifetime) {
  const batches = new Map<string, Batch>() // by sender_batch_id
  const state = {
    clientId: CLIENT_ID,
    ...{ fail: null as Answer | null, lose: null as Answer | null, isGenuine: true, tokens: 0, posts: 0 },
    cancels: 0,
    play: null as
      | ((call: 'POST' | 'GET' | 'cancel', order: { reference: string; amount: string; receiver: string }) => Played)
      | null,
  }
  const base = `/${randomUUID()}` // a former test's server can have had the same port
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const answer = answerTo(request, text)
    if (answer === 'cut') return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
  const error = (status: number, name: string, details: object[] = [], links: object[] = []): Answer => {
    const message = 'See the details.'
    return { status, body: { name, message, debug_id: '4854e55f0e1b3', details, links } }
  }
  const create = (request: Request): Answer => {
    state.posts++
    const { fail, lose } = state.play ? state.play('POST', orderOf(request)) : state
    state.fail = state.lose = null
    if (fail) return fail
    const id = request.sender_batch_header.sender_batch_id
    const known = batches.get(id)
    if (known) {
      const href = `http://api.example/v1/payments/payouts/${known.id}`
      const issue = [{ field: 'SENDER_BATCH_ID', issue: 'Duplicate batch request' }]
      return error(400, 'USER_BUSINESS_ERROR', issue, [{ href, rel: 'self', method: 'GET' }])
    }
    const batch = { id: `BATCH${batches.size + 1}`, request, status: 'PENDING', item: null }
    batches.set(id, batch)
    return lose ?? { status: 201, body: { batch_header: headerOf(batch) } }
  }
  const orderOf = ({ sender_batch_header: { sender_batch_id: reference }, items: [item] }: Request) => ({
    reference,
    amount: item.amount.value,
    receiver: item.receiver,
  })
  const headerOf = ({ id, request, status }: Batch) => ({
    payout_batch_id: id,
    batch_status: status,
    sender_batch_header: request.sender_batch_header,
    amount: request.items[0].amount,
    fees: { currency: 'USD', value: '0.00' },
  })
  const show = (batch: Batch): Answer => {
    const { item, request } = batch
    const { fail } = state.play?.('GET', orderOf(request)) ?? {}
    if (fail) return fail
    return { status: 200, body: { batch_header: headerOf(batch), ...(item && { items: [itemOf(batch, item)] }) } }
  }
  const itemOf = ({ id, request }: Batch, item: Item) => ({
    payout_item_id: `ITEM${id}`,
    transaction_status: item.status,
    payout_item_fee: { currency: 'USD', value: item.fee ?? '0.25' },
    payout_batch_id: id,
    payout_item: request.items[0],
    ...(item.errors && { errors: item.errors }),
  })
  /** Cancels an item that nobody has claimed. `lose`: cancels it, and gives this answer. */
  const cancel = (batch: Batch): Answer => {
    state.cancels++
    if (batch.item?.status !== 'UNCLAIMED') return error(422, 'ITEM_INCORRECT_STATUS')
    const { fail, lose } = state.play?.('cancel', orderOf(batch.request)) ?? {}
    if (fail) return fail
    batch.item.status = 'RETURNED'
    return lose ?? { status: 200, body: itemOf(batch, batch.item) }
  }
  function answerTo({ method, url: fullUrl = '', headers }: IncomingMessage, text: string): Answer {
    if (!fullUrl.startsWith(`${base}/`)) return error(404, 'RESOURCE_NOT_FOUND')
    const url = fullUrl.slice(base.length)
    const call = `${method} ${url.replace(/BATCH\d+/, 'ID')}`
    if (call === 'POST /v1/oauth2/token') {
      const isRight =
        headers.authorization === `Basic ${Buffer.from(`${state.clientId}:${PAYPAL_SECRET}`).toString('base64')}` &&
        text === 'grant_type=client_credentials'
      if (!isRight) return error(401, 'invalid_client')
      const token = `token-${++state.tokens}`
      return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 32_400 } }
    }
    if (headers.authorization !== `Bearer token-${state.tokens}`) return error(401, 'AUTHENTICATION_FAILURE')
    if (call === 'POST /v1/payments/payouts') return create(JSON.parse(text))
    if (call === 'POST /v1/notifications/verify-webhook-signature') {
      const { webhook_id: id, transmission_sig: sig } = JSON.parse(text)
      const isGenuine = state.isGenuine && id === WEBHOOK_ID && sig === 'genuine'
      return { status: 200, body: { verification_status: isGenuine ? 'SUCCESS' : 'FAILURE' } }
    }
    const [, item] = /^POST \/v1\/payments\/payouts-item\/ITEM(\w+)\/cancel$/.exec(`${method} ${url}`) ?? []
    const batch = [...batches.values()].find(({ id }) => id === item || url.endsWith(`/${id}`))
    if (!batch) return error(404, 'RESOURCE_NOT_FOUND')
    return item === undefined ? show(batch) : cancel(batch)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, batches, state, error }
}
