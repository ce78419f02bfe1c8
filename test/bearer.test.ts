import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { scopedRoutes } from '../src/people/oauth/scope-rules.ts'
import type { Answer } from './support/api.ts'
import {
  newAccountHolder,
  obtainTokens,
  postForm,
  refreshForm,
  registerApplication,
  TOKEN_PATH,
  type Tokens,
} from './support/oauth.ts'
import { startReceiver } from './support/receiver.ts'
import { rowCounts } from './support/rows.ts'
import { addBank, startTestService } from './support/service.ts'
import { isAuthentic } from './support/webhooks.ts'

// The calls that an access token allows (specification.md 2.2).

const service = await startTestService({ after })
const { deps } = service
const holder = await newAccountHolder(service)
const developer = await newAccountHolder(service)
const application = await registerApplication(developer.browser)
const recipient = await service.newUser(undefined, holder.api)

const newTokens = (scope: 'check' | 'single-use' = 'check') => obtainTokens(service, holder.browser, application, scope)
const bearer = ({ access_token }: Tokens) => service.as(`Bearer ${access_token}`)
const order = (more: object = {}) => ({ amount: 12.5, name: 'Recipient', recipient: 'recipient@example.com', ...more })

function assertDead({ status, body, text }: Answer): void {
  assert.deepEqual([status, body?.code], [401, 'invalid_token'], text)
}

/** Returns a URL as it is in the table: `/v3/bank/{id}` → `/v3/bank/:id`. */
const asUrl = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

suite('the routes that a scope allows', async () => {
  const tokens = { check: await newTokens(), 'single-use': await newTokens('single-use') }
  const { paths } = (await holder.api.get('/openapi.json')).body as { paths: Record<string, object> }
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => [method.toUpperCase(), path] as const),
  )

  for (const scope of ['check', 'single-use'] as const) {
    test(`with ${scope}, every route of the API but those of the table is a 403 insufficient_scope`, async () => {
      const before = await rowCounts(deps.sql)
      for (const [method, path] of routes) {
        const url = asUrl(path)
        if (scopedRoutes.some(([m, u, scopes]) => m === method && u === url && scopes.includes(scope))) continue
        const body = ['POST', 'PUT'].includes(method) ? '{}' : null
        for (const tried of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
          const asked = path.replace('{code}', 'R01').replace(/\{\w+\}/g, '0'.repeat(32))
          const answer = await bearer(tokens[scope]).raw(tried, asked, body)
          assert.equal(answer.status, 403, `${tried} ${path}`)
          if (tried !== 'HEAD') assert.equal(answer.body.code, 'insufficient_scope')
          const challenge = answer.headers.get('www-authenticate')
          assert.equal(challenge, 'Bearer realm="remit", error="insufficient_scope"')
        }
      }
      assert.deepEqual(await rowCounts(deps.sql), before)
    })
  }

  test('every existing route of the table is reached, with GET and HEAD', async () => {
    const existing = scopedRoutes.filter(([m, u]) => routes.some(([method, path]) => method === m && asUrl(path) === u))
    assert.ok(existing.length >= 9)
    for (const [method, url] of existing) {
      const path = url.replace(':id', '0'.repeat(32))
      for (const tried of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
        const { status } = await bearer(tokens.check).raw(tried, path, method === 'POST' ? '{}' : null)
        assert.ok([200, 400, 404].includes(status), `${tried} ${path} is ${status}`)
      }
    }
  })

  test('applications cannot call pages and settings', async () => {
    for (const path of ['/web/v1/applications', '/web/v1/grants', '/web/v1/sessions', '/web/v1/api-keys']) {
      assert.equal((await bearer(tokens.check).get(path)).body.code, 'insufficient_scope')
      assert.equal((await holder.api.get(path)).body.code, 'not_signed_in', 'nor for API keys')
    }
  })
})

