import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Permission } from '../src/foundation/core/permission-rules.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import type { Caller } from '../src/foundation/http/caller.ts'
import { bodyToSend } from '../src/webhook/delivery/full-body-actions.ts'
import { addEndpoint, changeEndpoint } from '../src/webhook/endpoint/endpoint-actions.ts'
import { getDelivery } from '../src/webhook/history/history-actions.ts'
import { createEventSweep } from '../src/webhook/history/history-worker.ts'
import type { Api } from './support/api.ts'
import { makeEvents, newEndpoint, newPlatform } from './support/endpoints.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { addVerifiedBank, startTestService } from './support/service.ts'
import { isAuthentic } from './support/webhooks.ts'

// Full bodies of webhooks: the object of the event in the form that `GET` returns to the owner.

const service = await startTestService({ after })
const { deps } = service
const { sql } = deps
const ALL_TYPES = ['CHECK', 'INVOICE', 'BANK', 'USER', 'PREFUND_ACCOUNT', 'CHECKBOOK', 'SUBSCRIPTION', 'MAIL']

const INVOICE = { amount: 250, name: 'Carol', recipient: 'carol@example.com', description: 'Painting' }

/** Causes one event of each type. @returns the path of each object, by type */
async function causeEvents(user: Api, bank: string): Promise<Record<string, string>> {
  const check = await sendPayment(user, { recipient: 'paid@example.com', description: 'Rent of March' })
  await triggerStatus(user, check.id, 'PAID')
  const invoice = (await user.post('/v3/invoice', INVOICE)).body.id
  await user.del(`/v3/invoice/${invoice}`)
  const { body: wallet } = await user.post('/v3/account/wallet', { name: 'Payouts' })
  await user.post(`/v3/sandbox/wallet/${wallet.id}/fund`, { amount: 100 })
  const rent = { amount: 1850, name: 'Elm Street', recipient: 'rent@elm.example', interval: 'MONTHLY' }
  const subscription = (await user.post('/v3/subscription/check', rent)).body.id
  await user.del(`/v3/subscription/${subscription}`)
  const address = { name: 'Alice Sender', line_1: '500 Market St', city: 'San Francisco', state: 'CA', zip: '94105' }
  const order = { account: bank, number: 5001, mail_type: 'USPS_FIRST_CLASS', recipient: address }
  const checkbook = (await user.post('/v3/checkbook', order)).body.id
  await user.del(`/v3/checkbook/${checkbook}`)
  const { body: mailbox } = await user.post('/v3/mailbox', {})
  const letter = { sender: 'Dana Supplier LLC', recipient: 'Alice Sender' }
  const mail = (await user.post(`/v3/sandbox/mailbox/${mailbox.id}/mail`, letter)).body.id
  return {
    CHECK: `/v3/check/${check.id}`,
    INVOICE: `/v3/invoice/${invoice}`,
    BANK: `/v3/bank/${bank}`,
    PREFUND_ACCOUNT: `/v3/account/wallet/${wallet.id}`,
    CHECKBOOK: `/v3/checkbook/${checkbook}`,
    SUBSCRIPTION: `/v3/subscription/${subscription}`,
    MAIL: `/v3/mailbox/${mailbox.id}/mail/${mail}`,
  }
}

/** The last body of each type. */
const lastByType = (bodies: string[]) => new Map(bodies.map((body) => [JSON.parse(body).type as string, body]))

