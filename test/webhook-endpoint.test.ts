import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { addDays } from '../src/foundation/lib/clock.ts'
import type { Answer } from './support/api.ts'
import { signIn } from './support/browser.ts'
import { makeEvents, newEndpoint, newPlatform } from './support/endpoints.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { startTestService } from './support/service.ts'
import { isAuthentic, readWebhookKey } from './support/webhooks.ts'

// The endpoints of /v3/webhook: creation, changes, disabling, enabling, tests, removal, and the signing key.

const service = await startTestService({ after })
const { sql } = service.deps
const PATH = '/v3/webhook/endpoint'

const refusal = ({ status, body }: Answer) => [status, body.code]
const statuses = async (endpointId: string) =>
  (
    await sql<{ status: string }[]>`select status from deliveries where endpoint_id = ${endpointId} order by position`
  ).map(({ status }) => status)

test('an endpoint is created, read, listed, changed and removed', async () => {
  const { api } = await service.newOwner()
  const made = await api.post(PATH, { url: 'https://hooks.example.com/a', name: 'Books' })
  assert.equal(made.status, 201)
  assert.deepEqual(made.body, {
    id: made.body.id,
    url: 'https://hooks.example.com/a',
    name: 'Books',
    event_types: ['CHECK', 'INVOICE'],
    body_format: 'THIN',
    status: 'ENABLED',
    disabled_reason: null,
    disabled_date: null,
    failing_since: null,
    date: made.body.date,
  })
  assert.match(made.body.id, /^[0-9a-f]{32}$/)
  assert.deepEqual((await api.get(`${PATH}/${made.body.id}`)).body, made.body)
  const second = await newEndpoint(api, 'https://hooks.example.com/b', { event_types: ['BANK', 'USER'] })
  assert.deepEqual((await api.get(PATH)).body, { endpoints: [made.body, second] })
  const { endpoints, ...numbers } = (await api.get(`${PATH}?per_page=10&page=2`)).body
  assert.deepEqual([endpoints, numbers], [[], { page: 2, pages: 1, total: 2 }])
  const changed = await api.put(`${PATH}/${second.id}`, { name: null, url: 'https://hooks.example.com/c' })
  assert.deepEqual(
    [changed.status, changed.body],
    [200, { ...second, name: null, url: 'https://hooks.example.com/c', missed: 0, missed_since: null }],
  )
  const removed = await api.del(`${PATH}/${second.id}`)
  assert.deepEqual([removed.status, removed.text], [200, '{}'])
  assert.deepEqual(refusal(await api.get(`${PATH}/${second.id}`)), [404, 'endpoint_not_found'])
  assert.deepEqual(refusal(await api.del(`${PATH}/${second.id}`)), [404, 'endpoint_not_found'])
  assert.deepEqual((await api.get(PATH)).body, { endpoints: [made.body] })
})

test('the audit trail contains the actions, and of a URL only the host', async () => {
  const { api } = await service.newOwner()
  const { id } = await newEndpoint(api, 'https://hooks.example.com/a?token=hidden')
  await api.put(`${PATH}/${id}`, { name: 'Books', status: 'DISABLED' })
  await api.put(`${PATH}/${id}`, { status: 'ENABLED' })
  await api.put(`${PATH}/${id}`, { status: 'ENABLED' })
  await api.del(`${PATH}/${id}`)
  const { audit } = (await api.get('/v3/audit')).body as { audit: { action: string; subject: string }[] }
  assert.deepEqual(
    audit.map(({ action, subject }) => [action, subject]),
    ['removed', 'enabled', 'disabled', 'changed', 'created'].map((what) => [`endpoint_${what}`, 'hooks.example.com']),
  )
})

test('a URL that webhooks may not go to is refused, at creation and at a change', async () => {
  const { api } = await service.newOwner()
  const { id } = await newEndpoint(api, 'https://hooks.example.com/')
  for (const url of [
    'http://hooks.example.com/',
    'https://10.0.0.1/',
    'ftp://hooks.example.com',
    'hooks',
    'https://u:p@x.com',
  ]) {
    for (const answer of [await api.post(PATH, { url }), await api.put(`${PATH}/${id}`, { url })]) {
      assert.deepEqual([...refusal(answer), Object.keys(answer.body.errors)], [400, 'invalid_request', ['url']], url)
    }
  }
})

