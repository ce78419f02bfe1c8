import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ApiError } from '../src/foundation/core/errors.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { createOwner } from '../src/people/auth/owner/owner-actions.ts'
import { USER_STATUSES } from '../src/people/user/user-status.ts'
import type { Api } from './support/api.ts'
import { JPEG as JPEG_IMAGE, png } from './support/images.ts'
import { newAccountHolder } from './support/oauth.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { rowCounts, webhookBodies } from './support/rows.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

const service = await startTestService({ after })
const { as, deps, newOwner, newUser, owner } = service
const UNKNOWN_ID = '0'.repeat(32)
const PNG = png(30, 10).toString('base64')
const JPEG = JPEG_IMAGE.toString('base64')

const address = { line_1: '1 Main Street', line_2: 'Floor 2', city: 'Albany', state: 'NY', zip: '12207', country: 'US' }
const person = { first_name: 'Ada', last_name: 'Lovelace', dob: '1990-12-10', ssn: '123456789' }

test('a user is created with a key and a secret that work at once', async () => {
  const { status, body } = await owner.post('/v3/user', { user_id: 'customer 7', name: 'Ada Lovelace' })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body), ['id', 'user_id', 'key', 'secret'])
  assert.equal(body.user_id, 'customer 7')
  assert.match(body.id, /^[0-9a-f]{32}$/)
  assert.match(body.key, /^[0-9a-f]{32}$/)
  assert.match(body.secret, /^[A-Za-z0-9]{40}$/)
  assert.equal((await as(`${body.key}:${body.secret}`).get('/v3/user')).body.user.id, body.id)
})

test('user_id has 2 to 80 characters and name 2 to 180, of any script', async () => {
  for (const [user_id, name, field] of [
    ['a', 'ab', 'user_id'],
    ['', 'ab', 'user_id'],
    ['a'.repeat(81), 'ab', 'user_id'],
    ['a'.repeat(300), 'ab', 'user_id'],
    ['ok', 'a', 'name'],
    ['ok', 'a'.repeat(181), 'name'],
  ] as const) {
    const { status, body } = await owner.post('/v3/user', { user_id, name })
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'invalid_request', [field]])
  }
  for (const [user_id, name] of [
    ['ab', 'ab'],
    ['💸'.repeat(80), '💸'.repeat(180)],
  ] as const) {
    const { status, body } = await owner.post('/v3/user', { user_id, name })
    assert.deepEqual([status, body.user_id], [201, user_id])
  }
})

test('a user_id is unique in a platform: another platform may use it, and so may this one after a deletion', async () => {
  const user = await newUser('taken')
  const before = await rowCounts(deps.sql)
  const again = await owner.post('/v3/user', { user_id: 'taken', name: 'Another' })
  assert.deepEqual(
    [again.status, again.body.code, again.body.errors],
    [400, 'user_id_taken', { user_id: ['is already in use'] }],
  )
  assert.deepEqual(await rowCounts(deps.sql), before)
  assert.equal((await owner.post('/v3/user', { user_id: 'Taken', name: 'Another' })).status, 201)
  assert.equal((await (await newOwner()).api.post('/v3/user', { user_id: 'taken', name: 'Another' })).status, 201)
  await owner.del(`/v3/user/${user.id}`)
  assert.equal((await owner.post('/v3/user', { user_id: 'taken', name: 'Another' })).status, 201)
})