test('a full body contains the thin one, the event, its time and the object as returned by GET, for each type', async (t) => {
  const receiver = await startReceiver(t)
  const thin = await startReceiver(t)
  const { api, id, webhookKey } = await service.newOwner()
  const endpoint = await newEndpoint(api, receiver.url, { event_types: ALL_TYPES, body_format: 'FULL' })
  assert.equal(endpoint.body_format, 'FULL')
  assert.equal((await newEndpoint(api, thin.url, { event_types: ALL_TYPES })).body_format, 'THIN')
  const user = await service.newUser(undefined, api)
  await user.put('/v3/user/webhook', { status: 'VERIFIED' })
  const paths = { USER: `/v3/user/${user.id}`, ...(await causeEvents(api, await addVerifiedBank(api))) }
  while ((await service.deliverWebhooks()) > 0);
  const [full, usual] = [receiver, thin].map(({ received }) => lastByType(received.map(({ body }) => body)))
  assert.deepEqual([...(full?.keys() ?? [])].sort(), ALL_TYPES.toSorted())
  for (const type of ALL_TYPES) {
    const body = full?.get(type) ?? ''
    const expected = usual?.get(type) ?? ''
    assert.ok(body.startsWith(`${expected.slice(0, -1)},"event":"`), `${type}: ${body}`)
    const { event, date, object, ...rest } = JSON.parse(body)
    assert.deepEqual(rest, JSON.parse(expected))
    const recorded = (await api.get(`/v3/webhook/event/${event}`)).body
    assert.deepEqual([recorded.date, recorded.body], [date, expected])
    const answer = (await api.get(paths[type as keyof typeof paths])).body
    if (type === 'PREFUND_ACCOUNT') {
      assert.match(object.numbers.ACH.account, /^\W+\d{4}$/, 'the number of the wallet is masked')
      answer.numbers = object.numbers
    }
    assert.deepEqual(object, answer, type)
  }
  const [first] = receiver.received
  assert.ok(first && isAuthentic(first, webhookKey))
  new Webhook(`whsec_${Buffer.from(webhookKey).toString('base64')}`).verify(first.body, first.headers as never)
  const [row] = await sql<{ count: number; thinCount: number }[]>`
    select count(*) filter (where endpoint_id = ${endpoint.id}) as count,
      count(*) filter (where endpoint_id <> ${endpoint.id}) as thin_count
    from full_bodies
    where platform_id = ${id}
  `
  assert.deepEqual({ ...row }, { count: receiver.received.length, thinCount: 0 })
})

test('attempts and replays send the same bytes, even if the object has changed since the first', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = 500
  const platform = await newPlatform(service)
  const { id } = await newEndpoint(platform.api, receiver.url, { body_format: 'FULL' })
  const [payment = ''] = await makeEvents(service, platform, 1)
  await service.deliverWebhooks()
  const [{ id: event }] = (await platform.api.get('/v3/webhook/event')).body.events
  const delivery = `/v3/webhook/delivery/${event}/${id}`
  await platform.api.put(`/v3/webhook/endpoint/${id}`, { body_format: 'THIN' })
  await triggerStatus(platform.sender, payment, 'PAID')
  receiver.answer = 200
  service.clock.advance(31)
  while ((await service.deliverWebhooks()) > 0);
  await platform.api.post(`${delivery}/replay`)
  await service.deliverWebhooks()
  const bodies = receiver.received.map(({ body }) => body)
  const ofEvent = bodies.filter((body) => body.includes(event))
  assert.equal(ofEvent.length, 3)
  assert.equal(new Set(ofEvent).size, 1)
  assert.deepEqual(JSON.parse(ofEvent[0] as string).object.status, 'IN_PROCESS')
  assert.equal((await platform.api.get(delivery)).body.body, ofEvent[0])
  const others = bodies.filter((body) => !body.includes(event)).map((body) => JSON.parse(body))
  assert.deepEqual(
    others.map((body) => [body.status, 'object' in body]),
    [['PAID', false]],
    'events after the change are thin',
  )
})

test('an event that was first sent thin stays thin', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = 500
  const platform = await newPlatform(service)
  const { id } = await newEndpoint(platform.api, receiver.url)
  await makeEvents(service, platform, 1)
  await service.deliverWebhooks()
  assert.equal((await platform.api.put(`/v3/webhook/endpoint/${id}`, { body_format: 'FULL' })).body.body_format, 'FULL')
  service.clock.advance(31)
  await service.deliverWebhooks()
  assert.equal(receiver.received.length, 2)
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  assert.equal('object' in (receiver.events()[0] as object), false)
})

