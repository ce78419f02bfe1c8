import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import type { Api } from './support/api.ts'
import { newEndpoint, readAll } from './support/endpoints.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { sendPayment } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { addBank, newAccountNumber, startTestService } from './support/service.ts'

// Events of banks, users and wallets, which only subscribed endpoints get.

const service = await startTestService({ after })
const { deps } = service
const { sql } = deps

/** The bodies that a platform received, in order. */
async function bodiesOf(owner: Api, type: string): Promise<string[]> {
  const events = await readAll(owner, service.baseUrl, `/v3/webhook/event?per_page=250&type=${type}`, 'events')
  return events.map(({ body }) => body).reverse()
}

test('each status change of a bank is sent, with its exact bytes, to subscribed endpoints', async (t) => {
  const [receiver, silent] = [await startReceiver(t), await startReceiver(t)]
  const { api } = await service.newOwner()
  await newEndpoint(api, receiver.url, { event_types: ['BANK'] })
  await newEndpoint(api, silent.url)
  const user = await service.newUser(undefined, api)
  await user.put('/v3/user', { developer: { webhook_uri: silent.url } })
  const id = await addBank(user)
  const amounts = (amount_2: number) => ({ account: id, amount_1: 0.07, amount_2 })
  await user.post('/v3/bank/release', { account: id })
  for (const wrong of [0.01, 0.02, 0.03]) await user.post('/v3/bank/verify', amounts(wrong))
  await user.post('/v3/bank/release', { account: id })
  await user.post('/v3/bank/verify', amounts(0.15))
  const bodies = ['PENDING', 'DEPOSIT_ONLY', 'PENDING', 'VERIFIED'].map(
    (status) => `{"id":"${id}","status":"${status}","type":"BANK"}`,
  )
  assert.deepEqual(await bodiesOf(api, 'BANK'), bodies)
  while ((await service.deliverWebhooks()) > 0);
  assert.deepEqual(
    receiver.received.map(({ body }) => body),
    bodies,
  )
  assert.equal(silent.received.length, 0)
})

test('a bank that is not verified in time sends an event when it lapses', async () => {
  const { api } = await service.newOwner()
  await newEndpoint(api, 'https://hooks.example.com/', { event_types: ['BANK'] })
  const user = await service.newUser(undefined, api)
  const id = await addBank(user)
  await user.post('/v3/bank/release', { account: id })
  service.clock.advance(11 * 24 * 60 * 60)
  await service.doDueWork()
  assert.equal((await bodiesOf(api, 'BANK')).at(-1), `{"id":"${id}","status":"DEPOSIT_ONLY","type":"BANK"}`)
})

test('each status change of a user is sent: by its data, by the operator, and when it is deleted', async () => {
  const { api, id: platformId } = await service.newOwner()
  await newEndpoint(api, 'https://hooks.example.com/', { event_types: ['USER'] })
  const user = await service.newUser(undefined, api)
  const key = { platformId, userId: user.id }
  await user.put('/v3/user', { user: { first_name: 'Ada' } })
  await user.put('/v3/user', { user: { phone: '+14155552671' } })
  await user.put('/v3/user/webhook', { status: 'VERIFIED' })
  await inTransaction(deps, (tx) => decideUser(tx, key, 'suspend'))
  await assert.rejects(inTransaction(deps, (tx) => decideUser(tx, key, 'suspend')))
  await api.del(`/v3/user/${user.id}`)
  assert.deepEqual(
    await bodiesOf(api, 'USER'),
    ['PENDING', 'VERIFIED', 'SUSPENDED', 'CLOSED'].map(
      (status) => `{"id":"${user.id}","status":"${status}","type":"USER"}`,
    ),
  )
})

test('decisions of the operator have the time of the platform, even if its clock is ahead', async () => {
  const { api, id: platformId } = await service.newOwner()
  await newEndpoint(api, 'https://hooks.example.com/', { event_types: ['USER'] })
  await sql`insert into platform_clocks (platform_id, offset_ms) values (${platformId}, ${40 * 24 * 60 * 60 * 1000})`
  deps.clocks.forget(platformId)
  const user = await service.newUser(undefined, api)
  await inTransaction(deps, (tx) => decideUser(tx, { platformId, userId: user.id }, 'verify'))
  const [{ date }] = (await api.get('/v3/webhook/event')).body.events
  const ahead = Date.parse(`${date.replace(' ', 'T')}Z`) - service.clock.now().getTime()
  assert.equal(ahead, 40 * 24 * 60 * 60 * 1000)
})

test('events without a subscriber are not stored, and a refused request sends nothing', async () => {
  const { api, id: platformId } = await service.newOwner()
  const user = await service.newUser(undefined, api)
  const bank = await addBank(user)
  const wallet = await newWallet(user)
  await user.post('/v3/bank/release', { account: bank })
  assert.equal((await sql`select from events where platform_id = ${platformId}`).length, 0)
  const { id } = await newEndpoint(api, 'https://hooks.example.com/', { event_types: ['BANK', 'PREFUND_ACCOUNT'] })
  assert.equal((await user.post('/v3/bank/release', { account: bank })).body.code, 'bank_not_deposit_only')
  await user.post(`/v3/sandbox/wallet/${wallet}/fund`, { amount: 0.011 })
  await api.del(`/v3/webhook/endpoint/${id}`)
  await user.post(`/v3/sandbox/wallet/${wallet}/fund`, { amount: 1 })
  assert.equal((await sql`select from events where platform_id = ${platformId}`).length, 0)
})