test('a repeated URL is refused in any notation, even with concurrent requests', async () => {
  const { api } = await service.newOwner()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      api.post(PATH, { url: `https://HOOKS.example.com${index % 2 ? '' : '/'}` }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  const refused = answers.find(({ status }) => status !== 201) as Answer
  assert.deepEqual(
    [...refusal(refused), refused.body.errors],
    [400, 'endpoint_exists', { url: ['already belongs to an endpoint'] }],
  )
  const other = await newEndpoint(api, 'https://other.example.com/')
  const url = 'https://hooks.example.com/'
  assert.deepEqual(refusal(await api.put(`${PATH}/${other.id}`, { url })), [400, 'endpoint_exists'])
  assert.equal(
    (await api.put(`${PATH}/${other.id}`, { url: other.url })).status,
    200,
    'its own URL does not count as used',
  )
  assert.equal((await (await service.newOwner()).api.post(PATH, { url })).status, 201)
})

test('an owner has at most 50, even with concurrent requests', async () => {
  const { api } = await service.newOwner()
  const answers = await Promise.all(
    Array.from({ length: 54 }, (_, index) => api.post(PATH, { url: `https://hooks.example.com/${index}` })),
  )
  const refused = answers.filter(({ status }) => status !== 201)
  assert.deepEqual(
    refused.map(refusal),
    Array.from({ length: 4 }, () => [400, 'endpoint_limit_reached']),
  )
  await api.del(`${PATH}/${answers.find(({ status }) => status === 201)?.body.id}`)
  assert.equal((await api.post(PATH, { url: 'https://hooks.example.com/more' })).status, 201)
})

test('a repeated POST with its key creates one endpoint and returns one answer', async () => {
  const { api } = await service.newOwner()
  const post = () => api.post(PATH, { url: 'https://hooks.example.com/' }, { idempotencyKey: 'make-it' })
  const [first, second] = [await post(), await post()]
  assert.equal(second.text, first.text)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal((await api.get(PATH)).body.endpoints.length, 1)
})

test('belongs to the owner, by key or session: a user, an application and anonymous callers are refused', async () => {
  const holder = await newAccountHolder(service)
  const user = await service.newUser(undefined, holder.api)
  const application = await registerApplication(holder.browser)
  const tokens = await obtainTokens(service, holder.browser, application)
  const bearer = service.as(`Bearer ${tokens.access_token}`)
  const { id } = await newEndpoint(holder.api, 'https://hooks.example.com/')
  const ids = `${'0'.repeat(31)}1/${id}`
  const routes = [
    ['GET', PATH],
    ['POST', PATH, { url: 'https://hooks.example.com/2' }],
    ['GET', `${PATH}/${id}`],
    ['PUT', `${PATH}/${id}`, {}],
    ['DELETE', `${PATH}/${id}`],
    ['POST', `${PATH}/${id}/test`, {}],
    ['GET', '/v3/webhook/source'],
    ['GET', '/v3/webhook/event'],
    ['GET', `/v3/webhook/event/${id}`],
    ['GET', '/v3/webhook/delivery'],
    ['GET', `/v3/webhook/delivery/${ids}`],
    ['POST', `/v3/webhook/delivery/${ids}/replay`, {}],
    ['POST', '/v3/webhook/replay', { since: '2026-01-01' }],
  ] as const
  for (const [method, path, body] of routes) {
    const raw = body ? JSON.stringify(body) : null
    assert.deepEqual(refusal(await user.raw(method, path, raw)), [403, 'owner_only'], path)
    assert.deepEqual(refusal(await bearer.raw(method, path, raw)), [403, 'insufficient_scope'], path)
    assert.deepEqual(refusal(await service.as('').raw(method, path, raw)), [401, 'unauthorized'], path)
  }
  assert.equal((await holder.browser.get(PATH)).body.endpoints.length, 1)
  assert.deepEqual(refusal(await bearer.post('/v3/webhook/key', {})), [403, 'insufficient_scope'])
  assert.deepEqual(refusal(await service.as('').post('/v3/webhook/key', {})), [401, 'unauthorized'])
})

test('an endpoint gets its event types, signed with the owner’s key', async (t) => {
  const [all, none] = [await startReceiver(t), await startReceiver(t)]
  const platform = await newPlatform(service)
  await newEndpoint(platform.api, all.url)
  await newEndpoint(platform.api, none.url, { event_types: ['BANK'] })
  const [id] = await makeEvents(service, platform, 1)
  await service.deliverWebhooks()
  assert.deepEqual(all.events(), [{ id, status: 'IN_PROCESS', type: 'CHECK', deposit_option: 'ACH' }])
  assert.equal(isAuthentic(all.received[0] as (typeof all.received)[0], platform.webhookKey), true)
  assert.deepEqual(none.events(), [])
})

test('pending deliveries to a disabled endpoint fail, and so do new ones until it is enabled', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  const { id } = await newEndpoint(platform.api, receiver.url)
  await makeEvents(service, platform, 2)
  const disabled = (await platform.api.put(`${PATH}/${id}`, { status: 'DISABLED' })).body
  assert.deepEqual([disabled.status, disabled.disabled_reason, disabled.missed], ['DISABLED', 'OWNER', 0])
  assert.match(disabled.disabled_date, /^2026-03-02 /)
  service.clock.advance(60)
  await makeEvents(service, platform, 1)
  assert.deepEqual(await statuses(id), ['FAILED', 'FAILED', 'FAILED'])
  await service.deliverWebhooks()
  assert.equal(receiver.received.length, 0)
  const enabled = (await platform.api.put(`${PATH}/${id}`, { status: 'ENABLED' })).body
  assert.deepEqual(
    [enabled.status, enabled.disabled_reason, enabled.disabled_date, enabled.missed],
    ['ENABLED', null, null, 3],
  )
  const since = { since: enabled.missed_since, endpoint: id }
  assert.deepEqual((await platform.api.post('/v3/webhook/replay', since)).body, { replayed: 3 })
  await service.deliverWebhooks()
  assert.equal(receiver.received.length, 3)
  assert.deepEqual(await statuses(id), ['DELIVERED', 'DELIVERED', 'DELIVERED'])
  assert.equal((await platform.api.put(`${PATH}/${id}`, { status: 'ENABLED' })).body.missed, 0)
})

