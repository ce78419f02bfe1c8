import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAdapterEvent } from '../src/connections/adapter/adapter-event-rules.ts'
import { readOrder } from '../src/connections/adapter/adapter-report-rules.ts'
import { readBatch, readBatchError } from '../src/connections/paypal/paypal-payout-rules.ts'
import { ORDER_STATES, type OrderReport } from '../src/connections/processor/processor-types.ts'
import { mutationsBy } from './support/mutations.ts'
import { randomFrom, seedFrom } from './support/seed.ts'

// Answers of processors that are changed in one place: 200 in this test, 5,000 in "npm run mutations".

const seed = seedFrom('MUTATION_SEED')
const COUNT = Number(process.env.MUTATIONS ?? 200)
const { pick, changeByte, changePiece } = mutationsBy(randomFrom(seed))

const reference = '0123456789abcdef0123456789abcdef'
const amount = { value: '12.50', currency: 'USD' }

const order = JSON.stringify(
  { id: 'o1', reference, amount, status: 'submitted', reason: { code: 'AC04' }, fee: amount, card: { token: 't' } },
  null,
  1,
)
const batch = JSON.stringify(
  {
    batch_header: {
      payout_batch_id: 'B1',
      batch_status: 'SUCCESS',
      sender_batch_header: { sender_batch_id: reference },
      amount,
    },
    items: [
      { transaction_status: 'PENDING', payout_item_fee: amount, payout_item: { sender_item_id: reference, amount } },
    ],
  },
  null,
  1,
)

/** Parses an answer as JSON like the service. Returns undefined if it is not JSON. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

function mutated(text: string): { what: string; bytes: Buffer } {
  return pick([() => changeByte(text), () => changePiece(text.split('\n'), /(?=[":,{}[\]])/)])()
}

for (const [what, text, read] of [
  ['an order of an adapter', order, (json) => readOrder(json, { reference })],
  ['a batch of PayPal', batch, (json) => readBatch(json, { reference })],
] as [string, string, (json: unknown) => OrderReport | null][]) {
  test(`a mutation of ${what} is read as a whole, or not at all (seed ${seed})`, () => {
    assert.ok(read(JSON.parse(text)))
    for (let index = 0; index < COUNT; index++) {
      const { what: change, bytes } = mutated(text)
      const report = read(parsed(bytes))
      if (report === null) continue
      assert.ok(ORDER_STATES.includes(report.state), change)
      // No single change turns these into another state, so no payment is paid or refunded by one.
      assert.ok(['submitted', 'accepted', 'rejected'].includes(report.state), `${change}: ${report.state}`)
      assert.ok(Number.isSafeInteger(report.cents) && report.cents >= 0, change)
      assert.ok(report.processorId.length > 0 && report.processorId.length <= 200, change)
      assert.ok(report.feeCents === null || Number.isSafeInteger(report.feeCents), change)
    }
  })
}

test(`a mutation of an event or an error never throws, and a mutated event is refused (seed ${seed})`, () => {
  const body = JSON.stringify({ type: 'order.changed', reference, status: 'paid' }, null, 1)
  const headers = { 'webhook-id': 'e1', 'webhook-timestamp': '1764331200', 'webhook-signature': 'v1,AAAA' }
  const now = new Date(1_764_331_200_000)
  for (let index = 0; index < COUNT; index++) {
    const { bytes } = mutated(body)
    assert.equal(typeof readAdapterEvent({ headers, body: bytes.toString() }, { key: 'k', now }), 'string')
    readBatchError(
      parsed(
        mutated(JSON.stringify({ name: 'X', details: [{ field: 'A', issue: 'B', link: [{}] }], links: [{ href: 1 }] }))
          .bytes,
      ),
    )
  }
})