test('no platform gets events of another platform', async () => {
  const [{ api }, other] = [await service.newOwner(), await service.newOwner()]
  await newEndpoint(api, 'https://hooks.example.com/', { event_types: ['BANK', 'USER', 'PREFUND_ACCOUNT'] })
  const user = await service.newUser(undefined, other.api)
  await user.post('/v3/bank/release', { account: await addBank(user, newAccountNumber()) })
  await newWallet(user)
  await user.put('/v3/user', { user: { phone: '+14155552671' } })
  assert.deepEqual((await api.get('/v3/webhook/event')).body, { events: [] })
})

test('the available balance of a wallet is sent whenever it changes, exact to the cent', async () => {
  const { api } = await service.newOwner()
  await newEndpoint(api, 'https://hooks.example.com/', { event_types: ['PREFUND_ACCOUNT'] })
  const [sender, payee] = [await service.newUser(undefined, api), await service.newUser(undefined, api)]
  const [from, into] = [await newWallet(sender, 100), await newWallet(payee, 0)]
  const order = { account: from, amount: 0.05 }
  const check = await sendPayment(sender, { ...order, recipient: payee.userId })
  assert.equal(await balanceOf(sender, from), 99.95)
  await payee.post(`/v3/check/deposit/${check.id}`, { account: into })
  const held = await sendPayment(sender, { ...order, amount: 9.95 })
  await sender.del(`/v3/check/${held.id}`)
  await sendPayment(sender, { ...order, amount: 99.95, recipient: { id: payee.userId, account: into } })
  const told = (id: string, balance: string) => `{"id":"${id}","type":"PREFUND_ACCOUNT","balance":${balance}}`
  const bodies = await bodiesOf(api, 'PREFUND_ACCOUNT')
  assert.deepEqual(
    bodies.filter((body) => body.includes(from)),
    ['100.00', '99.95', '90.00', '99.95', '0.00'].map((balance) => told(from, balance)),
  )
  assert.deepEqual(
    bodies.filter((body) => body.includes(into)),
    ['0.05', '100.00'].map((balance) => told(into, balance)),
  )
  await assertLedger(service)
})

test('of fifty concurrent payments from one wallet, each balance follows the previous one, also at the receiver', async (t) => {
  const receiver = await startReceiver(t)
  const { api } = await service.newOwner()
  await newEndpoint(api, receiver.url, { event_types: ['PREFUND_ACCOUNT'] })
  const [sender, payee] = [await service.newUser(undefined, api), await service.newUser(undefined, api)]
  const [from, into] = [await newWallet(sender, 100), await newWallet(payee, 0)]
  const recipient = { id: payee.userId, account: into }
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      sendPayment(sender, { account: from, amount: 1, recipient: index % 2 ? recipient : payee.userId }),
    ),
  )
  const balances = (bodies: string[], wallet: string) =>
    bodies.map((body) => JSON.parse(body)).flatMap(({ id, balance }) => (id === wallet ? balance : []))
  const falling = Array.from({ length: 51 }, (_, index) => 100 - index)
  const rising = Array.from({ length: 25 }, (_, index) => index + 1)
  const bodies = await bodiesOf(api, 'PREFUND_ACCOUNT')
  assert.deepEqual(balances(bodies, from), falling)
  assert.deepEqual(balances(bodies, into), rising)
  assert.deepEqual([await balanceOf(sender, from), await balanceOf(payee, into)], [50, 25])
  while ((await service.deliverWebhooks()) > 0);
  const received = receiver.received.map(({ body }) => body)
  assert.deepEqual([balances(received, from), balances(received, into)], [falling, rising])
  await assertLedger(service)
})

test('a request with an earlier time than the one before it does not send an earlier balance later', async () => {
  const { api } = await service.newOwner()
  const { id: endpointId } = await newEndpoint(api, 'https://hooks.example.com/', { event_types: ['PREFUND_ACCOUNT'] })
  const user = await service.newUser(undefined, api)
  const wallet = await newWallet(user, 1)
  for (const seconds of [-60, 0, 60]) {
    service.clock.advance(seconds)
    await user.post(`/v3/sandbox/wallet/${wallet}/fund`, { amount: 1 })
  }
  const due = await sql<{ body: string }[]>`
    select e.body
    from deliveries d
    join events e on e.platform_id = d.platform_id and e.id = d.event_id
    where d.endpoint_id = ${endpointId}
    order by d.next_attempt_at, d.position
  `
  const balances = (bodies: string[]) => bodies.map((body) => JSON.parse(body).balance)
  assert.deepEqual(balances(due.map(({ body }) => body)), [1, 2, 3, 4])
  assert.deepEqual(balances(await bodiesOf(api, 'PREFUND_ACCOUNT')), [1, 2, 3, 4])
})

test('a status change of a bank wakes the worker, and so does the funding of a wallet', async (t) => {
  const receiver = await startReceiver(t)
  const awake = await startTestService(t, { roles: ['http', 'worker'] })
  await newEndpoint(awake.owner, receiver.url, { event_types: ['BANK', 'PREFUND_ACCOUNT'] })
  const user = await awake.newUser()
  await user.post('/v3/bank/release', { account: await addBank(user) })
  await receiver.waitFor(1)
  await newWallet(user)
  await receiver.waitFor(2)
  assert.deepEqual(
    receiver.events().map(({ type }) => type),
    ['BANK', 'PREFUND_ACCOUNT'],
  )
})
