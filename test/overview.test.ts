import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Api } from './support/api.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

const service = await startTestService({ after })
const DAY = 24 * 60 * 60

async function newPlatform() {
  const { api: owner, id } = await service.newOwner()
  const sender = await service.newUser(undefined, owner)
  const recipient = await service.newUser(undefined, owner)
  await addVerifiedBank(sender)
  return { id, owner, sender, recipient }
}

const attentionOf = async (owner: Api): Promise<Record<string, number>> => {
  const { body, status, text } = await owner.get('/v3/attention')
  assert.equal(status, 200, text)
  return Object.fromEntries(body.attention.map((item: { kind: string; count: number }) => [item.kind, item.count]))
}

test('attention counts items that an owner may have to act on, and none of other platforms', async () => {
  const { id: platformId, owner, sender, recipient } = await newPlatform()
  const other = await newPlatform()
  assert.deepEqual(await attentionOf(owner), {})
  const failed = await sendPayment(sender, { recipient: recipient.userId })
  service.clock.advance(45 * DAY) // the time of the failure counts
  await triggerStatus(sender, failed.id, 'FAILED', { return_code: 'R01' })
  await sender.post('/v3/bank/release', { account: await addBank(sender) })
  await sender.put('/v3/user', { payment: { expiration: 10 } })
  await sendPayment(sender, { recipient: recipient.userId })
  await owner.post('/v3/webhook/endpoint', { url: 'http://127.0.0.1:9/hook' })
  await service.ownerSql`
    update endpoints set failing_since = now() where platform_id = ${platformId} and kind = 'endpoint'
  `
  await service.ownerSql`update user_counters set debt_cents = 5 where platform_id = ${platformId} and user_id = ${sender.id}`
  const now = { payments_failed: 1, banks_to_verify: 1, users_in_debt: 1, webhooks_failing: 1 }
  assert.deepEqual(await attentionOf(owner), now)
  service.clock.advance(4 * DAY)
  assert.deepEqual(await attentionOf(owner), { ...now, payments_expiring: 1 })
  assert.deepEqual(await attentionOf(other.owner), {})
  assert.equal((await sender.get('/v3/attention')).body.code, 'owner_only')
})

test('attention counts up to 99', async () => {
  const { id: platformId, owner } = await newPlatform()
  await service.ownerSql`
    insert into user_counters (platform_id, user_id, debt_cents)
    select ${platformId}, gen_random_uuid(), 1 from generate_series(1, 120)
  `
  const { body } = await owner.get('/v3/attention')
  assert.deepEqual(body.attention, [{ kind: 'users_in_debt', count: 99, has_more: true, link: null }])
})

test('a search finds payments by words of the name, email, number, amount and id, and users, of its platform only', async () => {
  const { owner, sender } = await newPlatform()
  const stranger = await newPlatform()
  await owner.get('/v3/search?q=before') // payments created before and after the first search are found
  const dana = await sendPayment(sender, {
    name: 'Dana von  Payee',
    recipient: 'dana@payee.example',
    amount: 1_250.5,
    number: 'INV-7',
  })
  const bob = await sendPayment(sender, { name: 'Bob 100%', recipient: 'bob@payee.example', amount: 80 })
  await service.ownerSql`update search_progress set next_at = now() - interval '1 hour'`
  const found = async (q: string, by = owner): Promise<string[]> => {
    const { body, status, text } = await by.get(`/v3/search?q=${encodeURIComponent(q)}`)
    assert.equal(status, 200, text)
    assert.equal(body.is_complete, true)
    return body.payments.map(({ id }: { id: string }) => id)
  }
  for (const q of ['dana', 'DANA von payee', 'payee', 'dana@', 'inv-', '$1,250.50', '1250.5', dana.id]) {
    assert.deepEqual(await found(q), [dana.id], q)
  }
  assert.deepEqual(await found(dana.id.slice(0, 8)), [bob.id, dana.id])
  assert.deepEqual(await found('100%'), [bob.id])
  for (const q of ['%', '_ana', 'ana', '1250', 'nobody']) assert.deepEqual(await found(q), [], q)
  for (const q of ['dana', dana.id]) assert.deepEqual(await found(q, stranger.owner), [], q)
  const { users } = (await owner.get(`/v3/search?q=${sender.userId}`)).body
  assert.deepEqual(
    users.map(({ id }: { id: string }) => id),
    [sender.id],
  )
  assert.deepEqual((await stranger.owner.get(`/v3/search?q=${sender.userId}`)).body.users, [])
  assert.equal((await sender.get('/v3/search?q=dana')).body.code, 'owner_only')
})

test('a search is incomplete while another process reads the payments', async () => {
  const { id: platformId, owner, sender } = await newPlatform()
  const found = async () => {
    const { body } = await owner.get('/v3/search?q=late')
    return [body.payments.map(({ id }: { id: string }) => id), body.is_complete]
  }
  assert.deepEqual(await found(), [[], true])
  const { id } = await sendPayment(sender, { name: 'Dana Late' })
  await service.ownerSql`
    update search_progress set next_at = now() - interval '1 hour' where platform_id = ${platformId}
  `
  await service.ownerSql.begin(async (tx) => {
    await tx`select from search_progress where platform_id = ${platformId} for update`
    assert.deepEqual(await found(), [[], false])
  })
  assert.deepEqual(await found(), [[id], true])
})

test('a balance sums the wallets of a platform or a user', async () => {
  const { owner, sender, recipient } = await newPlatform()
  for (const [user, amount] of [
    [sender, 100],
    [sender, 20.5],
    [recipient, 7],
  ] as const) {
    const { body } = await user.post('/v3/account/wallet', { name: 'Cash' })
    await user.post(`/v3/sandbox/wallet/${body.id}/fund`, { amount })
  }
  const { body: wallets } = await sender.get('/v3/account/wallet')
  await sendPayment(sender, { amount: 15, account: wallets.wallets[0].id, recipient: 'someone@example.com' })
  const balanceOf = async (by: Api, query = '') => {
    const { body, status, text } = await by.get(`/v3/balance${query}`)
    assert.equal(status, 200, text)
    const { as_of, ...balance } = body
    assert.match(as_of, /^\d{4}-/)
    return balance
  }
  const own = { wallets: 2, balance: 120.5, available: 105.5, held: 15, debt: 0 }
  assert.deepEqual(await balanceOf(sender), own)
  assert.deepEqual(await balanceOf(owner, `?user=${sender.id}`), own)
  assert.deepEqual(await balanceOf(owner), { wallets: 3, balance: 127.5, available: 112.5, held: 15, debt: 0 })
  const unknown = 'f'.repeat(32)
  for (const [by, user] of [
    [sender, recipient.id],
    [owner, unknown],
  ] as const) {
    assert.equal((await by.get(`/v3/balance?user=${user}`)).body.code, 'user_not_found')
  }
})
