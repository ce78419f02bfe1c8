import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import { advanceClocks, doDueWork } from '../src/operation/scheduler/due-work.ts'
import type { Api } from './support/api.ts'
import { DAY, newPair, startFileService, statusOf as statusIn } from './support/file-service.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { webhookBodies } from './support/rows.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'
import { setWebhook } from './support/webhooks.ts'

// The clock of a platform in the sandbox (specification.md 8.3).

const service = await startTestService({ after })
const { deps } = service

async function newPlatform() {
  const { api, id } = await service.newOwner()
  const [sender, recipient] = [await service.newUser(undefined, api), await service.newUser(undefined, api)]
  await addVerifiedBank(sender)
  return { id, owner: api, sender, recipient, account: await addBank(recipient) }
}

async function advance(owner: Api, advance: string): Promise<void> {
  const { status, body, text } = await owner.put('/v3/sandbox/clock', { advance })
  assert.deepEqual([status, body.status], [200, 'advancing'], text)
  while ((await advanceClocks(deps)) > 0);
  assert.equal((await owner.get('/v3/sandbox/clock')).body.status, 'ready')
}

const statusOf = async (user: Api, id: string): Promise<string> => (await user.get(`/v3/check/${id}`)).body.status

suite('the clock of a platform', () => {
  test('advances by a duration or to a time, and new objects have dates of that time', async () => {
    const { owner, sender } = await newPlatform()
    const before = (await owner.get('/v3/sandbox/clock')).body
    assert.deepEqual([before.status, before.target], ['ready', null])
    await advance(owner, 'P3DT12H')
    const { now } = (await owner.get('/v3/sandbox/clock')).body
    const moved = (Date.parse(`${now}Z`) - Date.parse(`${before.now}Z`)) / 3_600_000
    assert.equal(moved, 84)
    assert.equal((await sendPayment(sender)).date, now)
    const later = '2031-01-31 12:00:00'
    const sent = await owner.put('/v3/sandbox/clock', { now: later })
    assert.deepEqual([sent.body.status, sent.body.target], ['advancing', later])
    while ((await advanceClocks(deps)) > 0);
    assert.equal((await owner.get('/v3/sandbox/clock')).body.now, later)
  })

  test('advances to the next banking day, when entries settle, across a weekend', async () => {
    const { owner } = await newPlatform()
    await owner.put('/v3/sandbox/clock', { now: '2031-01-31 21:00:00' }) // a Friday
    while ((await advanceClocks(deps)) > 0);
    await advance(owner, 'next_banking_day')
    assert.equal((await owner.get('/v3/sandbox/clock')).body.now, '2031-02-03 13:30:00')
  })

  test('of another platform does not change', async () => {
    const [moved, still] = [await newPlatform(), await newPlatform()]
    const before = (await still.owner.get('/v3/sandbox/clock')).body.now
    await advance(moved.owner, 'P30D')
    assert.equal((await still.owner.get('/v3/sandbox/clock')).body.now, before)
    assert.equal((await sendPayment(still.sender)).date, before)
  })

  for (const [what, body, field] of [
    ['nothing', {}, 'advance'],
    ['both', { advance: 'P1D', now: '2099-01-01 00:00:00' }, 'advance'],
    ['a duration of months', { advance: 'P1M' }, 'advance'],
    ['a duration below zero', { advance: '-P1D' }, 'advance'],
    ['an empty duration', { advance: 'P' }, 'advance'],
    ['a duration with an empty time', { advance: 'P1DT' }, 'advance'],
    ['too far', { advance: 'P9999D' }, 'advance'],
    ['a time that is past', { now: '2001-01-01 00:00:00' }, 'now'],
    ['a day that does not exist', { now: '2099-02-30 00:00:00' }, 'now'],
    ['a text', { now: 'tomorrow' }, 'now'],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const { owner } = await newPlatform()
      const before = (await owner.get('/v3/sandbox/clock')).body
      const answer = await owner.put('/v3/sandbox/clock', body)
      assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [400, [field]], answer.text)
      assert.deepEqual((await owner.get('/v3/sandbox/clock')).body, before)
    })
  }

  test('is at most ten years ahead of real time, in one step or in several', async () => {
    const { owner } = await newPlatform()
    const put = (body: object) => owner.put('/v3/sandbox/clock', body)
    for (const body of [
      { now: '9999-12-31 23:59:59' },
      { now: '2036-03-02 15:00:01' },
      { advance: 'P9999W' },
      { advance: 'P3654D' },
    ]) {
      const { status, text } = await put(body)
      assert.equal(status, 400, text)
      assert.match(text, /at most 10 years ahead of real time \(2036-03-02 15:00:00\)/)
    }
    assert.equal((await put({ advance: 'P3650D' })).status, 200)
    assert.equal((await put({ advance: 'P4D' })).status, 400, 'while it is advancing')
    assert.equal((await put({ advance: 'P3D' })).status, 200)
    while ((await advanceClocks(deps)) > 0);
    assert.equal((await put({ advance: 'PT1S' })).status, 400, 'when it has advanced')
    assert.equal((await owner.get('/v3/sandbox/clock')).body.now, '2036-03-02 15:00:00')
  })

  test('that was farther ahead before stays there, works, and advances no farther', async () => {
    const { id, owner, sender } = await newPlatform()
    await deps.sql`
      insert into platform_clocks (platform_id, offset_ms)
      values (${id}, extract(epoch from timestamptz '8990-03-02 15:00' - ${deps.clock.now()}) * 1000)
    `
    deps.clocks.forget(id)
    const { body } = await owner.get('/v3/sandbox/clock')
    assert.deepEqual(body, { now: '8990-03-02 15:00:00', status: 'ready', target: null })
    assert.equal((await owner.put('/v3/sandbox/clock', { advance: 'P1D' })).status, 400)
    const payment = await sendPayment(sender)
    await triggerStatus(sender, payment.id, 'PAID')
    assert.equal(payment.date, '8990-03-02 15:00:00')
    const { email } = await service.newOwner()
    await sendPayment(sender, { recipient: email })
  })

  test('belongs to the owner, and does not exist where time cannot be advanced', async (t) => {
    const { sender } = await newPlatform()
    assert.equal((await sender.get('/v3/sandbox/clock')).body.code, 'owner_only')
    assert.equal((await sender.put('/v3/sandbox/clock', { advance: 'P1D' })).body.code, 'owner_only')
    const demo = await startTestService(t, { environment: 'demo' })
    assert.equal((await demo.owner.get('/v3/sandbox/clock')).status, 404)
  })
})

