// An adapter between Remit and a processor, in plain Node.js: the start of your own. It pays nobody.
// Replace `orders` by your database and `pay` by calls of your processor. docs/adapter.md explains every rule.
//
//   ADAPTER_KEY=… EVENT_KEY=… EVENT_URL=https://pay.example.com/connections/cards/events node adapter.mjs
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { ADAPTER_KEY, EVENT_KEY, EVENT_URL, PORT = '8080' } = process.env
const orders = new Map() // reference → { digest, isTest, order, events }

/** Your processor. Its answer may take days: then return "accepted", and call `change` when it comes. */
const pay = ({ test_outcome: outcome = 'paid' }) => outcome

function submit(request) {
  const known = orders.get(request.reference)
  const digest = createHash('sha256').update(JSON.stringify(request)).digest('hex') // a card number is not kept
  // The same order again, perhaps after a lost answer: it is not paid twice. Another order with this reference is refused.
  if (known) return known.digest === digest ? [200, known.order] : [409, problem('conflict')]
  const { reference, amount, payee, rail } = request
  const card = payee?.card ? { card: { token: `tok_${randomUUID()}` } } : {}
  const order = { id: randomUUID(), reference, rail, amount, status: 'submitted', reason: null, fee: null, ...card }
  orders.set(reference, { digest, isTest: request.test_outcome !== undefined, order, events: [] })
  const outcome = pay(request)
  if (outcome === 'returned') change(reference, 'paid')
  change(reference, outcome, outcome === 'rejected' || outcome === 'returned' ? { code: 'AC04' } : null)
  return [201, order]
}

/** Records the outcome of an order and sends an event to Remit. Remit then queries the order. */
function change(reference, status, reason = null) {
  const { order, events, isTest } = orders.get(reference)
  Object.assign(order, { status, reason })
  const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1000))]
  const body = JSON.stringify({ type: 'order.changed', reference, status })
  const signature = createHmac('sha256', EVENT_KEY).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  events.push({ headers, body })
  // A lost event does no harm, because Remit also polls. Post it again later if you can.
  if (EVENT_URL && !isTest)
    fetch(EVENT_URL, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }).catch(
      () => {},
    )
}

const problem = (code) => ({ error: { code } })
const isOrder = ({ reference, amount, payee, rail }) =>
  /^[0-9a-f]{32}$/.test(reference) && /^\d+\.\d\d$/.test(amount?.value) && amount.currency === 'USD' && payee && rail

function answer(method, path, key, text) {
  const [given, own] = [Buffer.from(key ?? ''), Buffer.from(`Bearer ${ADAPTER_KEY}`)]
  if (given.length !== own.length || !timingSafeEqual(given, own)) return [401, problem('unauthorized')]
  const [, reference, part] = /^\/orders(?:\/([0-9a-f]{32})(\/events|\/cancel)?)?$/.exec(path) ?? []
  if (method === 'POST' && path === '/orders') {
    const request = JSON.parse(text)
    return isOrder(request) ? submit(request) : [400, problem('invalid_order')]
  }
  const known = orders.get(reference)
  if (!known) return [404, problem('not_found')]
  if (part === '/cancel' && ['submitted', 'accepted'].includes(known.order.status)) change(reference, 'canceled')
  return [200, part === '/events' ? { events: known.events } : known.order]
}

createServer(async (request, response) => {
  let result = [400, problem('invalid_json')]
  try {
    const text = Buffer.concat(await request.toArray()).toString()
    result = answer(request.method, request.url, request.headers.authorization, text)
  } catch {}
  response.writeHead(result[0], { 'content-type': 'application/json' }).end(JSON.stringify(result[1]))
}).listen(Number(PORT), '127.0.0.1', function () {
  console.log(`The adapter listens on http://127.0.0.1:${this.address().port}`)
})
