import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { ApiError, apiErrors } from '../src/foundation/core/errors.ts'
import { connect as connectDatabase } from '../src/foundation/db/connect.ts'
import type { Deps } from '../src/foundation/db/deps.ts'
import { createOneAtATime } from '../src/foundation/http/idempotency/idempotency.ts'
import { get, post, type Route } from '../src/foundation/http/route.ts'
import { sendJson } from '../src/foundation/http/send-json.ts'
import { createServer } from '../src/foundation/http/server.ts'
import type { Answer } from './support/api.ts'
import { fakeClock } from './support/clock.ts'
import { ownerUrlOf } from './support/postgres.ts'
import { rowCounts } from './support/rows.ts'
import { startTestService } from './support/service.ts'
import { onSmallDisk } from './support/small-disk.ts'

const { as, baseUrl, deps, newUser, owner } = await startTestService({ after })
const user = await newUser()
const UNKNOWN_ID = '0'.repeat(32)
const MIB = 1024 * 1024

test('an error has a message, a code for programs, and messages for invalid fields', async () => {
  const refused = await user.post('/v3/bank', { routing: '021000021', type: 'CHECKING', extra: 1 })
  assertError(refused, 'invalid_request', {
    account: ['is required'],
    extra: ['is not a field of this request'],
  })
  const absent = await user.get(`/v3/bank/${UNKNOWN_ID}`)
  assertError(absent, 'bank_not_found')
  assert.deepEqual(Object.keys(absent.body), ['message', 'error', 'code'])
})

test('every answer has its own x-request-id, whatever the result', async () => {
  const answers = [
    await user.get('/v3/user'),
    await user.get('/v3/user'),
    await user.get('/nowhere'),
    await user.get('/v3/check/%zz'),
    await user.post('/v3/user/api_key/', {}),
    await user.raw('PATCH', '/v3/user', '{}'),
    await user.raw('POST', '/v3/bank', '{'),
    await user.raw('POST', '/v3/bank', 'a=b', { headers: { 'content-type': 'text/plain' } }),
    await as('').get('/v3/user'),
    await as('').get('/healthz'),
    await sendRaw('NOT HTTP\r\n\r\n'),
    await sendRaw(`GET /healthz HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`),
  ]
  const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '')
  for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/)
  assert.equal(new Set(ids).size, ids.length)
})

test('the service creates the x-request-id and ignores the caller’s', async () => {
  const { headers } = await user.get('/v3/user', { headers: { 'x-request-id': 'mine' } })
  assert.notEqual(headers.get('x-request-id'), 'mine')
})

test('an unknown URL causes a 404, with and without a credential', async () => {
  const addresses = [
    '/v3',
    '/v3/bank/',
    '/v3//bank',
    '/V3/bank',
    '/v2/bank',
    '/v3/check/not-an-id',
    `/v3/check/${UNKNOWN_ID.slice(1)}`,
    `/v3/check/${UNKNOWN_ID}0`,
    `/v3/check/${'A'.repeat(32)}`,
    `/v3/check/${'a'.repeat(300)}`,
    `/v3/check/${'a'.repeat(3_000)}`,
    '/v3/check/%00',
    '/v3/check/%zz',
    '/v3/check/%F0%9F%92%B8',
    `/v3/check/${UNKNOWN_ID}/nothing`,
    '/constructor',
    '/__proto__',
  ]
  for (const address of addresses) {
    for (const api of [user, as('')]) assertError(await api.get(address), 'not_found')
  }
})

test('an unknown URL shows a page in a browser, and JSON to other clients', async () => {
  const browser = { headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } }
  for (const path of ['/nope', '/settings/nope', '/nope?from=mail']) {
    const { status, text, headers } = await as('').get(path, browser)
    assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'])
    assert.match(text, /<div id="root">/)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assertError(await as('').get(path, { headers: { accept: 'application/json' } }), 'not_found')
    assertError(await as('').get(path), 'not_found')
    assertError(await as('').raw('POST', path, '{}', browser), 'not_found')
  }
  for (const path of ['/v3/nope', '/v3', '/web/v1/nope', '/oauth/nope', '/assets/nope.js', '/.well-known/nope']) {
    assertError(await as('').get(path, browser), 'not_found')
  }
})

