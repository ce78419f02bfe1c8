import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import {
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  IdempotencyError,
  NotFoundError,
  OAuth,
  PermissionError,
  Remit,
  type Tokens,
} from '../src/index.ts'
import { type Fault, faults, startFaultServer } from './support/fault-server.ts'

const ID = '0123456789abcdef0123456789abcdef'

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Fault =>
  ({ response }) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

const page = (ids: string[], link?: string) =>
  answering(200, { checks: ids.map((id) => ({ id })) }, link ? { link: `<${link}>; rel="next"` } : {})

test('a list gives its first page, its pages or its items, and fetches each page once', async (t) => {
  const next = 'http://elsewhere.example/v3/check?status=PAID&cursor=two%2B'
  const server = await startFaultServer(t, page(['a', 'b'], next), page(['c']))
  const list = server.client().payments.list({ status: 'PAID', page: 1 })
  assert.equal(server.received.length, 0)
  const first = await list
  assert.deepEqual([first.items.map(({ id }) => id), first.hasNext, first.response.status], [['a', 'b'], true, 200])
  const ids: string[] = []
  for await (const { id } of list) ids.push(id)
  assert.deepEqual(ids, ['a', 'b', 'c'])
  // Only the cursor of the link is used, so it leads to no other host.
  assert.deepEqual(
    server.received.map(({ url }) => url),
    ['/v3/check?status=PAID&page=1', '/v3/check?status=PAID&cursor=two%2B'],
  )
  assert.deepEqual(
    (await list.toArray({ limit: 2 })).map(({ id }) => id),
    ['a', 'b'],
  )
})

test('a loop that ends early fetches no further page', async (t) => {
  const server = await startFaultServer(t, page(['a'], '/v3/check?cursor=two'))
  for await (const _payment of server.client().payments.list()) break
  assert.equal(server.received.length, 1)
})

test('errors have a class for their status, the code, the fields and the request id', async (t) => {
  const classes = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    422: IdempotencyError,
  }
  for (const [status, ErrorClass] of Object.entries(classes)) {
    const body = { message: 'No.', error: 'No.', code: 'invalid_request', errors: { amount: ['is too small'] } }
    const server = await startFaultServer(t, answering(Number(status), body, { 'x-request-id': 'request-7' }))
    const error = await server
      .client()
      .banks.get(ID)
      .catch((error: unknown) => error)
    assert.ok(error instanceof ErrorClass, status)
    assert.deepEqual(
      [error.status, error.code, error.message, error.fields, error.requestId],
      [Number(status), 'invalid_request', 'No.', { amount: ['is too small'] }, 'request-7'],
    )
    assert.equal(server.received.length, 1)
  }
})

test('an error of withResponse is thrown once', async (t) => {
  const server = await startFaultServer(t, answering(404, { message: 'No.', code: 'payment_not_found' }))
  const { promise, resolve } = Promise.withResolvers<unknown>()
  process.once('unhandledRejection', resolve)
  t.after(() => process.off('unhandledRejection', resolve))
  await assert.rejects(server.client().payments.get('a').withResponse(), { code: 'payment_not_found' })
  // Node.js reports an unhandled rejection before the next turn of its loop.
  setImmediate(() => resolve(null))
  assert.equal(await promise, null)
})

test('an id that is empty or changes the path is refused before anything is sent', async (t) => {
  const server = await startFaultServer(t)
  const remit = server.client()
  for (const id of ['', '..', undefined as never]) await assert.rejects(remit.payments.get(id), ConfigurationError)
  await remit.payments.get('a/b?c').catch(() => {})
  assert.deepEqual(
    server.received.map(({ url }) => url),
    ['/v3/check/a%2Fb%3Fc'],
  )
})

test('files are sent in base64, and an attachment keeps its name', async (t) => {
  const server = await startFaultServer(t)
  const remit = server.client()
  const content = new Uint8Array(20_000).map((_value, index) => index)
  const base64 = Buffer.from(content).toString('base64')
  await remit.profile.setSignature({ signature: content }, { retries: 0 })
  await remit.payments.sendDigital({
    amount: 1,
    name: 'Bob',
    recipient: 'bob@example.com',
    attachment: new File([content], 'invoice.pdf'),
  })
  assert.deepEqual(JSON.parse(server.received[0]?.body ?? ''), { signature: base64 })
  assert.deepEqual(JSON.parse(server.received[1]?.body ?? '').attachment, { filename: 'invoice.pdf', content: base64 })
})