test('only an owner creates, lists and deletes users, and a user reads itself', async () => {
  const user = await newUser()
  const before = await rowCounts(deps.sql)
  for (const answer of [
    await user.post('/v3/user', { user_id: 'mine', name: 'Mine' }),
    await user.get('/v3/user/list'),
    await user.del(`/v3/user/${user.id}`),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [403, 'owner_only'])
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
  assert.equal((await user.get(`/v3/user/${user.id}`)).body.user.id, user.id)
})

const NO_ADDRESS = { line_1: null, line_2: null, city: null, state: null, zip: null, country: null }

test('a new user has an empty profile: unset fields are null, an address of nulls, and no logo', async () => {
  const user = await newUser()
  const { body } = await user.get('/v3/user')
  assert.deepEqual(body, {
    user: {
      id: user.id,
      first_name: null,
      last_name: null,
      business_name: null,
      dob: null,
      phone: null,
      ssn: null,
      check_number: 1,
      invoice_number: 1,
      status: 'UNVERIFIED',
    },
    merchant: {
      address: NO_ADDRESS,
      principal_address: NO_ADDRESS,
      incorporation_date: null,
      industry: null,
      legal_firstname: null,
      legal_lastname: null,
      principal_citizenship_status: null,
      principal_occupation: null,
      tax_id: null,
      website: null,
    },
    brand: { footer: null, reply_to: null, slogan: null },
  })
  assert.deepEqual((await owner.get(`/v3/user/${user.id}`)).body, body)
})

test('every field of every wrapper is stored and returned, with SSN and tax id masked', async () => {
  const user = await newUser()
  const { ssn, ...name } = person
  const merchant = {
    address,
    principal_address: { line_1: '2 Side Street', city: 'Troy', state: 'NY', zip: '12180-1234' },
    incorporation_date: '2020-02-29',
    industry: 541_211,
    legal_firstname: 'Augusta',
    legal_lastname: 'King',
    principal_citizenship_status: 'non_resident',
    principal_occupation: 'Programmer',
    website: 'https://example.com',
  }
  const brand = { footer: 'Thank you', logo: 'iVBORw0KGgo=', reply_to: 'ada@example.com', slogan: 'We compute' }
  const counters = { check_number: 100_000_000, invoice_number: 42 }
  const { status, text } = await user.put('/v3/user', {
    user: { ...name, ssn, business_name: 'Engines', phone: '(415) 555-2671', ...counters },
    merchant: { ...merchant, tax_id: '987654321' },
    brand,
  })
  assert.deepEqual([status, text], [200, '{}'])
  const { body } = await user.get('/v3/user')
  assert.deepEqual(body, {
    user: {
      id: user.id,
      ...name,
      business_name: 'Engines',
      phone: '+14155552671',
      ssn: '*****6789',
      ...counters,
      status: 'PENDING',
    },
    merchant: {
      ...merchant,
      industry: '541211', // a text in answers
      principal_address: { ...merchant.principal_address, line_2: null, country: null },
      tax_id: '*****4321',
    },
    brand,
  })
})

test('a PUT changes only the fields that it contains', async () => {
  const user = await newUser()
  await user.put('/v3/user', {
    user: { first_name: 'Ada', last_name: 'Lovelace' },
    merchant: { address, industry: 54, tax_id: '123456789' },
    brand: { footer: 'one', slogan: 'two' },
  })
  await user.put('/v3/user', {
    user: { first_name: 'Augusta' },
    merchant: { address: { line_1: '2', city: 'B', state: 'NY', zip: '12345' } },
    brand: { footer: '' },
  })
  for (const empty of [{}, { user: {} }, { merchant: {}, bank: {}, brand: {}, developer: {}, payment: {} }]) {
    assert.equal((await user.put('/v3/user', empty)).text, '{}')
  }
  const { body } = await user.get('/v3/user')
  assert.deepEqual([body.user.first_name, body.user.last_name], ['Augusta', 'Lovelace'])
  const moved = { line_1: '2', line_2: null, city: 'B', state: 'NY', zip: '12345', country: 'US' }
  assert.deepEqual(body.merchant.address, moved)
  assert.deepEqual([body.merchant.industry, body.merchant.tax_id], ['54', '*****6789'])
  assert.deepEqual([body.brand.footer, body.brand.slogan], ['', 'two'])
})

test('an address can be set in parts; a new street clears the old second line, and null clears a part', async () => {
  const user = await newUser()
  const addressAfter = async (change: object) => {
    const { status, text } = await user.put('/v3/user', { merchant: { address: change } })
    assert.deepEqual([status, text], [200, '{}'])
    return (await user.get('/v3/user')).body.merchant.address
  }
  assert.deepEqual(await addressAfter({ city: 'Albany' }), { ...NO_ADDRESS, city: 'Albany' })
  assert.deepEqual(await addressAfter({}), { ...NO_ADDRESS, city: 'Albany' })
  await user.put('/v3/user', { user: person })
  assert.equal(await statusOf(user), 'UNVERIFIED', 'a part of an address is not an address')
  const whole = { line_1: '1 Main Street', line_2: 'Floor 2', city: 'Albany', state: 'NY', zip: '12207', country: null }
  assert.deepEqual(await addressAfter({ line_1: '1 Main Street', line_2: 'Floor 2', state: 'NY', zip: '12207' }), whole)
  assert.equal(await statusOf(user), 'PENDING')
  assert.deepEqual(await addressAfter({ country: 'US' }), { ...whole, country: 'US' })
  assert.deepEqual(await addressAfter({ line_1: '2 Side Street' }), {
    ...whole,
    line_1: '2 Side Street',
    line_2: null,
    country: 'US',
  })
  assert.deepEqual(await addressAfter({ zip: null, country: null }), {
    ...whole,
    line_1: '2 Side Street',
    line_2: null,
    zip: null,
  })
  assert.deepEqual((await user.get('/v3/user')).body.merchant.principal_address, NO_ADDRESS)
})

test('footer and slogan are cleared by null, the reply address and the logo by an empty text', async () => {
  const user = await newUser()
  const brand = { footer: 'Thank you', logo: 'iVBORw0KGgo=', reply_to: 'ada@example.com', slogan: 'We compute' }
  await user.put('/v3/user', { brand })
  assert.deepEqual((await user.get('/v3/user')).body.brand, brand)
  const { status, text } = await user.put('/v3/user', { brand: { footer: null, logo: '', reply_to: '', slogan: null } })
  assert.deepEqual([status, text], [200, '{}'])
  assert.deepEqual((await user.get('/v3/user')).body.brand, { footer: null, reply_to: null, slogan: null })
})

test('an invalid field of the profile causes a 400 that names it, and no field of the request is stored', async () => {
  const user = await newUser()
  const bad: (readonly [wrapper: string, field: string, value: unknown])[] = [
    ...['a', 'a'.repeat(81)].flatMap((value) =>
      ['first_name', 'last_name'].map((field) => ['user', field, value] as const),
    ),
    ...['a', 'a'.repeat(181)].map((value) => ['user', 'business_name', value] as const),
    ...['1990-02-30', '90-01-01', '1899-12-31', '2026-03-03', '9999-01-01', '0000-01-01', ''].map(
      (value) => ['user', 'dob', value] as const,
    ),
    ...['12', 'phone', '+1415555', '+999123456789', '(555) 555-5555 5555', '💸'].map(
      (value) => ['user', 'phone', value] as const,
    ),
    ...['123', '12345', '12345678', '1234567890', '123-45-6789', ''].map((value) => ['user', 'ssn', value] as const),
    ...[0, 100_000_001, 1.5].flatMap((value) =>
      ['check_number', 'invoice_number'].map((field) => ['user', field, value] as const),
    ),
    ['user', 'password', 'secret'],
    ['user', 'user_id', 'new'],
    ['user', 'status', 'VERIFIED'],
    ['merchant', 'address', { ...address, zip: '1234' }],
    ['merchant', 'address', { ...address, zip: '90210' }],
    ['merchant', 'address', { ...address, state: 'ZZ' }],
    ['merchant', 'principal_address', { ...address, zip: 'ABCDE' }],
    ['merchant', 'address', { ...address, zip: '12345678901' }],
    ['merchant', 'address', { ...address, state: 'a'.repeat(31) }],
    ['merchant', 'address', { ...address, line_1: 'a'.repeat(65) }],
    ['merchant', 'address', { ...address, line_2: 'a'.repeat(65) }],
    ['merchant', 'address', { line_1: '' }],
    ['merchant', 'industry', 'Computing'],
    ['merchant', 'industry', '54'],
    ['merchant', 'industry', 12],
    ['merchant', 'industry', 54.5],
    ['brand', 'reply_to', 'nobody'],
    ['brand', 'reply_to', null],
    ['merchant', 'principal_address', { ...address, street: '1' }],
    ['merchant', 'incorporation_date', '2026-13-01'],
    ['merchant', 'legal_firstname', 'a'.repeat(65)],
    ['merchant', 'legal_lastname', 'a'.repeat(65)],
    ['merchant', 'principal_citizenship_status', 'citizen'],
    ['merchant', 'principal_occupation', 'a'.repeat(41)],
    ['merchant', 'tax_id', '12-3456789'],
    ['merchant', 'tax_id', '12345678'],
    ['merchant', 'website', 'a'.repeat(101)],
    ['brand', 'button', 'red'],
    ['brand', 'check', 'blue'],
    ['payment', 'expiration', 9],
    ['payment', 'expiration', 181],
    ['payment', 'expiration', 10.5],
    ['developer', 'webhook_uri', `https://example.com/${'a'.repeat(240)}`],
    ['developer', 'webhook_uri', 'http://example.com/hook'],
    ['developer', 'webhook_uri', 'https://10.0.0.1/hook'],
    ['developer', 'webhook_uri', 'not a url'],
    ['bank', 'default', 'x'],
  ]
  const before = (await user.get('/v3/user')).text
  for (const [wrapper, field, value] of bad) {
    const { status, body } = await user.put('/v3/user', {
      ...(wrapper !== 'brand' && { brand: { slogan: 'not stored' } }),
      [wrapper]: { [field]: value },
    })
    const named = Object.keys(body.errors ?? {})
    const what = `${wrapper}.${field} = ${JSON.stringify(value)}`
    assert.deepEqual([status, body.code], [400, 'invalid_request'], what)
    assert.ok(named.every((name) => name.startsWith(`${wrapper}.${field}`)) && named.length > 0, `${what}: ${named}`)
  }
  assert.equal((await user.get('/v3/user')).text, before)
})

test('values that other services accept and this one does not are refused with the reason', async () => {
  const { body } = await (await newUser()).put('/v3/user', {
    user: { password: 'secret' },
    brand: { button: 'red', check: 'blue' },
  })
  assert.match(body.errors['user.password'][0], /Users authenticate with API keys/)
  assert.match(body.errors['brand.button'][0], /the look of pages cannot be changed/)
  assert.match(body.errors['brand.check'][0], /the look of checks cannot be changed/)
})

test('the bounds themselves are accepted', async () => {
  const user = await newUser()
  for (const body of [
    {
      user: {
        first_name: 'ab',
        last_name: 'a'.repeat(80),
        business_name: 'a'.repeat(180),
        ssn: '6789',
        dob: '1900-01-01',
      },
    },
    { user: { check_number: 1, invoice_number: 100_000_000, dob: '2026-03-02' } },
    { payment: { expiration: 10 } },
    { payment: { expiration: 180 } },
    { merchant: { website: 'a'.repeat(100), principal_occupation: 'a'.repeat(40), legal_firstname: 'a'.repeat(64) } },
    { developer: { webhook_uri: `https://example.com/${'a'.repeat(236)}` } },
    { developer: { webhook_uri: null } },
    { merchant: { industry: 11 } },
    { merchant: { industry: 541_614 } },
  ]) {
    const { status, text } = await user.put('/v3/user', body)
    assert.deepEqual([status, text], [200, '{}'], JSON.stringify(body))
  }
})

test('a bank of another user cannot be chosen, and no field of the request is stored', async () => {
  const [user, other] = [await newUser(), await newUser()]
  const bankId = await addBank(other)
  for (const field of ['default', 'billing']) {
    for (const id of [bankId, UNKNOWN_ID]) {
      const { status, body } = await user.put('/v3/user', { user: { first_name: 'Ada' }, bank: { [field]: id } })
      assert.deepEqual([status, body.code, Object.keys(body.errors)], [404, 'bank_not_found', [`bank.${field}`]])
    }
  }
  assert.equal((await user.get('/v3/user')).body.user.first_name, null)
})

test('enough data makes an UNVERIFIED user PENDING, in any order of requests', async () => {
  const steps: { name: string; requests: object[] }[] = [
    { name: 'a person', requests: [{ user: person }, { merchant: { address } }] },
    { name: 'a phone', requests: [{ user: { first_name: 'Ada' } }, { user: { phone: '+14155552671' } }] },
    {
      name: 'a business',
      requests: [
        { user: { ...person, business_name: 'Engines', phone: '+14155552671' }, merchant: { address } },
        { merchant: { tax_id: '123456789' } },
      ],
    },
  ]
  for (const { name, requests } of steps) {
    const user = await newUser()
    for (const request of requests) {
      assert.equal(await statusOf(user), 'UNVERIFIED', name)
      await user.put('/v3/user', request)
    }
    assert.equal(await statusOf(user), 'PENDING', name)
  }
})

test('the sandbox moves a user from any status to any other with one event, and to the same with none', async () => {
  const user = await newUser()
  await owner.post('/v3/webhook/endpoint', { url: 'https://hooks.example.com/users', event_types: ['USER'] })
  const events = async () => (await webhookBodies(deps.sql, user.id)).length
  for (const from of USER_STATUSES) {
    for (const to of USER_STATUSES) {
      await user.put('/v3/user/webhook', { status: from })
      assert.equal(await statusOf(user), from)
      const before = await events()
      const { status, text } = await user.put('/v3/user/webhook', { status: to })
      assert.deepEqual([status, text], [204, ''], `${from} → ${to}`)
      assert.equal(await statusOf(user), to)
      assert.equal(await events(), before + (from === to ? 0 : 1))
    }
  }
})

test('a user that has revoked all its keys is listed with an empty key', async () => {
  const user = await newUser()
  const [key] = user.credential.split(':')
  assert.equal((await user.del(`/v3/user/api_key/${key}`)).status, 204)
  const { users } = (await owner.get(`/v3/user/list?q=${user.userId}`)).body
  assert.deepEqual([users.length, users[0].id, users[0].key], [1, user.id, ''])
})

test('short lists accept a search text and a sort like all others. Most ignore them, but a sort has a sign and a field', async () => {
  const user = await newUser()
  await addBank(user)
  for (const url of ['/v3/bank', '/v3/account/card', '/v3/account/wire', '/v3/account/wallet', '/v3/user/api_key']) {
    const { status, body } = await user.get(`${url}?q=nothing&sort=%2BDATE`)
    assert.deepEqual([status, body], [200, (await user.get(url)).body], url)
    for (const sort of ['garbage', 'DATE', '', '-', '%2Bdate', '-DATE;']) {
      const refused = await user.get(`${url}?sort=${sort}`)
      assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [400, ['sort']], `${url} ${sort}`)
    }
  }
})