test('another method at an existing URL causes a 405 that lists the allowed methods', async () => {
  const { paths } = (await owner.get('/openapi.json')).body as { paths: Record<string, object> }
  for (const [path, operations] of Object.entries(paths)) {
    const methods = Object.keys(operations).map((method) => method.toUpperCase())
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter(
      (name) => !methods.includes(name),
    )) {
      const address = path.replace('{code}', 'R01').replace(/\{\w+\}/g, UNKNOWN_ID)
      const answer = await user.raw(method, address, null)
      assertError(answer, 'method_not_allowed')
      assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), allowed.sort(), `${method} ${path}`)
    }
  }
})

test('another method causes a 405 for every notation of the URL', async () => {
  for (const [path, allowed] of [
    ['/v3/%75ser', 'POST, GET, PUT, HEAD'],
    ['/v3/check/%63s%76', 'POST'],
    [`/v3/%62ank/${UNKNOWN_ID.replaceAll('0', '%30')}`, 'GET, PUT, DELETE, HEAD'],
  ] as const) {
    const answer = await user.raw('PATCH', path, null)
    assertError(answer, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), allowed)
  }
  for (const path of ['/v3/%', '/v3/%2575ser', '/v3%2Fuser', '/v3/user%ff']) {
    assertError(await user.raw('PATCH', path, null), 'not_found')
  }
})

test('HEAD has the answer of GET without a body', async () => {
  const head = await user.raw('HEAD', '/v3/user', null)
  const get = await user.get('/v3/user')
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(get.text)))
  assert.equal((await as('').raw('HEAD', '/v3/user', null)).status, 401)
  assert.equal((await user.raw('HEAD', `/v3/bank/${UNKNOWN_ID}`, null)).status, 404)
})

test('a request without a valid key and secret causes a 401 that explains how to authenticate, and does not reveal which part was wrong', async () => {
  const [key, secret] = user.credential.split(':') as [string, string]
  const otherSecret = owner.credential.split(':')[1]
  const credentials = [
    '',
    key,
    `${key}:`,
    `:${secret}`,
    `${key}:${otherSecret}`,
    `${key}:${secret.toLowerCase()}`,
    `${key}:${secret}x`,
    `${key.toUpperCase()}:${secret}`,
    `${'0'.repeat(32)}:${secret}`,
    `${key}:${secret}:${secret}`,
    `Basic ${btoa(`${key}:${secret}`)}`,
    `${'x'.repeat(10_000)}`,
  ]
  const texts = new Set<string>()
  for (const credential of credentials) {
    const answer = await as(credential).get('/v3/user')
    assertError(answer, 'unauthorized')
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="remit"', credential)
    texts.add(answer.text)
  }
  assert.equal(texts.size, 1)
})

test('an unknown Bearer token causes a 401 invalid_token, with its scheme in any case', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const answer = await as(`${scheme} ${'a'.repeat(43)}`).get('/v3/user')
    assertError(answer, 'invalid_token')
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="remit", error="invalid_token"')
  }
})

test('a caller without a credential gets the 401 before the body is validated', async () => {
  assertError(await as('').raw('POST', '/v3/bank', '{'), 'unauthorized')
  assertError(await as('').post('/v3/bank', { extra: 1 }), 'unauthorized')
})

test('a body of 1 MiB is read, and one more byte causes a 413; with an attachment the limit is 10 MiB', async () => {
  const bodyOf = (length: number) => `{"name":"${'a'.repeat(length - 11)}"}`
  assert.equal(bodyOf(100).length, 100)
  assertError(await user.raw('POST', '/v3/bank', bodyOf(MIB)), 'invalid_request')
  assertError(await user.raw('POST', '/v3/bank', bodyOf(MIB + 1)), 'body_too_large')
  assertError(await user.raw('POST', '/v3/check/digital', bodyOf(10 * MIB)), 'invalid_request')
  assertError(await user.raw('POST', '/v3/check/digital', bodyOf(10 * MIB + 1)), 'body_too_large')
})