suite('a bearer token', () => {
  test('must be in the header, and its scheme can have any case', async () => {
    const tokens = await newTokens()
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      assert.equal((await service.as(`${scheme} ${tokens.access_token}`).get('/v3/user')).body.user.id, holder.id)
    }
    const inQuery = await service.as('').get(`/v3/user?access_token=${tokens.access_token}`)
    assert.deepEqual([inQuery.status, inQuery.body.code], [401, 'unauthorized'])
    const both = await bearer(tokens).get(`/v3/user?access_token=${tokens.access_token}`)
    assert.deepEqual([both.status, both.body.errors.access_token?.[0]], [400, 'is not a field of this request'])
    const inBody = await service.as('').post('/v3/check/digital', order({ access_token: tokens.access_token }))
    assert.deepEqual([inBody.status, inBody.body.code], [401, 'unauthorized'])
  })

  test('that is unknown, truncated, a refresh token, or missing causes a 401 invalid_token', async () => {
    const tokens = await newTokens()
    const key = await service.as(`Bearer ${'0'.repeat(32)}:${'a'.repeat(40)}`).get('/v3/user')
    assertDead(key)
    assert.match(key.body.message, /without it/)
    for (const text of [
      'x'.repeat(43),
      tokens.access_token.slice(1),
      tokens.refresh_token,
      '',
      'a b',
      `${application.id}:${application.secret}`,
    ]) {
      const answer = await service.as(`Bearer ${text}`).get('/v3/user')
      assertDead(answer)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="remit", error="invalid_token"')
    }
  })

  test('reads the owner and its banks, but only the payments that its grant created', async () => {
    const [mine, other] = [bearer(await newTokens()), bearer(await newTokens())]
    const own = await mine.post('/v3/check/digital', order())
    const foreign = await other.post('/v3/check/digital', order())
    const byOwner = await holder.api.post('/v3/check/digital', order())
    assert.deepEqual([own.status, foreign.status, byOwner.status], [201, 201, 201])
    const listed = await mine.get('/v3/check')
    assert.deepEqual(
      listed.body.checks.map(({ id }: { id: string }) => id),
      [own.body.id],
    )
    assert.equal(listed.body.total, 1)
    assert.equal((await mine.get('/v3/check?direction=INCOMING')).body.total, 0)
    assert.equal((await mine.get(`/v3/check/${own.body.id}`)).status, 200)
    for (const { body } of [foreign, byOwner]) {
      for (const part of ['', '/fail', '/deposit', '/attachment']) {
        const answer = await mine.get(`/v3/check/${body.id}${part}`)
        assert.deepEqual([answer.status, answer.body.code], [404, 'payment_not_found'])
      }
    }
    assert.equal((await mine.get('/v3/bank')).body.banks.length, 1)
    assert.equal((await mine.get('/v3/user')).body.user.id, holder.id)
    assert.ok((await holder.api.get('/v3/check')).body.total >= 3, 'the owner sees all of them')
  })

  test('of a check grant sends any number of payments, within the owner’s limits', async () => {
    const api = bearer(await newTokens())
    for (let count = 0; count < 3; count++) assert.equal((await api.post('/v3/check/digital', order())).status, 201)
    const unverified = await addBank(holder.api)
    const refused = await api.post('/v3/check/digital', order({ account: unverified }))
    assert.deepEqual([refused.status, refused.body.code], [400, 'bank_not_verified'])
    assert.equal((await api.post('/v3/check/digital', order({ recipient: holder.email }))).body.code, 'own_recipient')
  })

  test('an Idempotency-Key belongs to the application and is separate from the owner’s and another application’s keys', async () => {
    const others = await registerApplication(developer.browser, { name: 'Other' })
    const otherApi = bearer(await obtainTokens(service, holder.browser, others))
    const [first, again] = [bearer(await newTokens()), bearer(await newTokens())]
    const send = (api: typeof first) => api.post('/v3/check/digital', order(), { idempotencyKey: 'one' })
    const answers = [await send(first), await send(again), await send(otherApi), await send(holder.api)]
    const [a, b, c, d] = answers.map(({ body }) => body.id)
    assert.equal(a, b, 'a new consent does not repeat the payment')
    assert.equal(new Set([a, c, d]).size, 3)
  })

  test('the last use of a grant is recorded', async () => {
    const tokens = await newTokens()
    await bearer(tokens).get('/v3/user')
    let lastUsed = null
    for (let tries = 0; tries < 50 && lastUsed === null; tries++) {
      lastUsed = (await holder.browser.get('/web/v1/grants')).body.grants[0].last_used
    }
    assert.match(lastUsed ?? '', /^\d{4}-/)
  })
})