test('the pages list the users of a platform with their statuses, filtered by status, page by page', async () => {
  const [holder, stranger] = [await newAccountHolder(service), await newAccountHolder(service)]
  const users = [
    await newUser('page-1', holder.api),
    await newUser('page-2', holder.api),
    await newUser(undefined, stranger.api),
  ]
  await users[0]?.put('/v3/user/webhook', { status: 'SUSPENDED' })
  const read = async (query: string) => (await holder.browser.get(`/web/v1/users?${query}`)).body
  const listed = async (query: string) =>
    (await read(query)).users.map((user: Record<string, string>) => [user.user_id, user.status])
  assert.deepEqual((await listed('')).sort(), [
    ['page-1', 'SUSPENDED'],
    ['page-2', 'UNVERIFIED'],
  ])
  assert.deepEqual(await listed('status=SUSPENDED'), [['page-1', 'SUSPENDED']])
  assert.deepEqual(await listed('status=CLOSED'), [])
  assert.deepEqual(await listed('q=page-2&status=SUSPENDED'), [])
  assert.equal((await read('status=ACTIVE')).code, 'invalid_request')
  assert.equal((await read('cursor=nonsense')).code, 'invalid_cursor')
})

test('new data does not change the status of a user that the operator has decided about', async () => {
  for (const status of ['VERIFIED', 'SUSPENDED', 'CLOSED']) {
    const user = await newUser()
    await user.put('/v3/user/webhook', { status })
    await user.put('/v3/user', { user: { phone: '+14155552671' } })
    assert.equal(await statusOf(user), status)
  }
})

