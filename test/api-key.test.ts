import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { DAY_MS, formatDate } from '../src/foundation/lib/clock.ts'
import type { Api } from './support/api.ts'
import { fakeClock } from './support/clock.ts'
import { newWallet } from './support/money.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { rowCounts } from './support/rows.ts'
import { addVerifiedBank, startTestService, type TestUser } from './support/service.ts'

const realClock = fakeClock('2026-11-22T12:00:00Z') // a day that cannot end during the tests
const { as, clock, deps, newOwner, newUser, owner } = await startTestService({ after }, { realClock })
const UNKNOWN_KEY = '0'.repeat(32)
/** API keys expire in real time: the clock of a sandbox cannot make an expired key valid again. */
const today = formatDate(realClock.now())
const yesterday = formatDate(new Date(realClock.now().getTime() - DAY_MS))

test('another key is created with its secret and the webhook key, and works in addition to the first', async () => {
  const user = await newUser()
  const { status, body } = await user.post('/v3/user/api_key', { name: 'Accounting', expiration_date: '2099-12-31' })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body), ['id', 'secret', 'name', 'expiration_date', 'webhook_key'])
  assert.match(body.id, /^[0-9a-f]{32}$/)
  assert.match(body.secret, /^[A-Za-z0-9]{40}$/)
  assert.match(body.webhook_key, /^[0-9a-f]{32}$/)
  assert.deepEqual([body.name, body.expiration_date], ['Accounting', '2099-12-31'])
  for (const api of [user, as(`${body.id}:${body.secret}`)])
    assert.equal((await api.get('/v3/user')).body.user.id, user.id)
})

test('the list shows only the caller’s keys, oldest first, with masked secrets', async () => {
  const [user, other] = [await newUser(), await newUser()]
  clock.advance(1)
  const { body } = await user.post('/v3/user/api_key', { name: 'Second' })
  await other.post('/v3/user/api_key', { name: 'Not mine' })
  const masked = '*'.repeat(40)
  assert.deepEqual((await user.get('/v3/user/api_key')).body, {
    api_keys: [
      { id: user.credential.slice(0, 32), name: null, expiration_date: null, secret: masked },
      { id: body.id, name: 'Second', expiration_date: null, secret: masked },
    ],
  })
})

test('name and expiration date may be left out or null', async () => {
  const user = await newUser()
  for (const request of [{}, { name: null, expiration_date: null }]) {
    const { status, body } = await user.post('/v3/user/api_key', request)
    assert.deepEqual([status, body.name, body.expiration_date], [201, null, null])
  }
})

test('the webhook key belongs to the user and is the same for all its keys', async () => {
  const [user, other] = [await newUser(), await newUser()]
  clock.advance(1)
  const webhookKeyOf = async (api: Api) => (await api.post('/v3/user/api_key', {})).body.webhook_key
  const first = await webhookKeyOf(user)
  for (const { id } of (await user.get('/v3/user/api_key')).body.api_keys.slice(1))
    await user.del(`/v3/user/api_key/${id}`)
  assert.equal(await webhookKeyOf(user), first)
  assert.notEqual(await webhookKeyOf(other), first)
  const { api, webhookKey } = await newOwner()
  assert.equal(await webhookKeyOf(api), webhookKey)
})

test('a revoked key stops working at once, and the user’s other keys keep working', async () => {
  const user = await newUser()
  const { body } = await user.post('/v3/user/api_key', {})
  const second = as(`${body.id}:${body.secret}`)
  assert.equal((await second.get('/v3/user')).status, 200)
  const revoked = await user.del(`/v3/user/api_key/${body.id}`)
  assert.deepEqual([revoked.status, revoked.text], [204, ''])
  assert.equal((await second.get('/v3/user')).body.code, 'unauthorized')
  assert.equal((await user.get('/v3/user')).status, 200)
  assert.equal((await user.del(`/v3/user/api_key/${body.id}`)).body.code, 'api_key_not_found')
})