test('a client that sends its whole body before it reads gets the 413, and can use the connection again', async () => {
  const { port } = new URL(baseUrl)
  const chunk = Buffer.alloc(MIB, ' ')
  const count = 15
  for (const framing of ['content-length', 'transfer-encoding']) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.pause()
    const head = `POST /v3/bank HTTP/1.1\r\nhost: localhost:${port}\r\nauthorization: ${user.credential}\r\ncontent-type: application/json\r\n`
    const isChunked = framing === 'transfer-encoding'
    socket.write(`${head}${framing}: ${isChunked ? 'chunked' : count * MIB}\r\n\r\n`)
    for (let sent = 0; sent < count; sent++) {
      const isTaken = socket.write(
        isChunked ? Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]) : chunk,
      )
      if (!isTaken) await once(socket, 'drain')
    }
    if (isChunked) socket.write('0\r\n\r\n')
    socket.write(`GET /healthz HTTP/1.1\r\nhost: localhost:${port}\r\nconnection: close\r\n\r\n`)
    const answers = (await socket.setEncoding('utf8').toArray()).join('')
    assert.deepEqual(answers.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 413', 'HTTP/1.1 200'], framing)
  }
})

test('invalid JSON causes a 400 with the position of the error, and a byte order mark is allowed', async () => {
  for (const [body, message] of [
    ['{"name":}', /line 1, column 9/],
    ['{\n  "name": "a"\n  "b": 1}', /line 3, column 3/],
    ['{"name": "a",}', /line 1, column 14/],
    ['{"name": "a"', /ends too early/],
    ["{'name': 1}", /line 1, column 2/],
    ['{} x', /line 1, column 4/],
    ['{"a": 01}', /line 1, column/],
  ] as const) {
    const answer = await user.raw('POST', '/v3/bank', body)
    assertError(answer, 'malformed_json')
    assert.match(answer.body.message, message, body)
  }
  assertError(await user.raw('POST', '/v3/bank', '\uFEFF{}'), 'invalid_request')
})

test('the limit also applies to a chunked body', async () => {
  const chunk = 'a'.repeat(64 * 1024)
  const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(17)
  const head = `POST /v3/bank HTTP/1.1\r\nhost: a\r\nauthorization: ${user.credential}\r\ncontent-type: application/json\r\n`
  assertError(await sendRaw(`${head}transfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`), 'body_too_large')
})