test('deliveries that failed before an endpoint began to fail do not count as missed', async () => {
  const platform = await newPlatform(service)
  const { id } = await newEndpoint(platform.api, 'https://hooks.example.com/')
  await makeEvents(service, platform, 2)
  await platform.api.put(`${PATH}/${id}`, { status: 'DISABLED' })
  await platform.api.put(`${PATH}/${id}`, { status: 'ENABLED' })
  service.clock.advance(2 * 24 * 60 * 60)
  await makeEvents(service, platform, 1)
  // Like a worker after the endpoint has failed for five days.
  const [begin, end] = [service.clock.now(), new Date(service.clock.now().getTime() + 60_000)]
  await sql`
    update endpoints
    set failing_since = ${begin}, warned_at = ${begin}, is_slow = true, disabled_at = ${end}, disabled_reason = 'FAILING'
    where id = ${id}
  `
  await sql`update deliveries set status = 'FAILED', next_attempt_at = null where endpoint_id = ${id}`
  assert.equal((await platform.api.get(`${PATH}/${id}`)).body.disabled_reason, 'FAILING')
  const enabled = (await platform.api.put(`${PATH}/${id}`, { status: 'ENABLED' })).body
  assert.deepEqual([enabled.missed, enabled.failing_since], [1, null])
  const [row] = await sql`select warned_at, is_slow from endpoints where id = ${id}`
  assert.deepEqual({ ...row }, { warnedAt: null, isSlow: false })
})

test('a new URL resets the endpoint: pending deliveries go there, and its health is reset', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  const { id } = await newEndpoint(platform.api, 'https://hooks.example.com/')
  await makeEvents(service, platform, 1)
  await sql`update endpoints set failing_since = ${service.clock.now()}, is_slow = true where id = ${id}`
  assert.notEqual((await platform.api.put(`${PATH}/${id}`, { name: 'Named' })).body.failing_since, null)
  assert.equal((await platform.api.put(`${PATH}/${id}`, { url: receiver.url })).body.failing_since, null)
  await service.deliverWebhooks()
  assert.equal(receiver.received.length, 1)
})