test('a SUSPENDED or CLOSED user can neither send nor receive, and can read', async () => {
  for (const status of ['SUSPENDED', 'CLOSED']) {
    const [user, other] = [await newUser(), await newUser()]
    await Promise.all([addVerifiedBank(user), addVerifiedBank(other)])
    const bankId = await addBank(user)
    const { id } = await sendPayment(other, { recipient: user.userId })
    await user.put('/v3/user/webhook', { status })
    const before = await rowCounts(deps.sql)
    const order = { amount: 1, name: 'Recipient', recipient: 'recipient@example.com' }
    assert.equal((await user.post('/v3/check/digital', order)).body.code, 'user_not_active')
    for (const recipient of [user.userId, { id: user.userId, account: bankId }]) {
      const refused = await other.post('/v3/check/digital', { ...order, recipient })
      assert.deepEqual([refused.status, refused.body.code], [403, 'recipient_not_active'])
    }
    const deposit = await user.post(`/v3/check/deposit/${id}`, { account: bankId })
    assert.deepEqual([deposit.status, deposit.body.code], [403, 'user_not_active'])
    assert.deepEqual(await rowCounts(deps.sql), before)
    assert.equal((await user.get(`/v3/check/${id}`)).body.status, 'UNPAID')
  }
})

test('outside of the sandbox and the demo there is no trigger', async (t) => {
  const production = await startTestService(t, { environment: 'production' })
  const user = await production.newUser()
  for (const path of ['/v3/user/webhook', `/v3/check/webhook/${UNKNOWN_ID}`]) {
    const { status, body } = await user.put(path, { status: 'VERIFIED' })
    assert.deepEqual([status, body.code], [404, 'not_found'])
  }
})

