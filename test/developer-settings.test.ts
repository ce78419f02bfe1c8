import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { newAccountHolder } from './support/oauth.ts'
import { startReceiver } from './support/receiver.ts'
import { rowCounts } from './support/rows.ts'
import { startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'
import { isAuthentic, setWebhook } from './support/webhooks.ts'

// The page with the developer settings.

const service = await startTestService({ after })
const { deps } = service

suite('API keys', () => {
  test('are listed with their last use, created with the secret and the signing key, and revoked', async () => {
    const { api, browser, webhookKey } = await newAccountHolder(service)
    const made = await browser.post('/v3/user/api_key', { name: 'Billing', expiration_date: '2099-12-31' })
    assert.deepEqual([made.status, made.body.webhook_key], [201, webhookKey])
    const list = async () => (await browser.get('/web/v1/api-keys')).body.api_keys
    const find = async (key: string | undefined) => (await list()).find(({ id }: { id: string }) => id === key)
    const [first, second] = [await find(api.credential.split(':')[0]), await find(made.body.id)]
    assert.match(first.last_used, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    assert.deepEqual([second.name, second.expiration_date, second.last_used], ['Billing', '2099-12-31', null])
    assert.ok(!JSON.stringify(await list()).includes(made.body.secret))

    const program = service.as(`${made.body.id}:${made.body.secret}`)
    assert.equal((await program.get('/v3/user')).status, 200)
    let lastUsed = null
    for (let tries = 0; tries < 50 && lastUsed === null; tries++) {
      lastUsed = (await find(made.body.id)).last_used
    }
    assert.ok(lastUsed)
    assert.equal((await browser.del(`/v3/user/api_key/${made.body.id}`)).status, 204)
    assert.equal((await program.get('/v3/user')).body.code, 'unauthorized')
    assert.equal((await list()).length, 1)
  })
})

test('an API key in the list names the member who created it, and shows whether that member has left', async () => {
  const { api, browser, id } = await newAccountHolder(service)
  const admin = await newMember(service, id, 'admin', { name: 'Grace' })
  const made = (await admin.browser.post('/v3/user/api_key', { name: 'Payroll' })).body
  const creatorOf = async (key: string | undefined) =>
    (await browser.get('/web/v1/api-keys')).body.api_keys.find((each: { id: string }) => each.id === key).created_by
  assert.equal(await creatorOf(api.credential.split(':')[0]), null)
  assert.deepEqual(await creatorOf(made.id), { name: 'Grace', is_member: true })
  assert.equal((await browser.del(`/web/v1/team/${admin.loginId}`)).status, 200)
  assert.deepEqual(await creatorOf(made.id), { name: 'Grace', is_member: false })
})

suite('webhooks', () => {
  test('the page shows the URL but not the signing key', async () => {
    const { browser } = await newAccountHolder(service)
    const settings = async () => (await browser.get('/web/v1/developer')).body
    assert.deepEqual(await settings(), {
      webhook_url: null,
      signing_key: '*'.repeat(32),
      source_addresses: [],
      allows_local_webhooks: true,
    })
    await browser.put('/v3/user', { developer: { webhook_uri: 'https://hooks.example.com/remit' } })
    assert.equal((await settings()).webhook_url, 'https://hooks.example.com/remit')

    const { id } = (await browser.get('/web/v1/context')).body.owner
    const developer = (await newMember(service, id, 'developer')).browser
    const change = (webhook_uri: string | null) => developer.put('/web/v1/developer', { developer: { webhook_uri } })
    const refused = await change('ftp://hooks.example.com')
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [400, ['developer.webhook_uri']])
    assert.deepEqual((await change('https://hooks.example.com/new')).body, {})
    assert.equal((await settings()).webhook_url, 'https://hooks.example.com/new')
    await change(null)
    assert.equal((await settings()).webhook_url, null)
  })

  test('a test event is signed like any other, its result is returned, and it is not stored for a retry', async (t) => {
    const { api, browser, webhookKey } = await newAccountHolder(service)
    const receiver = await startReceiver(t)
    const none = await browser.post('/web/v1/webhook-test')
    assert.deepEqual([none.status, none.body.code], [400, 'no_webhook_url'])

    await setWebhook(api, receiver.url)
    const before = await rowCounts(deps.sql)
    const sent = await browser.post('/web/v1/webhook-test')
    assert.equal(sent.status, 201)
    assert.deepEqual([sent.body.outcome, sent.body.http_status, sent.body.error], ['acknowledged', 200, null])
    assert.equal(receiver.received[0]?.body, sent.body.body)
    assert.ok(receiver.received.every((request) => isAuthentic(request, webhookKey)))
    assert.equal(receiver.events()[0]?.type, 'TEST')

    receiver.answer = 500
    const rejected = await browser.post('/web/v1/webhook-test')
    assert.deepEqual([rejected.body.outcome, rejected.body.http_status], ['rejected', 500])
    await setWebhook(api, 'http://localhost:1/closed')
    const unreachable = await browser.post('/web/v1/webhook-test')
    assert.deepEqual(
      [unreachable.body.outcome, unreachable.body.error],
      ['unreachable', 'the connection was refused (127.0.0.1, ::1)'],
    )
    assert.deepEqual((await rowCounts(deps.sql)).deliveries, before.deliveries)
    assert.equal(await service.deliverWebhooks(), 0)
  })

  test('webhooks use the configured source addresses in turn', async (t) => {
    const sources = ['127.0.0.2', '127.0.0.3']
    const fixed = await startTestService(t, { settings: { webhookSourceAddresses: sources } })
    const { api, browser } = await newAccountHolder(fixed)
    const receiver = await startReceiver(t)
    await setWebhook(api, receiver.url)
    assert.deepEqual((await browser.get('/web/v1/developer')).body.source_addresses, sources)
    for (let count = 0; count < 4; count++) await browser.post('/web/v1/webhook-test')
    assert.deepEqual(
      receiver.received.map(({ from }) => from),
      [...sources, ...sources],
    )
  })
})

test('requests from another site, or from another port of this host, change nothing', async () => {
  const { browser } = await newAccountHolder(service)
  const before = await rowCounts(deps.sql)
  const otherPort = service.baseUrl.replace(/\d+$/, '1')
  for (const headers of [
    { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' },
    { origin: otherPort, 'sec-fetch-site': 'same-site' },
    { origin: service.baseUrl, 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
  ]) {
    for (const [path, body] of [
      ['/v3/user/api_key', { name: 'Stolen' }],
      ['/v3/user', { user_id: 'planted', name: 'Planted' }],
      ['/v3/check/digital', { amount: 1, name: 'Thief', recipient: 'thief@example.com' }],
      ['/web/v1/applications', {}],
      ['/web/v1/webhook-test', {}],
    ] as const) {
      const answer = await browser.post(path, body, headers)
      assert.deepEqual([answer.status, answer.body.code], [403, 'foreign_origin'], `${path} ${JSON.stringify(headers)}`)
    }
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('a session can call the API as the owner, and gets a 401 after it ended', async () => {
  const { browser, id } = await newAccountHolder(service)
  assert.equal((await browser.get('/v3/user')).body.user.id, id)
  assert.equal((await browser.post('/v3/user', { user_id: 'made-in-browser', name: 'Made' })).status, 201)
  const cookies = new Map(browser.cookies)
  await browser.post('/web/v1/sign-out')
  for (const [name, cookie] of cookies) browser.cookies.set(name, cookie)
  const answer = await browser.get('/v3/user')
  assert.deepEqual([answer.status, answer.body.code], [401, 'not_signed_in'])
})