test('pending deliveries to a removed endpoint fail', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  const { id } = await newEndpoint(platform.api, receiver.url)
  await makeEvents(service, platform, 2)
  await platform.api.del(`${PATH}/${id}`)
  assert.deepEqual(await statuses(id), ['FAILED', 'FAILED'])
  await makeEvents(service, platform, 1)
  assert.equal((await statuses(id)).length, 2)
  await service.deliverWebhooks()
  assert.equal(receiver.received.length, 0)
})

test('each concurrent enabling, disabling and removal succeeds or is refused, and no delivery stays pending', async () => {
  const platform = await newPlatform(service)
  for (let round = 0; round < 6; round++) {
    const { id } = await newEndpoint(platform.api, `https://hooks.example.com/${round}`)
    const answers = await Promise.all([
      platform.api.put(`${PATH}/${id}`, { status: 'DISABLED' }),
      platform.api.put(`${PATH}/${id}`, { status: 'ENABLED' }),
      platform.api.del(`${PATH}/${id}`),
      makeEvents(service, platform, 1).then(() => null),
    ])
    for (const answer of answers) assert.ok(answer === null || [200, 404].includes(answer.status), answer?.text)
    assert.deepEqual(refusal(await platform.api.get(`${PATH}/${id}`)), [404, 'endpoint_not_found'])
  }
})

test('a test event is signed, sent once and not stored, and the answer contains the response', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = (response) => response.writeHead(422).end('no such thing')
  const platform = await newPlatform(service)
  const { id } = await newEndpoint(platform.api, receiver.url, { event_types: ['BANK'] })
  await platform.api.put(`${PATH}/${id}`, { status: 'DISABLED' })
  const { status, body } = await platform.api.post(`${PATH}/${id}/test`, {})
  const { duration_ms: durationMs, ...rest } = body
  assert.ok(Number.isInteger(durationMs))
  assert.deepEqual(
    [status, rest],
    [
      200,
      {
        outcome: 'rejected',
        status: 422,
        error: null,
        body: receiver.received[0]?.body,
        response_body: 'no such thing',
      },
    ],
  )
  assert.equal(JSON.parse(body.body).type, 'TEST')
  assert.equal(isAuthentic(receiver.received[0] as (typeof receiver.received)[0], platform.webhookKey), true)
  assert.deepEqual((await platform.api.get('/v3/webhook/event')).body, { events: [] })
  const again = [1, 2].map(() => platform.api.post(`${PATH}/${id}/test`, {}, { idempotencyKey: 'test' }))
  const [first, second] = await Promise.all(again)
  assert.equal(first?.text, second?.text)
  assert.equal(receiver.received.length, 2, 'with its key it was sent once')
  receiver.answer = (response) => response.destroy()
  const unreachable = (await platform.api.post(`${PATH}/${id}/test`)).body
  assert.deepEqual([unreachable.outcome, unreachable.status, unreachable.response_body], ['unreachable', null, null])
  assert.equal(typeof unreachable.error, 'string')
  const extra = await platform.api.post(`${PATH}/${id}/test`, { extra: 1 })
  assert.deepEqual(
    [refusal(extra), extra.body.errors],
    [[400, 'invalid_request'], { extra: ['is not a field of this request'] }],
  )
})

test('the source addresses are the configured ones', async (t) => {
  assert.deepEqual((await service.owner.get('/v3/webhook/source')).body, { addresses: [] })
  const webhookSourceAddresses = ['127.0.0.2', '127.0.0.3']
  const other = await startTestService(t, { settings: { webhookSourceAddresses } })
  assert.deepEqual((await other.owner.get('/v3/webhook/source')).body, { addresses: webhookSourceAddresses })
})

