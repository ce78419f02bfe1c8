import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { WebhookError, webhooks } from '../src/index.ts'

const KEY = '335b5728e25b47e88995fce207bff380'
const OTHER_KEY = '00000000000000000000000000000000'
const BODY = '{"status": "PAID", "id": "ed0af5fb335c47dd8eb53199ba50f5c4", "type": "CHECK"}'
const NOW = new Date('2026-11-28T12:00:00Z')
/** The known-good vector of the contract. */
const NONCE_HEADER = 'nonce=1243549809,signature=4ee9758fc0bceb3ca1a2fe397fbd125364cfffdb04296fa118dab9778a4b3ce3'

const whsec = (key: string) => `whsec_${Buffer.from(key).toString('base64')}`

/** The headers of an attempt, signed with the library of Standard Webhooks. */
function headersOf({ keys = [KEY], body = BODY, sentAt = NOW, id = 'event-1' } = {}): Record<string, string> {
  return {
    signature: NONCE_HEADER,
    'Webhook-Id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': keys.map((key) => new Webhook(whsec(key)).sign(id, sentAt, body)).join(' '),
    'webhook-sequence': '7',
  }
}

test('a webhook is verified by its Standard Webhooks signature, in each form of body, headers and key', async () => {
  const verified = await webhooks.verify(BODY, headersOf(), KEY, { now: NOW })
  assert.deepEqual(verified, { webhookId: 'event-1', sentAt: NOW, sequence: 7, event: JSON.parse(BODY) })
  for (const body of [Buffer.from(BODY), new TextEncoder().encode(BODY).buffer as ArrayBuffer]) {
    assert.deepEqual(await webhooks.verify(body, new Headers(headersOf()), whsec(KEY), { now: NOW }), verified)
  }
})

test('during a rotation, any of the keys may have signed', async () => {
  const both = headersOf({ keys: [OTHER_KEY, KEY] })
  for (const keys of [KEY, [KEY], ['unused', KEY], [KEY, OTHER_KEY]]) {
    assert.equal((await webhooks.verify(BODY, both, keys, { now: NOW })).webhookId, 'event-1')
  }
})

test('a webhook with a different body, key, id or time, or without a header, is refused', async () => {
  const good = headersOf()
  const refused: [string, Record<string, string | undefined>, string][] = [
    [`${BODY} `, good, KEY],
    [BODY, good, OTHER_KEY],
    [BODY, { ...good, 'Webhook-Id': 'event-2' }, KEY],
    [BODY, { ...good, 'webhook-timestamp': String(NOW.getTime() / 1_000 + 1) }, KEY],
    [BODY, { ...good, 'webhook-signature': 'v1,not base64 v2,AAAA' }, KEY],
    [BODY, { signature: NONCE_HEADER }, KEY],
    [BODY, good, ''],
    [BODY, {}, KEY],
  ]
  for (const [body, headers, key] of refused) {
    await assert.rejects(
      webhooks.verify(body, headers, key, { now: NOW }),
      WebhookError,
      JSON.stringify([headers, key]),
    )
  }
})

test('a webhook that is older than the tolerance, or too far in the future, is refused', async () => {
  const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)
  for (const [seconds, isAccepted] of [
    [-300, true],
    [-301, false],
    [300, true],
    [301, false],
  ] as const) {
    const verified = webhooks.verify(BODY, headersOf({ sentAt: at(seconds) }), KEY, { now: NOW })
    if (isAccepted) await verified
    else await assert.rejects(verified, WebhookError, `${seconds}`)
  }
  await webhooks.verify(BODY, headersOf({ sentAt: at(-3_000) }), KEY, { now: NOW, toleranceSeconds: 3_600 })
})

test('an id is remembered only after the webhook is verified, so a forged one does not hide the real one', async () => {
  const seen = new Map<string, Date>()
  const remember = (id: string, until: Date) => !seen.has(id) && !!seen.set(id, until)
  const options = { now: NOW, remember }
  await assert.rejects(webhooks.verify(BODY, headersOf({ keys: [OTHER_KEY] }), KEY, options), WebhookError)
  assert.equal(seen.size, 0)
  await webhooks.verify(BODY, headersOf(), KEY, options)
  // Until the service no longer repeats the event.
  assert.ok((seen.get('event-1') as Date).getTime() - NOW.getTime() >= 17 * 3_600_000)
  await assert.rejects(webhooks.verify(BODY, headersOf(), KEY, options), /received before/)
})

test('the header "signature" is accepted only if the receiver asks for it', async () => {
  const headers = { signature: NONCE_HEADER }
  const verified = await webhooks.verify(BODY, headers, [OTHER_KEY, KEY], { scheme: 'nonce', now: NOW })
  assert.deepEqual(verified, { webhookId: '1243549809', sentAt: null, sequence: null, event: JSON.parse(BODY) })
  await assert.rejects(webhooks.verify(BODY, headers, KEY, { now: NOW }), WebhookError)
  await assert.rejects(webhooks.verify(BODY, headers, OTHER_KEY, { scheme: 'nonce' }), WebhookError)
  await assert.rejects(
    webhooks.verify(BODY, { signature: 'nonce=1,signature=00' }, KEY, { scheme: 'nonce' }),
    WebhookError,
  )
})

test('a body that is signed but not JSON is refused', async () => {
  const signature = createHmac('sha256', KEY).update('no json1').digest('hex')
  const headers = { signature: `nonce=1,signature=${signature}` }
  await assert.rejects(webhooks.verify('no json', headers, KEY, { scheme: 'nonce' }), WebhookError)
})

test('a full body is verified over all its bytes, and its object has the type of the event', async () => {
  const body = `${BODY.slice(0, -1)},"event":"event-1","date":"2026-11-28 12:00:00","object":{"amount":10}}`
  const { event } = await webhooks.verify(body, headersOf({ body }), KEY, { now: NOW })
  assert.equal(event.type === 'CHECK' && event.object?.amount, 10)
  const forged = body.replace('10}', '11}')
  await assert.rejects(webhooks.verify(forged, headersOf({ body }), KEY, { now: NOW }), WebhookError)
})