test('a delivery shows its full body after the first attempt, and its thin body at once', async (t) => {
  const [full, thin] = [await startReceiver(t), await startReceiver(t)]
  const platform = await newPlatform(service)
  const fullId = (await newEndpoint(platform.api, full.url, { body_format: 'FULL' })).id
  const thinId = (await newEndpoint(platform.api, thin.url)).id
  await makeEvents(service, platform, 1)
  const [{ id: event, body }] = (await platform.api.get('/v3/webhook/event')).body.events
  const shown = async (endpoint: string) =>
    (await platform.api.get(`/v3/webhook/delivery/${event}/${endpoint}`)).body.body
  assert.deepEqual([await shown(fullId), await shown(thinId)], [null, body])
  await service.deliverWebhooks()
  assert.deepEqual([await shown(fullId), await shown(thinId)], [full.received[0]?.body, body])
})

test('an object that the owner cannot read, or that no longer exists, is null', async (t) => {
  const receiver = await startReceiver(t)
  const { api } = await service.newOwner()
  await newEndpoint(api, receiver.url, { event_types: ALL_TYPES, body_format: 'FULL' })
  const user = await service.newUser(undefined, api)
  const paths = await causeEvents(user, await addVerifiedBank(user))
  while ((await service.deliverWebhooks()) > 0);
  const isReadable = async (path: string) => (await api.get(path)).status === 200
  for (const [type, body] of lastByType(receiver.received.map(({ body }) => body))) {
    const { object } = JSON.parse(body)
    assert.equal(object !== null, await isReadable(paths[type] as string), type)
  }
  const bank = await addVerifiedBank(user)
  await user.del(`/v3/bank/${bank}`)
  await service.deliverWebhooks()
  assert.equal((await api.get(`/v3/bank/${bank}`)).status, 404)
  const ofBank = receiver.received.map(({ body }) => JSON.parse(body)).filter(({ id }) => id === bank)
  assert.ok(ofBank.length > 0 && ofBank.every(({ object }) => object === null))
})

test('a payment from another platform is shown as the recipient’s owner can read it', async (t) => {
  const receiver = await startReceiver(t)
  const sending = await newPlatform(service)
  const receiving = await service.newOwner()
  await newEndpoint(receiving.api, receiver.url, { body_format: 'FULL' })
  const payment = await sendPayment(sending.sender, { recipient: receiving.email })
  await service.applyOutbox()
  const account = await addVerifiedBank(receiving.api)
  const deposit = await receiving.api.post(`/v3/check/deposit/${payment.id}`, { account })
  assert.equal(deposit.status, 201, deposit.text)
  while ((await service.deliverWebhooks()) > 0);
  const { object } = JSON.parse(receiver.received[0]?.body ?? '{}')
  assert.deepEqual(object, (await receiving.api.get(`/v3/check/${payment.id}`)).body)
})

test('full bodies are sealed, and are deleted with their event', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  await newEndpoint(platform.api, receiver.url, { body_format: 'FULL' })
  await sendPayment(platform.sender, { name: 'Wilhelmina Sealed', recipient: 'w@example.com' }).then(({ id }) =>
    triggerStatus(platform.sender, id, 'PAID'),
  )
  while ((await service.deliverWebhooks()) > 0);
  assert.match(receiver.received[0]?.body ?? '', /Wilhelmina Sealed/)
  const stored = await sql<{ bodySealed: Buffer }[]>`
    select body_sealed from full_bodies where platform_id = ${platform.id}
  `
  assert.equal(stored.length, receiver.received.length)
  assert.ok(stored.every(({ bodySealed }) => !bodySealed.includes('Wilhelmina') && !bodySealed.includes(platform.id)))
  service.clock.advance(31 * 24 * 60 * 60)
  const { run } = createEventSweep()
  while ((await run(deps, {})) > 0);
  const left = await sql`select from full_bodies where platform_id = ${platform.id}`
  assert.equal(left.length, 0)
})