suite('a single-use grant', () => {
  const pay = (tokens: Tokens, idempotencyKey?: string, more: object = {}) =>
    bearer(tokens).post('/v3/check/digital', order(more), idempotencyKey === undefined ? {} : { idempotencyKey })
  const refresh = (tokens: Tokens) => postForm(service, TOKEN_PATH, refreshForm(application, tokens.refresh_token))

  test('20 concurrent payments and ten refreshes: one 201, one payment, and every token is invalid', async () => {
    const tokens = await newTokens('single-use')
    const before = (await rowCounts(deps.sql)).payments ?? 0
    const payments = Array.from({ length: 20 }, (_, index) => pay(tokens, index % 2 ? `key ${index}` : undefined))
    const refreshes = Array.from({ length: 10 }, () => refresh(tokens))
    const answers = await Promise.all(payments)
    const fresh = (await Promise.all(refreshes)).filter(({ status }) => status === 200)
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 201)) assertDead(answer)
    assert.equal((await rowCounts(deps.sql)).payments, before + 1)
    for (const { body } of [{ body: tokens }, ...fresh]) assertDead(await pay(body))
    const late = await refresh(tokens)
    assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant'])
  })

  test('earlier refreshed tokens belong to the same grant: each of them competes for the one payment', async () => {
    const tokens = await newTokens('single-use')
    const more = (await Promise.all(Array.from({ length: 5 }, () => refresh(tokens)))).map(({ body }) => body as Tokens)
    const answers = await Promise.all([tokens, ...more].map((one) => pay(one)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  })

  test('a refused payment does not use it up', async () => {
    const tokens = await newTokens('single-use')
    const refused: object[] = [
      { amount: 0 },
      { amount: 1.234 },
      { recipient: 'nobody' },
      { recipient: holder.email },
      { account: '0'.repeat(32) },
      { recipient: { id: recipient.userId, account: '0'.repeat(32) } },
      { deposit_options: ['WALLET'] },
    ]
    for (const more of refused) {
      const { status } = await pay(tokens, 'the key', more)
      assert.ok([400, 404].includes(status), JSON.stringify(more))
    }
    assert.equal((await pay(tokens, 'the key')).status, 201)
  })

  test('the request that used it gets the same answer again with its Idempotency-Key, and all other requests are refused', async () => {
    const tokens = await newTokens('single-use')
    const fresh = (await refresh(tokens)).body as Tokens
    const first = await pay(tokens, 'spending')
    assert.equal(first.status, 201)
    for (const one of [tokens, fresh]) {
      const again = await pay(one, 'spending')
      assert.deepEqual([again.status, again.text], [201, first.text])
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
    }
    const other = await pay(tokens, 'spending', { amount: 13 })
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'])
    for (const answer of [
      await pay(tokens),
      await pay(tokens, 'another'),
      await bearer(tokens).get('/v3/user'),
      await bearer(tokens).get(`/v3/check/${first.body.id}`),
      await bearer(tokens).get('/v3/check'),
    ]) {
      assertDead(answer)
    }
  })

  test('used without a key, it answers no more requests', async () => {
    const grantCount = async () => (await holder.browser.get('/web/v1/grants')).body.grants.length
    const before = await grantCount()
    const tokens = await newTokens('single-use')
    assert.equal(await grantCount(), before + 1)
    assert.equal((await pay(tokens)).status, 201)
    assertDead(await pay(tokens))
    assertDead(await pay(tokens, 'too late'))
    assert.equal(await grantCount(), before, 'it can no longer act')
  })

  test('20 concurrent requests with the same key: one payment, 20 equal answers', async () => {
    const tokens = await newTokens('single-use')
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(tokens, 'all the same')))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  })

  test('when it is revoked during payments, accepted payments stay and no more are accepted', async () => {
    const tokens = await newTokens()
    const before = (await rowCounts(deps.sql)).payments ?? 0
    const racing = Array.from({ length: 20 }, () => pay(tokens))
    const revoked = postForm(service, '/web/v1/auth/oauth/revoke', {
      token: tokens.access_token,
      client_id: application.id,
      client_secret: application.secret,
    })
    const statuses = (await Promise.all(racing)).map(({ status }) => status)
    const accepted = statuses.filter((status) => status === 201).length
    assert.equal(accepted + statuses.filter((status) => status === 401).length, 20)
    assert.equal((await revoked).status, 200)
    assertDead(await pay(tokens))
    assert.equal((await rowCounts(deps.sql)).payments, before + accepted)
  })
})