suite('work that becomes due during an advance', () => {
  test('happens at its own time: an advance of 100 days does not expire a check that was cashed on day five', async () => {
    const { owner, sender } = await newPlatform()
    const [mailed, unpaid] = [await sendPayment(sender), await sendPayment(sender)]
    await triggerStatus(sender, mailed.id, 'MAILED')
    await advance(owner, 'P100D')
    assert.deepEqual([await statusOf(sender, mailed.id), await statusOf(sender, unpaid.id)], ['PAID', 'EXPIRED'])
    const [cashed] = await deps.sql<{ updatedAt: Date; createdAt: Date }[]>`
      select updated_at, created_at from payments where id = ${mailed.id}
    `
    const days = ((cashed?.updatedAt.getTime() ?? 0) - (cashed?.createdAt.getTime() ?? 0)) / 86_400_000
    assert.ok(days >= 5 && days < 6, `cashed after ${days} days`)
    assert.ok(isClean(await verifyLedger(deps)))
  })

  test('of every kind follows the clock: retries of webhooks, lapses of banks, trust, refunds', async (t) => {
    const { owner, sender, recipient, account } = await newPlatform()
    const receiver = await startReceiver(t)
    receiver.answer = 500
    await setWebhook(sender, receiver.url)
    const pending = await addBank(sender)
    await sender.post('/v3/bank/release', { account: pending })
    const { id } = await sendPayment(sender, { amount: 20.62, recipient: { id: recipient.userId, account } })
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, 1)
    await advance(owner, 'PT29S')
    assert.equal(await service.deliverWebhooks(), 0, 'the first retry is due after 30 seconds')
    await advance(owner, 'PT1S')
    assert.equal(await service.deliverWebhooks(), 1)
    await advance(owner, 'P60D')
    const statuses = (await webhookBodies(deps.sql, id)).map((body) => (body as { status: string }).status)
    assert.deepEqual(statuses, ['IN_PROCESS', 'PAID', 'FAILED', 'REFUNDED'])
    const { banks } = (await sender.get('/v3/bank')).body
    assert.equal(banks.find((bank: { id: string }) => bank.id === pending).status, 'DEPOSIT_ONLY')
    receiver.answer = 200
    while ((await service.deliverWebhooks()) > 0);
    const heard = receiver.events().filter(({ status }) => status !== 'IN_PROCESS')
    assert.deepEqual(
      heard.map(({ status }) => status),
      ['PAID', 'FAILED', 'REFUNDED'],
    )
  })

  test('is done once when two workers advance the same clock', async () => {
    const { owner, sender, recipient, account } = await newPlatform()
    const ids: string[] = []
    for (let count = 0; count < 30; count++) {
      ids.push((await sendPayment(sender, { recipient: { id: recipient.userId, account } })).id)
    }
    await owner.put('/v3/sandbox/clock', { advance: 'P14D' })
    await Promise.all([advanceClocks(deps), advanceClocks(deps), advanceClocks(deps)])
    while ((await advanceClocks(deps)) > 0);
    for (const id of ids) {
      const statuses = (await webhookBodies(deps.sql, id)).map((body) => (body as { status: string }).status)
      assert.deepEqual(statuses, ['IN_PROCESS', 'PAID'])
    }
    assert.ok(isClean(await verifyLedger(deps)))
  })

  test('a payment from another platform follows its sender’s clock, and both platforms are notified at once', async (t) => {
    const [from, to] = [await newPlatform(), await newPlatform()]
    const { email, api } = await service.newOwner()
    const account = await addBank(api)
    const receiver = await startReceiver(t)
    await setWebhook(api, receiver.url)
    await advance(from.owner, 'P200D')
    const { id } = await sendPayment(from.sender, { recipient: email })
    await service.applyOutbox()
    assert.equal((await api.post(`/v3/check/deposit/${id}`, { account })).status, 201)
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, 1, 'although the clock of its platform is 200 days behind')
    await advance(to.owner, 'P30D')
    assert.equal(await statusOf(api, id), 'IN_PROCESS')
    await advance(from.owner, 'P10D')
    assert.equal(await statusOf(api, id), 'PAID')
  })

  test('is told to another platform at once and in order, although days passed between the changes', async (t) => {
    const from = await newPlatform()
    const { email, api } = await service.newOwner()
    const account = await addBank(api)
    const receiver = await startReceiver(t)
    await setWebhook(api, receiver.url)
    const { id } = await sendPayment(from.sender, { amount: 20.62, recipient: email })
    await service.applyOutbox()
    assert.equal((await api.post(`/v3/check/deposit/${id}`, { account })).status, 201)
    await advance(from.owner, 'P60D')
    await service.applyOutbox()
    await service.deliverWebhooks()
    assert.deepEqual(
      receiver.events().map(({ status }) => status),
      ['IN_PROCESS', 'PAID', 'FAILED', 'REFUNDED'],
    )
  })
})