test('a deleted user is gone: its keys end at once, its banks and its profile are erased, and its payments stay', async () => {
  const [user, other] = [await newUser(), await newUser()]
  await addVerifiedBank(user)
  await user.put('/v3/user', { user: person, merchant: { address, tax_id: '123456789' } })
  await user.post('/v3/user/signature', { signature: PNG })
  const { id: paymentId } = await sendPayment(user, { recipient: other.userId })
  await user.del(`/v3/check/${paymentId}`)
  const second = (await user.post('/v3/user/api_key', {})).body
  const deleted = await owner.del(`/v3/user/${user.id}`)
  assert.deepEqual([deleted.status, deleted.text], [200, '{}'])
  for (const api of [user, as(`${second.id}:${second.secret}`)]) {
    assert.equal((await api.get('/v3/user')).body.code, 'unauthorized')
  }
  assert.equal((await owner.get(`/v3/user/${user.id}`)).body.code, 'user_not_found')
  assert.equal((await owner.del(`/v3/user/${user.id}`)).body.code, 'user_not_found')
  assert.equal((await other.get(`/v3/check/${paymentId}`)).status, 200)
  const [row] = await deps.sql`
    select status, first_name, last_name, dob, ssn_sealed, tax_id_sealed, merchant::text, deleted_at is not null as gone
    from users
    where id = ${user.id}
  `
  assert.deepEqual(
    { ...row },
    {
      status: 'CLOSED',
      firstName: null,
      lastName: null,
      dob: null,
      ssnSealed: null,
      taxIdSealed: null,
      merchant: '{}',
      gone: true,
    },
  )
  for (const table of ['signatures', 'api_keys']) {
    assert.equal((await deps.sql`select from ${deps.sql(table)} where user_id = ${user.id}`).length, 0, table)
  }
  assert.equal((await deps.sql`select from banks where user_id = ${user.id} and deleted_at is null`).length, 0)
})