test('a caller without the permission to read can neither choose nor see full bodies', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  const endpoint = await newEndpoint(platform.api, receiver.url, { body_format: 'FULL' })
  await makeEvents(service, platform, 1)
  await service.deliverWebhooks()
  const [{ id: event }] = (await platform.api.get('/v3/webhook/event')).body.events
  const caller: Caller = {
    platformId: platform.id,
    userId: platform.id,
    isOwner: true,
    permissions: new Set<Permission>(['developers']),
    credential: { kind: 'api_key', id: platform.id },
    origin: { address: '127.0.0.1', userAgent: null },
  }
  const denied = { code: 'permission_denied' }
  const given = { url: 'https://hooks.example.com/', name: null, eventTypes: undefined }
  await assert.rejects(
    inTransaction(deps, (tx) => addEndpoint(tx, caller, { ...given, bodyFormat: 'FULL' })),
    denied,
  )
  const change = (changes: object) =>
    inTransaction(deps, (tx) => changeEndpoint(tx, caller, { id: endpoint.id, ...changes }))
  await assert.rejects(change({ url: 'https://mine.example.com/' }), denied, 'and it cannot change the receiver')
  assert.equal((await getDelivery(deps, caller, { eventId: event, endpointId: endpoint.id })).sentBody, null)
  const { endpoint: thin } = await change({ bodyFormat: 'THIN' })
  assert.equal(thin.bodyFormat, 'THIN')
})

test('an unreadable object delays only its own event', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  await newEndpoint(platform.api, receiver.url, { body_format: 'FULL' })
  const [broken, ...others] = await makeEvents(service, platform, 3)
  const { readEventObject } = deps
  deps.readEventObject = (given, event) => {
    if (event.subjectId === broken) throw new Error('the object cannot be read')
    return readEventObject(given, event)
  }
  t.after(() => {
    deps.readEventObject = readEventObject
  })
  const receivedIds = () => receiver.events().map(({ id }) => id)
  await service.deliverWebhooks()
  assert.deepEqual(receivedIds().sort(), others.toSorted(), 'events of different payments arrive in any order')
  deps.readEventObject = readEventObject
  service.clock.advance(31)
  await service.deliverWebhooks()
  assert.deepEqual(receivedIds().slice(others.length), [broken])
})

test('two workers that create the same body send the same bytes', async () => {
  const platform = await newPlatform(service)
  const delivery = {
    platformId: platform.id,
    endpointId: platform.id,
    eventId: platform.id,
    type: 'USER' as const,
    subjectId: platform.sender.id,
    body: '{"id":"1"}',
    attemptCount: 0,
    attemptsBefore: 0,
    fullBodySealed: null,
    eventAt: deps.clock.now(),
    sequence: 1,
    offsetMs: 0,
  }
  let count = 0
  const readEventObject = async () => String(++count)
  const bodies = await Promise.all([1, 2, 3].map(() => bodyToSend({ ...deps, readEventObject }, delivery, 'FULL')))
  assert.equal(new Set(bodies).size, 1)
})

test('a listener gets full bodies if it requests them, and the same bytes until it reports a result', async () => {
  const platform = await newPlatform(service)
  const { body: listener } = await platform.api.post('/v3/webhook/listener', { body_format: 'FULL' })
  const [payment] = await makeEvents(service, platform, 1)
  const poll = async () => {
    const { body } = await platform.api.post(`/v3/webhook/listener/${listener.id}`, { results: [] })
    return body.deliveries.filter((delivery: { body: string }) => JSON.parse(delivery.body).id === payment)
  }
  const [first] = await poll()
  assert.equal(JSON.parse(first.body).object.id, payment)
  await triggerStatus(platform.sender, payment as string, 'PAID')
  const [again] = await poll()
  assert.equal(again.body, first.body)
})

test('a test event for an endpoint with full bodies has their fields', async (t) => {
  const receiver = await startReceiver(t)
  const { api } = await service.newOwner()
  const { id } = await newEndpoint(api, receiver.url, { body_format: 'FULL' })
  await api.post(`/v3/webhook/endpoint/${id}/test`)
  const [first] = receiver.received
  const { type, event, object } = JSON.parse(first?.body ?? '{}')
  assert.deepEqual([type, event, object], ['TEST', first?.headers['webhook-id'], null])
})

test('a format other than THIN and FULL is refused', async () => {
  const { api } = await service.newOwner()
  const answer = await api.post('/v3/webhook/endpoint', { url: 'https://hooks.example.com/', body_format: 'full' })
  assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [400, ['body_format']])
})