test('a body with another content type than JSON causes a 415', async () => {
  const body = JSON.stringify({ routing: '021000021', account: '123456', type: 'CHECKING' })
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'json', 'a/b/c']
  for (const type of types) {
    const answer = await user.raw('POST', '/v3/bank', body, { headers: { 'content-type': type } })
    assertError(answer, 'unsupported_media_type')
  }
  const accepted = await user.raw('POST', '/v3/bank', '{}', {
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
  assertError(accepted, 'invalid_request')
})

test('an empty body counts as none, even with a JSON content type, because some clients send it with DELETE', async () => {
  const keys = await Promise.all([user.post('/v3/user/api_key', {}), user.post('/v3/user/api_key', {})])
  const [first, second] = keys.map(({ body }) => body.id)
  assert.equal((await user.raw('DELETE', `/v3/user/api_key/${first}`, '')).status, 204)
  const head = `DELETE /v3/user/api_key/${second} HTTP/1.1\r\nhost: a\r\nauthorization: ${user.credential}\r\n`
  const chunked = 'content-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n0\r\n\r\n'
  assert.equal((await sendRaw(head + chunked)).status, 204)
  assertError(await user.raw('POST', '/v3/bank', ''), 'invalid_request', { body: ['must be an object'] })
})

test('a request that is not HTTP gets a 400 in the form of every error', async () => {
  const requests = [
    'NOT HTTP\r\n\r\n',
    'GET /v3/user HTTP/9.9\r\nhost: a\r\n\r\n',
    'GET /v3/user HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n',
    'GET /v3/user HTTP/1.1\r\nhost: a\r\nx: a\0b\r\n\r\n',
    'POST /v3/bank HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n12345',
    'POST /v3/bank HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /v3/bank HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS client',
  ]
  for (const request of requests) {
    const answer = await sendRaw(request)
    assertError(answer, 'invalid_request')
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  }
})

test('headers of more than 16 KiB cause a 431', async () => {
  const headers = `x-long: ${'a'.repeat(17_000)}\r\n`
  assertError(await sendRaw(`GET /v3/user HTTP/1.1\r\nhost: a\r\n${headers}\r\n`), 'headers_too_large')
})

test('an Idempotency-Key has 1 to 255 visible characters, and methods other than POST ignore it', async () => {
  const before = await rowCounts(deps.sql)
  for (const idempotencyKey of ['', 'a'.repeat(256), 'é', 'tab\there']) {
    assertError(await user.post('/v3/user/api_key', {}, { idempotencyKey }), 'invalid_idempotency_key')
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
  assert.equal((await user.post('/v3/user/api_key', {}, { idempotencyKey: 'a'.repeat(255) })).status, 201)
  for (const send of [user.get('/v3/user', { idempotencyKey: '' }), user.put('/v3/user', {}, { idempotencyKey: '' })]) {
    assert.equal((await send).status, 200)
  }
})

test('an internal error reveals only the request id, and a temporary problem has a Retry-After header', async (t) => {
  const failures: Record<string, [error: object, code: keyof typeof apiErrors]> = {
    '/v3/broken': [new Error('the password is in this message'), 'internal_error'],
    '/v3/locked': [Object.assign(new Error('lock timeout of user 7'), { code: '55P03' }), 'overloaded'],
    '/v3/deadlock': [Object.assign(new Error('deadlock of user 7'), { code: '40P01' }), 'overloaded'],
    '/v3/unreachable': [Object.assign(new Error('10.0.0.1'), { code: 'ECONNREFUSED' }), 'database_unavailable'],
  }
  const app = await bareServer(
    Object.entries(failures).map(([path, [error]]) =>
      get(path, { access: 'anyone', tag: 'Test', summary: 'Fails' }, () => Promise.reject(error)),
    ),
  )
  t.after(() => app.close())
  for (const [path, [error, code]] of Object.entries(failures)) {
    const { statusCode, headers, body } = await app.inject(path)
    const { message, ...rest } = JSON.parse(body)
    assert.deepEqual([statusCode, rest], [apiErrors[code][0], { error: message, code }])
    assert.ok(!body.includes((error as Error).message))
    assert.equal(headers['retry-after'], statusCode === 503 ? '1' : '60')
    if (code === 'internal_error') assert.ok(message.endsWith(` ${headers['x-request-id']}`))
  }
})

test('an overloaded route refuses requests without reading them, with the usual answer', async (t) => {
  let isOverloaded = true
  const statuses: number[] = []
  const spec = { access: 'anyone', tag: 'Test', summary: 'Is overloaded', body: Type.Any() } as const
  const app = await bareServer(
    [
      post('/v3/busy', { ...spec, isOverloaded: () => isOverloaded, transaction: 'none' }, async () => ({})),
      post('/v3/locked', { ...spec, transaction: 'none' }, () => Promise.reject(new ApiError('overloaded'))),
    ],
    { ...deps, meter: { ...deps.meter, answered: ({ status }) => statuses.push(status) } },
  )
  t.after(() => app.close())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json', origin: url }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body })
    const own = [...answer.headers].filter(([name]) => name !== 'date' && !name.startsWith('ratelimit'))
    const { 'x-request-id': id, ...rest } = Object.fromEntries(own)
    assert.match(id ?? '', /^[0-9a-f]{32}$/)
    return { status: answer.status, headers: rest, body: await answer.json() }
  }
  const refused = await ask('/v3/busy', 'not JSON')
  assert.deepEqual(refused, await ask('/v3/locked', '{}'))
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1'])
  assert.deepEqual(await ask('/v3/busy?a=1', '{}'), refused)
  assert.deepEqual([app.server.headersTimeout, app.server.requestTimeout], [30_000, 60_000])
  isOverloaded = false
  assert.equal((await ask('/v3/busy', '{}')).status, 200)
  assert.deepEqual(statuses, [503, 503, 503, 200])
})

test('each answer is sent once by every sender', async (t) => {
  const route = (name: string, run: Parameters<typeof get>[2]) =>
    get(`/v3/${name}`, { access: 'anyone', tag: 'Test', summary: 'Answers', answer: Type.Any() }, run)
  const app = await bareServer([
    route('returned', async () => ({ a: 1 })),
    route('sent', async (_deps, { reply }) => sendJson(reply, { status: 200, text: '{"a":1}' })),
    route('reply', async (_deps, { reply }) => reply.type('application/json').send('{"a":1}')),
    route('stream', async (_deps, { reply }) => reply.type('application/json').send(Readable.from(['{"a"', ':1}']))),
  ])
  t.after(() => app.close())
  const complaints = [t.mock.method(app.log, 'warn'), t.mock.method(app.log, 'error')]
  for (const name of ['returned', 'sent', 'reply', 'stream']) {
    const { statusCode, body } = await app.inject(`/v3/${name}`)
    assert.deepEqual([name, statusCode, body], [name, 200, '{"a":1}'])
  }
  assert.deepEqual(
    complaints.map((complaint) => complaint.mock.callCount()),
    [0, 0],
  )
})

test('a request that does not arrive in time causes a 408 and closes the connection', async (t) => {
  const app = await bareServer([])
  t.after(() => app.close())
  const error = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  const sent = await new Promise<string>((resolve) => {
    app.server.emit('clientError', error, { writable: true, end: resolve, destroy: () => {} })
  })
  const answer = parseAnswer(Buffer.from(sent))
  assertError(answer, 'request_timeout')
  assert.equal(answer.headers.get('connection'), 'close')
})

/** A request that names a host. */
const askFor = (host: string, { path = '/v3/user', at = baseUrl } = {}) =>
  sendRaw(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`, at)

test('production answers only for the host of its base URL, except for health checks', async (t) => {
  const settings = { baseUrl: 'https://pay.example.com' }
  const { listeningAt: at } = await startTestService(t, { environment: 'production', settings })
  for (const host of ['pay.example.com', 'PAY.example.com', 'pay.example.com:443']) {
    assertError(await askFor(host, { at }), 'unauthorized')
  }
  const { host: own } = new URL(at)
  for (const host of [
    own,
    'localhost',
    'example.com',
    'pay.example.com:4000',
    'pay.example.com.evil.test',
    'a@b',
    '',
  ]) {
    for (const path of ['/v3/user', '/', '/nowhere', '/openapi.json', '/oauth/authorize']) {
      assertError(await askFor(host, { path, at }), 'misdirected_request')
    }
    for (const path of ['/healthz', '/readyz']) assert.equal((await askFor(host, { path, at })).status, 200)
  }
  const { headers } = await askFor('pay.example.com', { at })
  assert.equal(headers.get('strict-transport-security'), 'max-age=31536000')
})

test('the sandbox answers for any host, but shows its mail only for local names and its base URL', async (t) => {
  const { host } = new URL(baseUrl)
  for (const name of [host, 'localhost', '[::1]:4000']) {
    for (const path of ['/mail', '/web/v1/mail']) assert.equal((await askFor(name, { path })).status, 200, name)
  }
  for (const name of ['evil.test', `evil.test:${new URL(baseUrl).port}`, 'localhost.evil.test', '192.168.0.7', '']) {
    const written = [
      '/mai%6c',
      '/%6Dail',
      '/web/v1/%6dail',
      '/%77eb/v1/mail',
      '/web/v1/mail#',
      'http://localhost/web/v1/mail',
    ]
    for (const path of ['/mail', '/web/v1/mail', '/mail?x', ...written]) {
      assertError(await askFor(name, { path }), 'misdirected_request')
    }
    assertError(await askFor(name), 'unauthorized')
    assert.equal((await askFor(name, { path: '/web/v1/context' })).body.shows_mail, false)
  }
  const { headers, body } = await askFor('localhost', { path: '/web/v1/context' })
  assert.deepEqual([body.shows_mail, headers.get('strict-transport-security')], [true, null])
  const named = await startTestService(t, { settings: { baseUrl: 'http://sandbox.example.com:8080' } })
  for (const [name, status] of [
    ['sandbox.example.com:8080', 200],
    ['sandbox.example.com', 421],
    ['localhost', 200],
  ] as const) {
    const answer = await askFor(name, { path: '/web/v1/mail', at: named.listeningAt })
    assert.equal(answer.status, status, name)
  }
})

test('a request with two Host headers is refused', async () => {
  const { host } = new URL(baseUrl)
  for (const second of [host, 'evil.test']) {
    for (const path of ['/healthz', '/v3/user', '/nowhere']) {
      assertError(await askFor(`${host}\r\nHOST: ${second}`, { path }), 'invalid_request')
    }
  }
})

test('a refused request is logged with address, request id and reason, and without a secret', async () => {
  const [key] = user.credential.split(':')
  const answers = [
    await as(`${key}:${'x'.repeat(40)}`).get('/v3/user'),
    await as(`Bearer ${'b'.repeat(43)}`).get('/v3/user'),
    await user.post('/v3/user', { user_id: 'x1', name: 'Not allowed' }),
    await as('').post('/web/v1/sign-in', { email: 'a@example.com', password: 'x' }),
  ]
  const log = await readFile(process.env.TEST_RUN_LOG as string, 'utf8')
  const lines = log.split('\n').filter((line) => line.includes('"request refused"'))
  const written = answers.map(({ headers }) => {
    const line = lines.find((candidate) => candidate.includes(headers.get('x-request-id') as string))
    const { address, status, code, problem } = JSON.parse(line ?? '{}')
    return [address, status, code, problem]
  })
  assert.deepEqual(written, [
    ['127.0.0.1', 401, 'unauthorized', 'wrong secret'],
    ['127.0.0.1', 401, 'invalid_token', undefined],
    ['127.0.0.1', 403, 'owner_only', undefined],
    ['127.0.0.1', 403, 'foreign_origin', undefined],
  ])
})

test('the service is not ready while PostgreSQL accepts no writes, and recovers by itself', async (t) => {
  const realClock = fakeClock()
  const service = await startTestService(t, { realClock })
  const anyone = service.as('')
  const ready = async () => (await anyone.get('/readyz')).status
  const database = new URL(service.databaseUrl).pathname.slice(1)
  const operator = connectDatabase(ownerUrlOf(service.databaseUrl), { max: 1, applicationName: 'operator' })
  t.after(() => operator.end())
  const setReadOnly = async (value: string) => {
    await operator.unsafe('set default_transaction_read_only = off')
    await operator.unsafe(`alter database "${database}" set default_transaction_read_only = ${value}`)
    await operator`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database} and pid <> pg_backend_pid()
    `
  }
  assert.equal(await ready(), 200)
  await setReadOnly('on')
  realClock.advance(2)
  for (let tries = 0; tries < 50 && (await ready()) === 200; tries++) realClock.advance(2)
  assert.deepEqual([await ready(), await ready(), (await anyone.get('/healthz')).status], [503, 503, 200])
  assert.equal((await service.owner.get('/v3/user')).status, 200, 'reading goes on')
  await setReadOnly('off')
  for (let tries = 0; tries < 50 && (await ready()) !== 200; tries++) realClock.advance(2)
  assert.equal(await ready(), 200)
})

test('the service is not ready while the disk of PostgreSQL is full, and recovers when space is free', async (t) => {
  const realClock = fakeClock()
  const service = await startTestService(t, { realClock })
  const anyone = service.as('')
  const ready = async () => {
    realClock.advance(2)
    return (await anyone.get('/readyz')).status
  }
  const isTried = await onSmallDisk(service.databaseUrl, async (disk) => {
    for (let tries = 0; tries < 50 && (await ready()) !== 200; tries++);
    assert.equal(await ready(), 200)
    await disk.fill()
    await assert.rejects(
      service.ownerSql`create table too_large as select repeat('x', 1000) from generate_series(1, 100)`,
      { code: '53100' },
    )
    assert.deepEqual([await ready(), await ready(), (await anyone.get('/healthz')).status], [503, 503, 200])
    assert.equal((await service.owner.get('/v3/user')).status, 200, 'reading goes on')
    await disk.empty()
    assert.equal(await ready(), 200)
  })
  if (!isTried) t.skip('file systems cannot be mounted here')
})

test('API answers are not cached', async () => {
  const answers = [
    await user.get('/v3/user'),
    await user.get('/%763/user'),
    await user.post('/v3/bank', {}),
    await as('').get('/v3/user'),
    await user.get('/v3/nowhere'),
    await user.get(`/v3/check/${UNKNOWN_ID}`),
    await user.raw('PATCH', '/v3/user', '{}'),
  ]
  for (const { headers } of answers) assert.equal(headers.get('cache-control'), 'no-store')
})

const bareServer = (routes: Route[], own: Deps = deps) =>
  createServer(own, {
    authenticate: () => Promise.reject(new Error('nobody is asked for')),
    allowsScope: () => false,
    stoppedGuard: { refuses: () => false, requireActive: async () => {} },
    parts: [],
    missingPage: null,
    oneAtATime: createOneAtATime(),
    routes,
    apiReference: { version: '0', baseUrl: null, examples: {} },
    isReady: async () => true,
  })

function assertError(answer: Answer, code: keyof typeof apiErrors, errors?: Record<string, string[]>): void {
  const [status] = apiErrors[code]
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text)
  assert.equal(answer.body.error, answer.body.message)
  assert.ok(answer.body.message.length > 10)
  if (errors) assert.deepEqual(answer.body.errors, errors)
}

/** Sends bytes unchanged and reads until the other side closes the connection. */
async function sendRaw(request: string, to = baseUrl): Promise<Answer> {
  const socket = connect(Number(new URL(to).port), '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  socket.write(request, 'latin1')
  await once(socket, 'close')
  return parseAnswer(Buffer.concat(chunks))
}

function parseAnswer(bytes: Buffer): Answer {
  const [head = '', text = ''] = bytes.toString().split('\r\n\r\n', 2)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]))
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    text,
    body: headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : null,
  }
}

test('the URL that npm start prints shows the pages, which other sites cannot frame, with scripts of this service only', async () => {
  for (const path of ['/', '/sign-in', '/settings/developer']) {
    const answer = await fetch(`${baseUrl}${path}`, { redirect: 'manual' })
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self';/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.equal(answer.headers.get('x-frame-options'), 'DENY')
    assert.doesNotMatch(await answer.text(), /<script(?![^>]* src=)/, 'no script in the page itself')
  }
})

test('browsers cache files of the pages without a limit, because their names change with their content', async () => {
  const [, file] = /src="(\/assets\/[^"]+)"/.exec(await (await fetch(`${baseUrl}/`)).text()) ?? []
  const answer = await fetch(`${baseUrl}${file}`)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
  const packed = await fetch(`${baseUrl}${file}`, { headers: { 'accept-encoding': 'br' } })
  assert.deepEqual([packed.headers.get('content-encoding'), packed.headers.get('vary')], ['br', 'accept-encoding'])
  const head = await fetch(`${baseUrl}${file}`, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('etag')], [200, answer.headers.get('etag')])
  assert.equal(await head.text(), '')
  assert.equal((await fetch(`${baseUrl}/assets/unknown.js`)).status, 404)
  for (const path of [
    '/assets/',
    '/assets/..%2findex.html',
    '/assets/%2e%2e%2findex.html',
    '/assets/..%5cindex.html',
  ]) {
    assert.equal((await fetch(`${baseUrl}${path}`)).status, 404, path)
  }
})

test('a compressed body causes a 415, and does not count as invalid JSON', async () => {
  const answer = await owner.raw('POST', '/v3/user', '{}', { headers: { 'content-encoding': 'gzip' } })
  assert.deepEqual([answer.status, answer.body.code], [415, 'unsupported_media_type'])
})

test('a request to the authorization server with an invalid Host header gets an error', async () => {
  for (const host of ['[', 'a b', 'a:99999']) {
    const answer = await sendRaw(`GET /oauth/authorize HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    assertError(answer, 'invalid_request')
  }
})