test('a client shows no secret, and refuses a URL that would send it in clear', () => {
  const remit = new Remit({ key: 'key-1', secret: 'secret-1', environment: 'sandbox' })
  assert.doesNotMatch(`${inspect(remit, { depth: 10, showHidden: true })}${JSON.stringify(remit)}`, /secret-1/)
  for (const baseUrl of [
    'http://payments.example.com',
    'payments.example.com',
    'https://user:password@example.com',
    'ftp://a.example',
  ]) {
    assert.throws(() => new Remit({ key: 'k', secret: 's', baseUrl }), ConfigurationError, baseUrl)
  }
  assert.throws(() => new Remit({ key: 'k', secret: 's\n' }), ConfigurationError)
  for (const option of ['timeoutMs', 'totalTimeoutMs', 'retries']) {
    assert.throws(() => new Remit({ key: 'k', secret: 's', [option]: Number.NaN }), ConfigurationError, option)
  }
})

test('requests that need new tokens at the same time share one refresh, and the tokens are stored first', async (t) => {
  const expired = answering(401, { message: 'It ended.', error: 'It ended.', code: 'invalid_token' })
  const tokens = answering(200, {
    access_token: 'new',
    refresh_token: 'rotated',
    expires_in: 3600,
    token_type: 'Bearer',
  })
  const server = await startFaultServer(t, expired, expired, expired, tokens)
  const stored: Tokens[] = []
  const { baseUrl } = server
  const oauth = new OAuth({ baseUrl, clientId: 'c', clientSecret: 's', redirectUri: 'https://app.example/callback' })
  const remit = new Remit({
    baseUrl,
    oauth,
    tokens: { access_token: 'old', refresh_token: 'first' },
    onTokens: (tokens) => void stored.push(tokens),
  })
  await Promise.all(
    [1, 2, 3].map((amount) => remit.payments.sendDigital({ amount, name: 'Bob', recipient: 'bob@example.com' })),
  )
  assert.deepEqual(
    stored.map(({ access_token, refresh_token }) => [access_token, refresh_token]),
    [['new', 'rotated']],
  )
  const refreshes = server.received.filter(({ url }) => url.endsWith('/token'))
  assert.deepEqual(
    refreshes.map(({ body }) => body),
    ['grant_type=refresh_token&refresh_token=first'],
  )
  const sent = server.received
    .filter(({ url }) => url === '/v3/check/digital')
    .map(({ headers }) => headers.authorization)
  assert.deepEqual(sent.toSorted(), [
    'Bearer new',
    'Bearer new',
    'Bearer new',
    'Bearer old',
    'Bearer old',
    'Bearer old',
  ])
  assert.equal(server.payments.size, 3)
})

test('tokens that are about to end are refreshed before they are used', async (t) => {
  const server = await startFaultServer(t, answering(200, { access_token: 'new', expires_in: 3600 }))
  const { baseUrl } = server
  const oauth = new OAuth({ baseUrl, clientId: 'c', clientSecret: 's', redirectUri: 'https://app.example/callback' })
  const tokens = { access_token: 'old', refresh_token: 'first', expires_at: new Date().toISOString() }
  await new Remit({ baseUrl, oauth, tokens }).payments.sendDigital({
    amount: 1,
    name: 'Bob',
    recipient: 'bob@example.com',
  })
  assert.deepEqual(
    server.received.map(({ url, headers }) => [url, headers.authorization?.split(' ')[0]]),
    [
      ['/web/v1/auth/oauth/token', 'Basic'],
      ['/v3/check/digital', 'Bearer'],
    ],
  )
})

test('a client for another credential has the same settings', async (t) => {
  const server = await startFaultServer(t, faults.overloaded)
  const alice = server.client({ retries: 0 }).as({ key: 'key-2', secret: 'secret-2' })
  await assert.rejects(alice.banks.get(ID), { status: 503 })
  assert.equal(server.received[0]?.headers.authorization, 'key-2:secret-2')
})
