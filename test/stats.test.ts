import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refreshTotals } from '../src/payments/payment/totals/totals-actions.ts'
import { refreshDueTotals } from '../src/payments/payment/totals/totals-worker.ts'
import type { Api } from './support/api.ts'
import { insertPastPayments, sendPayment, triggerStatus } from './support/payments.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

const service = await startTestService({ after })
const { deps } = service
const DAY = 24 * 60 * 60

async function newPlatform() {
  const { api: owner, id } = await service.newOwner()
  const sender = await service.newUser(undefined, owner)
  const recipient = await service.newUser(undefined, owner)
  await addVerifiedBank(sender)
  const account = await addBank(recipient)
  return { id, owner, sender, recipient, to: { id: recipient.userId, account } }
}

async function statsOf(by: Api, query: string) {
  service.clock.advance(1)
  const { body, status, text } = await by.get(`/v3/stats?${query}`)
  assert.equal(status, 200, text)
  return body
}

async function summaryOf(by: Api, user?: string) {
  service.clock.advance(1)
  const { body, status, text } = await by.get(`/v3/stats/summary${user === undefined ? '' : `?user=${user}`}`)
  assert.equal(status, 200, text)
  return body
}

const today = () => service.clock.now().toISOString().slice(0, 10)

test('the figures of a summary agree: sent, waiting and failed, in total, by day and by rail', async () => {
  const { owner, sender } = await newPlatform()
  const fresh = await summaryOf(owner)
  assert.deepEqual([fresh.is_complete, fresh.sent, fresh.rails], [true, { count: 0, amount: 0 }, []])
  for (const [amount, status] of [
    [10.5, 'PAID'],
    [20, 'PAID'],
    [5, 'IN_PROCESS'],
    [7.25, 'FAILED'],
    [3, 'VOID'],
    [1, null],
  ] as const) {
    const { id } = await sendPayment(sender, { amount })
    if (status === 'VOID') await sender.del(`/v3/check/${id}`)
    else if (status !== null) await triggerStatus(sender, id, status)
  }
  const all = await summaryOf(owner)
  const figures = {
    sent: { count: 2, amount: 30.5 },
    waiting: { count: 2, amount: 6 },
    failed: { count: 1, amount: 7.25 },
  }
  assert.deepEqual(all.days.at(-1), { date: today(), ...figures })
  const { sent, waiting, failed, success_rate, return_rate, rails } = all
  assert.deepEqual({ sent, waiting, failed }, figures)
  assert.deepEqual([success_rate, return_rate], [0.6667, 0])
  assert.deepEqual(rails, [{ rail: 'ACH', ...figures.sent }])
  assert.equal(all.days.length, 30)
  assert.equal(all.time_zone, 'America/Los_Angeles')
  // One user has the same figures, also with its own key.
  for (const by of [await summaryOf(owner, sender.id), await summaryOf(sender)]) {
    assert.deepEqual({ ...by, as_of: null, is_complete: true }, { ...all, as_of: null })
  }
  assert.equal((await owner.get(`/v3/stats/summary?user=${'0'.repeat(32)}`)).body.code, 'user_not_found')
})

test('payments are counted by day, rail and status, and again after a change', async () => {
  const { owner, sender, recipient, to } = await newPlatform()
  assert.deepEqual((await statsOf(owner, 'metric=volume')).total, { count: 0, amount: 0, rate: null })
  const first = await sendPayment(sender, { amount: 10.5, recipient: recipient.userId })
  await sendPayment(sender, { amount: 20, recipient: to })
  const byDay = await statsOf(owner, 'metric=volume')
  assert.equal(byDay.points.length, 30)
  assert.deepEqual(byDay.points.at(-1), { key: today(), count: 2, amount: 30.5, rate: null })
  assert.equal(byDay.is_complete, true)
  const statuses = async () =>
    (await statsOf(owner, 'metric=volume&group=status')).points.map((point: { key: string; count: number }) => [
      point.key,
      point.count,
    ])
  assert.deepEqual(await statuses(), [
    ['IN_PROCESS', 1],
    ['UNPAID', 1],
  ])
  service.clock.advance(3 * DAY) // the hours of the payments are over now
  await sender.del(`/v3/check/${first.id}`)
  assert.deepEqual(await statuses(), [
    ['IN_PROCESS', 1],
    ['VOID', 1],
  ])
  const byRail = await statsOf(owner, 'metric=volume&group=rail')
  assert.deepEqual(byRail.points, [
    { key: '', count: 1, amount: 10.5, rate: null },
    { key: 'ACH', count: 1, amount: 20, rate: null },
  ])
})