test('a new key signs at once, together with the previous one for 24 hours', async (t) => {
  const receiver = await startReceiver(t)
  const owner = await service.newOwner()
  const { id } = await newEndpoint(owner.api, receiver.url)
  const rotated = await owner.api.post('/v3/webhook/key', {})
  assert.equal(rotated.status, 201)
  const { webhook_key: key, previous_key_expires: expires } = rotated.body
  assert.match(key, /^[0-9a-f]{32}$/)
  assert.notEqual(key, owner.webhookKey)
  const [row] = await sql<{ expiresAt: Date }[]>`
    select date_trunc('second', webhook_key_rotated_at) + interval '24 hours' as expires_at from users where id = ${owner.id}
  `
  assert.deepEqual(new Date(`${expires.replace(' ', 'T')}Z`), row?.expiresAt)
  assert.equal(await readWebhookKey(owner.api), key)
  await owner.api.post(`${PATH}/${id}/test`, {})
  assert.equal(isAuthentic(receiver.received[0] as (typeof receiver.received)[0], owner.webhookKey), true)
  assert.equal(String(receiver.received[0]?.headers['webhook-signature']).split(' ').length, 2)
  await sql`update users set webhook_key_rotated_at = ${addDays(new Date(), -1)} where id = ${owner.id}`
  await owner.api.post(`${PATH}/${id}/test`, {})
  assert.equal(isAuthentic(receiver.received[1] as (typeof receiver.received)[0], key), true)
  assert.equal(String(receiver.received[1]?.headers['webhook-signature']).split(' ').length, 1)
  const [{ action, subject }] = (await owner.api.get('/v3/audit')).body.audit.filter(
    (entry: { action: string }) => entry.action === 'webhook_key_rotated',
  )
  assert.deepEqual([action, subject], ['webhook_key_rotated', owner.id])
})

test('during a rotation, a Standard Webhooks library accepts a webhook with either key; a third key ends the first', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  await newEndpoint(platform.api, receiver.url)
  const rotate = async (): Promise<string> => (await platform.api.post('/v3/webhook/key', {})).body.webhook_key
  /** Returns which of these keys accepts the next webhook, by the library and by the header of specification.md 7.3. */
  const takenBy = async (keys: string[]) => {
    await makeEvents(service, platform, 1)
    await service.deliverWebhooks()
    const received = receiver.received.at(-1) as (typeof receiver.received)[0]
    return [keys.map((key) => isTaken(received, key)), keys.map((key) => isAuthentic(received, key))]
  }
  const first = platform.webhookKey
  assert.deepEqual(await takenBy([first]), [[true], [true]])
  const second = await rotate()
  assert.deepEqual(await takenBy([first, second]), [
    [true, true],
    [true, false],
  ])
  const third = await rotate()
  assert.deepEqual(await takenBy([first, second, third]), [
    [false, true, true],
    [false, true, false],
  ])
  await sql`update users set webhook_key_rotated_at = ${addDays(new Date(), -1)} where id = ${platform.id}`
  assert.deepEqual(await takenBy([second, third]), [
    [false, true],
    [false, true],
  ])
})

function isTaken({ headers, body }: { headers: object; body: string }, key: string): boolean {
  try {
    new Webhook(`whsec_${Buffer.from(key).toString('base64')}`).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

test('any user rotates its own key; a repetition with its Idempotency-Key returns the same key, which is stored sealed', async () => {
  const owner = await service.newOwner()
  const user = await service.newUser(undefined, owner.api)
  const rotate = () => user.post('/v3/webhook/key', undefined, { idempotencyKey: 'rotate' })
  const [first, second] = [await rotate(), await rotate()]
  assert.equal(second.text, first.text)
  assert.equal(await readWebhookKey(user), first.body.webhook_key)
  assert.equal(await readWebhookKey(owner.api), owner.webhookKey, 'that of its owner stays')
  const extra = await user.post('/v3/webhook/key', { extra: 1 })
  assert.deepEqual(refusal(extra), [400, 'invalid_request'])
  const browser = await signIn(service, owner)
  assert.equal((await browser.post('/v3/webhook/key', {})).status, 201)
})

test('a payment that is created while the endpoint is created or removed sends complete events or none', async () => {
  const platform = await newPlatform(service)
  const made = Array.from({ length: 4 }, (_, index) => newEndpoint(platform.api, `https://hooks.example.com/${index}`))
  const payment = sendPayment(platform.sender).then(({ id }) => triggerStatus(platform.sender, id, 'IN_PROCESS'))
  await Promise.all([...made, payment])
  const orphans = await sql`
    select 1
    from deliveries d
    where not exists (select from events e where e.platform_id = d.platform_id and e.id = d.event_id)
  `
  assert.equal(orphans.length, 0)
})