test('where clocks cannot be moved, what was due at different times is done in one pass', async (t) => {
  const production = await startFileService(t)
  const { sender, recipient } = await newPair(production)
  const ids: string[] = []
  for (let count = 0; count < 3; count++) {
    ids.push((await sendPayment(sender, { recipient: recipient.userId })).id)
    production.clock.advance(60)
  }
  production.clock.advance(80 * DAY)
  await production.doDueWork()
  assert.equal(await statusIn(sender, ids[0] as string), 'UNPAID')
  production.clock.advance(20 * DAY)
  assert.equal(await doDueWork(production.deps), 3)
  for (const id of ids) assert.equal(await statusIn(sender, id), 'EXPIRED')
  await production.assertLedger()
})

test('where clocks cannot be moved, subscriptions of a user are paid in the order in which they were due', async (t) => {
  const production = await startFileService(t)
  const { sender } = await newPair(production)
  const dayAfter = (days: number) =>
    new Date(production.clock.now().getTime() + days * DAY * 1000).toISOString().slice(0, 10)
  const subscribe = async (name: string, startDate: string) => {
    const order = { amount: 10, name, recipient: `${name}@example.com`, interval: 'MONTHLY', start_date: startDate }
    const { status, text } = await sender.post('/v3/subscription/check', order)
    assert.equal(status, 201, text)
  }
  await subscribe('second', dayAfter(4))
  await subscribe('first', dayAfter(2))
  production.clock.advance(6 * DAY)
  assert.equal(await doDueWork(production.deps), 2)
  const { checks } = (await sender.get('/v3/check')).body
  const sorted = checks.toSorted((a: { number: string }, b: { number: string }) => Number(a.number) - Number(b.number))
  assert.deepEqual(
    sorted.map(({ name }: { name: string }) => name),
    ['first', 'second'],
  )
})