test('rates count the payments that have ended and the debits that have settled', async () => {
  const { owner, sender, recipient } = await newPlatform()
  for (const status of ['PAID', 'PAID', 'PAID', 'FAILED']) {
    const { id } = await sendPayment(sender, { recipient: recipient.userId })
    await triggerStatus(sender, id, status as 'PAID', ...(status === 'FAILED' ? [{ return_code: 'R01' }] : []))
  }
  await sendPayment(sender, { recipient: recipient.userId })
  assert.equal((await statsOf(owner, 'metric=success_rate')).total.rate, 0.75)
  assert.equal((await statsOf(owner, 'metric=return_rate&group=month')).points.length, 2)
})

test('a user gets the statistics of its sent payments, and the owner those of each user', async () => {
  const { owner, sender, recipient } = await newPlatform()
  await sendPayment(sender, { amount: 5, recipient: recipient.userId })
  for (const [by, query] of [
    [sender, 'metric=volume'],
    [owner, `metric=volume&user=${sender.id}`],
  ] as const) {
    assert.deepEqual((await statsOf(by, query)).total, { count: 1, amount: 5, rate: null })
  }
  assert.equal((await statsOf(recipient, 'metric=volume')).total.count, 0)
  const refused = await recipient.get(`/v3/stats?metric=volume&user=${sender.id}`)
  assert.equal(refused.body.code, 'user_not_found')
})

test('a period with a wrong order or size is refused', async () => {
  const { owner } = await newPlatform()
  for (const [query, field] of [
    ['start_date=2026-02-02&end_date=2026-02-01', 'end_date'],
    ['start_date=2020-01-01&end_date=2026-02-01', 'start_date'],
  ] as const) {
    const { status, body } = await owner.get(`/v3/stats?metric=volume&${query}`)
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body.errors), [field])
  }
})

test('past hours are counted in parts, and the totals equal the payments', async () => {
  const { id: platformId, owner, sender, recipient } = await newPlatform()
  // Four payments each second of the last three hours: an hour has 14,400, and a part of the count 20,000.
  await insertPastPayments(
    service.ownerSql,
    { platformId, senderId: sender.id },
    { count: 43_200, now: service.clock.now(), stepSeconds: 0.25 },
  )
  const first = await statsOf(owner, 'metric=volume')
  assert.equal(first.is_complete, false)
  assert.ok(first.total.count > 0 && first.total.count < 43_200, String(first.total.count))
  while ((await refreshDueTotals(deps)) > 0);
  while (await refreshTotals(deps, platformId));
  const all = await statsOf(owner, 'metric=success_rate')
  assert.deepEqual([all.is_complete, all.total.count, all.total.rate], [true, 43_200, 0.5])
  const [counted] =
    await deps.sql`select sum(count)::integer as count, sum(cents)::bigint as cents from payment_totals where platform_id = ${platformId}`
  const [made] =
    await deps.sql`select count(*)::integer as count, sum(amount_cents)::bigint as cents from payments where platform_id = ${platformId}`
  assert.deepEqual(counted, made)

  // New payments are counted, regardless of the number of payments in the last hours.
  for (let hours = 0; hours < 4; hours++) {
    service.clock.advance(60 * 60)
    await sendPayment(sender, { recipient: recipient.userId })
    await refreshTotals(deps, platformId)
    await refreshTotals(deps, platformId)
    assert.equal((await statsOf(owner, 'metric=volume')).total.count, 43_201 + hours)
  }
  assert.equal(await refreshTotals(deps, platformId), false)
})