test('a key can revoke itself', async () => {
  const user = await newUser()
  assert.equal((await user.del(`/v3/user/api_key/${user.credential.slice(0, 32)}`)).status, 204)
  assert.equal((await user.get('/v3/user')).status, 401)
})

test('the key of another user cannot be revoked, even by the owner of the platform', async () => {
  const [user, other] = [await newUser(), await newUser()]
  const key = user.credential.slice(0, 32)
  for (const api of [other, owner]) {
    for (const id of [key, UNKNOWN_KEY]) {
      const { status, body } = await api.del(`/v3/user/api_key/${id}`)
      assert.deepEqual([status, body.code], [404, 'api_key_not_found'])
    }
  }
  assert.equal((await user.get('/v3/user')).status, 200)
})

test('a key works until the end of its last day (UTC), and not on the next day', async () => {
  const user = await newUser()
  const { body } = await user.post('/v3/user/api_key', { expiration_date: today })
  assert.equal((await as(`${body.id}:${body.secret}`).get('/v3/user')).status, 200)
  const expired = (await user.post('/v3/user/api_key', { expiration_date: today })).body
  await deps.sql`update api_keys set expiration_date = ${yesterday} where key = ${expired.id}`
  assert.equal((await as(`${expired.id}:${expired.secret}`).get('/v3/user')).body.code, 'unauthorized')
})