suite('the webhooks of a payment that an application made', () => {
  const send = async (tokens: Tokens) => {
    const { body } = await bearer(tokens).post('/v3/check/digital', order({ recipient: recipient.userId }))
    assert.equal((await holder.api.put(`/v3/check/webhook/${body.id}`, { status: 'PAID' })).status, 204)
    await service.deliverWebhooks()
    await service.deliverWebhooks()
    return body.id
  }

  test('go to the application’s URL, signed with the key of its owner, in addition to those of the account holder', async (t) => {
    const [ofApplication, ofDeveloper, ofHolder] = [
      await startReceiver(t),
      await startReceiver(t),
      await startReceiver(t),
    ]
    await developer.api.put('/v3/user', { developer: { webhook_uri: ofDeveloper.url } })
    await holder.api.put('/v3/user', { developer: { webhook_uri: ofHolder.url } })
    const other = await registerApplication(developer.browser, {
      name: 'Heard',
      webhook_url: ofApplication.url,
    })
    const id = await send(await obtainTokens(service, holder.browser, other))
    for (const receiver of [ofApplication, ofHolder]) {
      assert.deepEqual(
        receiver.received.map(({ body }) => JSON.parse(body).status),
        ['IN_PROCESS', 'PAID'],
      )
      assert.equal(JSON.parse(receiver.received[0]?.body ?? '').id, id)
    }
    assert.equal(ofDeveloper.received.length, 0)
    assert.ok(ofApplication.received.every((request) => isAuthentic(request, developer.webhookKey)))
    assert.ok(ofHolder.received.every((request) => isAuthentic(request, holder.webhookKey)))

    await developer.browser.put(`/web/v1/applications/${other.id}`, { webhook_url: null })
    const second = await send(await obtainTokens(service, holder.browser, other))
    assert.equal(ofApplication.received.length, 2)
    assert.deepEqual(
      ofDeveloper.received.map(({ body }) => JSON.parse(body).id),
      [second, second],
      'by default its owner’s',
    )
    await holder.api.put('/v3/user', { developer: { webhook_uri: null } })
    await developer.api.put('/v3/user', { developer: { webhook_uri: null } })
  })

  test('a payment that the owner creates is not visible to the application', async (t) => {
    const receiver = await startReceiver(t)
    const other = await registerApplication(developer.browser, { name: 'Deaf', webhook_url: receiver.url })
    await obtainTokens(service, holder.browser, other)
    const { body } = await holder.api.post('/v3/check/digital', order({ recipient: recipient.userId }))
    await holder.api.put(`/v3/check/webhook/${body.id}`, { status: 'PAID' })
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, 0)
  })

  test('endpoints with the same URL and key get an event once', async (t) => {
    const receiver = await startReceiver(t)
    const own = await registerApplication(holder.browser, { name: 'Own', webhook_url: receiver.url })
    await holder.api.put('/v3/user', { developer: { webhook_uri: receiver.url } })
    await send(await obtainTokens(service, holder.browser, own))
    assert.equal(receiver.received.length, 2)
    await holder.api.put('/v3/user', { developer: { webhook_uri: null } })
  })
})