test('a user with a payment in progress cannot be deleted, on either side of it, until it is final', async () => {
  const unfinished = ['UNPAID', 'IN_PROCESS', 'PRINTED', 'MAILED']
  const busyAfterwards = ['PAID', 'FAILED', 'REFUNDED'] // the debit can be returned, a refund is due: test/debtor.test.ts
  for (const status of [...unfinished, 'PAID', 'VOID', 'EXPIRED', 'FAILED', 'REFUNDED']) {
    const [sender, recipient] = [await newUser(), await newUser()]
    await addVerifiedBank(sender)
    const { id } = await sendPayment(sender, { recipient: recipient.userId })
    if (status !== 'UNPAID') await triggerStatus(sender, id, status)
    for (const user of [sender, recipient]) {
      const answer = await owner.del(`/v3/user/${user.id}`)
      const isBusy = unfinished.includes(status) || (user === sender && busyAfterwards.includes(status))
      assert.deepEqual([answer.status, answer.body.code], isBusy ? [400, 'user_busy'] : [200, undefined], status)
    }
  }
})

test('an owner is created once for an email, in upper or lower case, and with a valid address and password', async () => {
  const { email } = await newOwner()
  const before = await rowCounts(deps.sql)
  for (const [changes, code, field] of [
    [{ email }, 'email_taken', 'email'],
    [{ email: email.toUpperCase() }, 'email_taken', 'email'],
    [{ email: 'nobody' }, 'invalid_request', 'email'],
    [{ email: `${'a'.repeat(251)}@b.c` }, 'invalid_request', 'email'],
    [{ password: '1234567' }, 'invalid_request', 'password'],
    [{ name: 'A' }, 'invalid_request', 'name'],
  ] as const) {
    const wanted = { email: 'new-owner@example.com', password: 'long enough', name: 'New', ...changes }
    await assert.rejects(
      inTransaction(deps, (tx) => createOwner(tx, wanted)),
      (error: ApiError) => error.code === code && field in (error.fields ?? {}),
      JSON.stringify(changes),
    )
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('the owner of a platform cannot be deleted', async () => {
  const { api, id } = await newOwner()
  const { status, body } = await api.del(`/v3/user/${id}`)
  assert.deepEqual([status, body.code], [400, 'user_is_owner'])
  assert.equal((await api.get('/v3/user')).body.user.id, id)
})

test('a signature is a PNG or JPEG image in base64 of at most 512 KiB; a second one replaces the first', async () => {
  const user = await newUser()
  const stored = async () => {
    const rows = await deps.sql<
      { imageSealed: Buffer }[]
    >`select image_sealed from signatures where user_id = ${user.id}`
    return rows.map(({ imageSealed }) => deps.keyRing.open(imageSealed, 'user signature').toString('base64'))
  }
  const full = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(512 * 1024 - png(30, 10).length)]).toString(
    'base64',
  )
  for (const signature of [PNG, full, `data:image/jpeg;base64,${JPEG}`]) {
    const { status, text } = await user.post('/v3/user/signature', { signature })
    assert.deepEqual([status, text], [201, '{}'])
    assert.deepEqual(await stored(), [signature.replace(/^data:.*,/, '')])
  }
  const tooLarge = Buffer.concat([Buffer.from(full, 'base64'), Buffer.alloc(1)]).toString('base64')
  const withoutEnd = png(30, 10).subarray(0, -12)
  const endless = Buffer.concat([png(30, 10).subarray(0, 33), Buffer.from('fffffff461616161', 'hex'), Buffer.alloc(64)])
  const hugeJpeg = Buffer.from('ffd8ffc00011087fff7fff0301110002110003110affd9', 'hex')
  for (const signature of [
    'a',
    '!!!!',
    PNG.slice(1),
    btoa('%PDF-1.4'),
    btoa('GIF89a'),
    tooLarge,
    'data:image/png;base64,',
    ` ${PNG}`,
    // an image that cannot be drawn, or only with effort
    ...[withoutEnd, endless, hugeJpeg, png(2_000, 1_001)].map((image) => image.toString('base64')),
    '/9j/4AAQSkZJRg==',
  ]) {
    const { status, body } = await user.post('/v3/user/signature', { signature })
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'invalid_signature_image', ['signature']])
  }
  assert.deepEqual(await stored(), [JPEG])
})

const statusOf = async (user: Api): Promise<string> => (await user.get('/v3/user')).body.user.status