test('an invalid name or expiration date causes a 400 that names the field, and creates no key', async () => {
  const user = await newUser()
  const before = await rowCounts(deps.sql)
  for (const [field, values] of Object.entries({
    name: ['', 'a'.repeat(181)],
    expiration_date: [yesterday, '2000-01-01', '2099-02-30', '2099-1-1', '0000-01-01', 'never', ''],
  })) {
    for (const value of values) {
      const { status, body } = await user.post('/v3/user/api_key', { [field]: value })
      assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'invalid_request', [field]], value)
    }
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('an owner’s key also acts as the owner: it has a profile, banks and keys', async () => {
  const { api, id } = await newOwner('Acme')
  assert.equal((await api.get('/v3/user')).body.user.id, id)
  assert.deepEqual((await api.get('/v3/bank')).body, { banks: [] })
  assert.equal((await api.get('/v3/user/api_key')).body.api_keys.length, 1)
})

suite('the last API key of a user', () => {
  const keyOf = (user: Api) => user.credential.slice(0, 32)

  /** Creates a user that must keep its last key. */
  const obligations: Record<string, () => Promise<TestUser>> = {
    'with an unpaid payment': async () => {
      const user = await newUser()
      await addVerifiedBank(user)
      await sendPayment(user)
      return user
    },
    'with a payment that it receives': async () => {
      const [user, sender] = [await newUser(), await newUser()]
      await addVerifiedBank(sender)
      await sendPayment(sender, { recipient: user.userId })
      return user
    },
    'with money in a wallet': async () => {
      const user = await newUser()
      await newWallet(user, 1)
      return user
    },
    'with a debit that can come back': async () => {
      const user = await newUser()
      await addVerifiedBank(user)
      await triggerStatus(user, (await sendPayment(user)).id, 'PAID')
      return user
    },
  }
  for (const [what, make] of Object.entries(obligations)) {
    test(`${what} cannot be revoked, neither by itself nor by another key that has expired`, async () => {
      const user = await make()
      const { status, body } = await user.del(`/v3/user/api_key/${keyOf(user)}`)
      assert.deepEqual([status, body.code], [400, 'last_api_key'])
      assert.match(
        body.message,
        /^The last API key of this user cannot be revoked yet\. Create another one first\. [A-Z]/,
      )
      assert.equal((await user.get('/v3/user')).status, 200)

      const expired = (await user.post('/v3/user/api_key', {})).body
      await deps.sql`update api_keys set expiration_date = '2020-01-01' where key = ${expired.id}`
      assert.equal((await user.del(`/v3/user/api_key/${keyOf(user)}`)).body.code, 'last_api_key')
      assert.equal((await user.del(`/v3/user/api_key/${expired.id}`)).status, 204)

      const second = (await user.post('/v3/user/api_key', {})).body
      assert.equal((await user.del(`/v3/user/api_key/${keyOf(user)}`)).status, 204)
      const other = as(`${second.id}:${second.secret}`)
      assert.equal((await other.del(`/v3/user/api_key/${second.id}`)).body.code, 'last_api_key')
    })
  }

  test('can be revoked without money and payments, and by an owner, who signs in', async () => {
    const user = await newUser()
    assert.equal((await user.del(`/v3/user/api_key/${keyOf(user)}`)).status, 204)
    const { api } = await newOwner()
    await newWallet(api, 1)
    assert.equal((await api.del(`/v3/user/api_key/${keyOf(api)}`)).status, 204)
  })

  test('when ten keys are revoked at once, one remains', async () => {
    const user = await newUser()
    await newWallet(user, 1)
    for (let count = 0; count < 9; count++) await user.post('/v3/user/api_key', {})
    const { api_keys: keys } = (await user.get('/v3/user/api_key')).body
    await Promise.all(keys.map(({ id }: { id: string }) => user.del(`/v3/user/api_key/${id}`)))
    const [left] = await deps.sql<{ count: number }[]>`select count(*) from api_keys where user_id = ${user.id}`
    assert.ok((left?.count ?? 0) >= 1)
  })
})

suite('an owner', () => {
  test('creates a key for its user that works like the user’s own keys, and the audit trail names the owner', async () => {
    const { api } = await newOwner()
    const user = await newUser(undefined, api)
    assert.equal((await user.del(`/v3/user/api_key/${user.credential.slice(0, 32)}`)).status, 204)
    const { status, body } = await api.post(`/v3/user/${user.id}/api_key`, {
      name: 'Rescue',
      expiration_date: '2099-12-31',
    })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['id', 'secret', 'name', 'expiration_date', 'webhook_key'])
    assert.deepEqual([body.name, body.expiration_date], ['Rescue', '2099-12-31'])
    const rescued = as(`${body.id}:${body.secret}`)
    assert.equal((await rescued.get('/v3/user')).body.user.id, user.id)
    assert.equal((await rescued.post('/v3/user/api_key', {})).body.webhook_key, body.webhook_key)
    const { audit } = (await api.get('/v3/audit?q=api_key_created')).body
    const { actor, subject } = audit.at(-1)
    assert.deepEqual([actor, subject], ['api_key', `${body.id} for user ${user.id}`])
  })

  test('gets the same answer for the same Idempotency-Key, including the secret, and one key is created', async () => {
    const { api } = await newOwner()
    const user = await newUser(undefined, api)
    const ask = () => api.post(`/v3/user/${user.id}/api_key`, {}, { idempotencyKey: 'once' })
    const [first, second] = [await ask(), await ask()]
    assert.deepEqual([first.status, second.text], [201, first.text])
    const [keys] = await deps.sql<{ count: number }[]>`select count(*) from api_keys where user_id = ${user.id}`
    assert.equal(keys?.count, 2)
  })

  test('cannot create a key for another platform’s user or a deleted or missing user, and users cannot create keys for others', async () => {
    const { api } = await newOwner()
    const other = (await newOwner()).api
    const [user, neighbour, foreign] = [
      await newUser(undefined, api),
      await newUser(undefined, api),
      await newUser(undefined, other),
    ]
    const deleted = await newUser(undefined, api)
    await api.del(`/v3/user/${deleted.id}`)
    for (const id of [foreign.id, deleted.id, '0'.repeat(32)]) {
      const { status, body } = await api.post(`/v3/user/${id}/api_key`, {})
      assert.deepEqual([status, body.code], [404, 'user_not_found'])
    }
    for (const by of [user, neighbour, foreign]) {
      const { status, body } = await by.post(`/v3/user/${user.id}/api_key`, {})
      assert.deepEqual([status, body.code], [403, 'owner_only'])
    }
    const past = await api.post(`/v3/user/${user.id}/api_key`, { expiration_date: '2020-01-01' })
    assert.deepEqual([past.status, Object.keys(past.body.errors)], [400, ['expiration_date']])
  })
})
