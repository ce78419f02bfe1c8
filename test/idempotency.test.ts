import assert from 'node:assert/strict'
import { connect as connectSocket } from 'node:net'
import { after, test } from 'node:test'
import { isIdempotent, isPublic } from '../src/foundation/http/route.ts'
import { allRoutes } from '../src/operation/app/all-routes.ts'
import type { AcceptDeps } from '../src/payments/payment/accept/accept-actions.ts'
import type { Answer, Api } from './support/api.ts'
import { createApi } from './support/api.ts'
import { fakeClock } from './support/clock.ts'
import { sendPayment } from './support/payments.ts'
import { missingDatabase, readFirstOwner, startProcess, temporaryFolder } from './support/process.ts'
import { collectSecrets } from './support/secrets.ts'
import { addBank, addVerifiedBank, newAccountNumber, startTestService, type TestService } from './support/service.ts'
import { newPayee, newSender } from './support/webhooks.ts'

const realClock = fakeClock(new Date().toISOString())
const service = await startTestService({ after }, { realClock })
const { owner, deps, newUser } = service
const { sql } = deps

let keyCount = 0
const newKey = () => `key ${++keyCount}`

const payment = (order: object = {}) => ({ amount: 1, name: 'Recipient', recipient: 'recipient@example.com', ...order })

const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true'

async function countOf(query: Promise<{ count: number }[]>): Promise<number> {
  const [row] = await query
  return row?.count ?? 0
}

type Arranged = { ask: (idempotencyKey: string) => Promise<Answer>; effects: () => Promise<number> }

/** A POST of each kind: on the hot path, with a secret in its answer, under both prefixes, for an object with an id. */
const posts: Record<string, () => Promise<Arranged>> = {
  'POST /v3/check/digital': async () => {
    const sender = await newSender(service)
    return {
      ask: (idempotencyKey) => sender.post('/v3/check/digital', payment(), { idempotencyKey }),
      effects: () => countOf(sql`select count(*) from payments where sender_id = ${sender.id}`),
    }
  },
  'POST /v3/check/digital, deposited at once': async () => {
    const [sender, payee] = await Promise.all([newSender(service), newPayee(service)])
    const order = payment({ recipient: { id: payee.userId, account: payee.bankId } })
    return {
      ask: (idempotencyKey) => sender.post('/v3/check/digital', order, { idempotencyKey }),
      effects: () =>
        countOf(sql`
          select count(*)
          from payments p
          join events e on e.platform_id = p.platform_id and e.subject_id = p.id
          where sender_id = ${sender.id}
        `),
    }
  },
  'POST /v3/user': async () => {
    const name = `User ${newKey()}`
    return {
      ask: (idempotencyKey) => owner.post('/v3/user', { user_id: name, name }, { idempotencyKey }),
      effects: () => countOf(sql`select count(*) from users where external_id = ${name}`),
    }
  },
  'POST /v3/bank under both prefixes': async () => {
    const user = await newUser()
    const bank = { routing: '021000021', account: newAccountNumber(), type: 'CHECKING' }
    let count = 0
    const path = () => (++count % 2 === 0 ? '/v3/bank' : '/v3/account/bank')
    return {
      ask: (idempotencyKey) => user.post(path(), bank, { idempotencyKey }),
      effects: () => countOf(sql`select count(*) from banks where user_id = ${user.id}`),
    }
  },
  'POST /v3/check/deposit/{id}': async () => {
    const [sender, payee] = await Promise.all([newSender(service), newPayee(service)])
    const { id } = await sendPayment(sender, { recipient: payee.userId })
    return {
      ask: (idempotencyKey) => payee.post(`/v3/check/deposit/${id}`, { account: payee.bankId }, { idempotencyKey }),
      effects: () => countOf(sql`select count(*) from events where subject_id = ${id}`),
    }
  },
}

for (const [what, arrange] of Object.entries(posts)) {
  test(`20 concurrent requests to ${what} with one key have one effect and one answer`, async () => {
    for (let round = 0; round < 3; round++) {
      const { ask, effects } = await arrange()
      const key = newKey()
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(key)))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
      assert.equal(answers.filter(isReplayed).length, 19)
      assert.equal(await effects(), 1)
      const later = await ask(key)
      assert.deepEqual([later.status, later.text, isReplayed(later)], [201, answers[0]?.text, true])
      assert.equal(await effects(), 1)
    }
  })
}

test('each public route that changes data commits with its answer in one transaction, with these exceptions', () => {
  const routes = allRoutes(deps as AcceptDeps, {
    apiKeys: { forget: () => {} },
    oneAtATime: (_claim, run) => run(),
    provider: () => null as never,
    lines: null as never,
    wakeups: null as never,
    streams: null as never,
    context: { version: '', environments: () => [] },
    baseUrl: () => '',
  })
  const others = routes.filter(
    (route) => isPublic(route) && route.method !== 'GET' && route.transaction !== 'withAnswer',
  )
  assert.deepEqual(
    Object.fromEntries(others.map(({ method, url, transaction }) => [`${method} ${url}`, transaction])),
    {
      // the handler calls an institution in between
      'POST /v3/bank/iav': 'beforeAnswer',
      'POST /v3/bank/iav/plaid': 'beforeAnswer',
      'POST /v3/account/bank/iav': 'beforeAnswer',
      'POST /v3/account/bank/iav/plaid': 'beforeAnswer',
      'POST /v3/check/digital': 'byHandler',
      'POST /v3/check/physical': 'byHandler',
      'POST /v3/check/direct': 'byHandler',
      'POST /v3/check/multi': 'byHandler',
      'POST /v3/batch/preview': 'none',
      'POST /v3/check/preview': 'none',
      'POST /v3/check/print/:id': 'none',
      'POST /v3/user/signature': 'beforeAnswer', // the handler decodes an image in between
      'POST /v3/webhook/endpoint/:id/test': 'beforeAnswer',
      'POST /v3/webhook/replay': 'beforeAnswer',
      'POST /v3/webhook/listener/:id': 'none',
    },
  )
  for (const route of others) assert.equal(isIdempotent(route), route.transaction !== 'none')
})

test('an answer with a secret is stored sealed, and one without is stored in clear text', async () => {
  const records = () => sql<{ isSealed: boolean; isClear: boolean }[]>`
    select answer_sealed is not null as is_sealed, answer is not null as is_clear
    from idempotency_records
    order by created_at desc, ctid desc
    limit 1
  `
  const user = await owner.post('/v3/user', { user_id: 'sealed', name: 'Sealed' }, { idempotencyKey: newKey() })
  assert.equal(user.status, 201)
  assert.deepEqual([...(await records())], [{ isSealed: true, isClear: false }])
  const key = newKey()
  const asUser = service.as(`${user.body.key}:${user.body.secret}`)
  const apiKey = await asUser.post('/v3/user/api_key', { name: 'one' }, { idempotencyKey: key })
  assert.deepEqual([...(await records())], [{ isSealed: true, isClear: false }])
  const again = await asUser.post('/v3/user/api_key', { name: 'one' }, { idempotencyKey: key })
  assert.equal(again.body.secret, apiKey.body.secret)
  await asUser.post('/v3/bank', bank('8'), { idempotencyKey: newKey() })
  assert.deepEqual([...(await records())], [{ isSealed: false, isClear: true }])
})

test('an answer with the account numbers of a wallet is stored sealed, including that of its funding', async () => {
  const { body } = await owner.post('/v3/account/wallet', { name: 'Cash' }, { idempotencyKey: newKey() })
  const path = `/v3/sandbox/wallet/${body.id}/fund`
  const key = newKey()
  const funded = await owner.post(path, { amount: 5 }, { idempotencyKey: key })
  assert.equal(funded.body.numbers.ACH.account, body.numbers.ACH.account)
  const clear = await sql`select from idempotency_records where answer like ${`%${body.numbers.ACH.account}%`}`
  assert.equal(clear.length, 0)
  assert.equal((await owner.post(path, { amount: 5 }, { idempotencyKey: key })).text, funded.text)
})

test('the same key with another body is refused and has no effect', async () => {
  const sender = await newSender(service)
  for (const [path, first, second] of [
    ['/v3/check/digital', payment(), payment({ amount: 2 })],
    ['/v3/bank', bank('1'), bank('2')],
  ] as const) {
    const idempotencyKey = newKey()
    assert.equal((await sender.post(path, first, { idempotencyKey })).status, 201)
    const refused = await sender.post(path, second, { idempotencyKey })
    assert.deepEqual([refused.status, refused.body.code, isReplayed(refused)], [422, 'idempotency_key_reused', false])
    assert.ok(isReplayed(await sender.post(path, first, { idempotencyKey })))
  }
  assert.equal(await countOf(sql`select count(*) from payments where sender_id = ${sender.id}`), 1)
})

function bank(end: string) {
  return { routing: '021000021', account: `98765432${keyCount}${end}`, type: 'SAVINGS' }
}

test('20 concurrent requests with one key and two bodies make one payment', async () => {
  const sender = await newSender(service)
  const idempotencyKey = newKey()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      sender.post('/v3/check/digital', payment({ amount: 1 + (index % 2) }), { idempotencyKey }),
    ),
  )
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 10)
  assert.equal(new Set(made.map(({ text }) => text)).size, 1)
  assert.ok(answers.every(({ status }) => status === 201 || status === 422))
  assert.equal(await countOf(sql`select count(*) from payments where sender_id = ${sender.id}`), 1)
})

test('bodies that differ only in white space or the order of members count as equal', async () => {
  const sender = await newSender(service)
  const idempotencyKey = newKey()
  const bodies = [
    '{"amount":5.5,"name":"Re","recipient":"re@example.com","pin":{"value":"1234","description":"d"}}',
    '{ "pin": {"description": "d", "value": "1234"},\n "recipient":"re@example.com", "name":"\\u0052e", "amount":5.50 }',
    '{"recipient":"re@example.com","amount":55e-1,"pin":{"value":"1234","description":"d"},"name":"Re"}',
  ]
  const answers: Answer[] = []
  for (const body of bodies)
    answers.push(await sender.raw('POST', '/v3/check/digital', body, { idempotencyKey, headers: JSON_TYPE }))
  assert.deepEqual(
    answers.map((answer) => [answer.status, answer.text, isReplayed(answer)]),
    answers.map((_, index) => [201, answers[0]?.text, index > 0]),
  )
})

const JSON_TYPE = { 'content-type': 'application/json' }

test('a key belongs to its user and its path', async () => {
  const [first, second] = await Promise.all([newSender(service), newSender(service)])
  const idempotencyKey = newKey()
  const a = await first.post('/v3/check/digital', payment(), { idempotencyKey })
  const b = await second.post('/v3/check/digital', payment(), { idempotencyKey })
  assert.deepEqual([a.status, b.status, isReplayed(b)], [201, 201, false])
  assert.notEqual(a.body.id, b.body.id)
  const elsewhere = await first.post('/v3/bank', bank('9'), { idempotencyKey })
  assert.deepEqual([elsewhere.status, isReplayed(elsewhere)], [201, false])

  const payee = await newPayee(service)
  const payments = await Promise.all([1, 2].map(() => sendPayment(first, { recipient: payee.userId })))
  for (const { id } of payments) {
    const deposited = await payee.post(`/v3/check/deposit/${id}`, { account: payee.bankId }, { idempotencyKey })
    assert.deepEqual([deposited.status, deposited.body.id, isReplayed(deposited)], [201, id, false])
  }
})

test('two API keys of one user share their idempotency keys', async () => {
  const sender = await newSender(service)
  const { body } = await sender.post('/v3/user/api_key', {})
  const idempotencyKey = newKey()
  const first = await sender.post('/v3/check/digital', payment(), { idempotencyKey })
  const second = await service.as(`${body.id}:${body.secret}`).post('/v3/check/digital', payment(), { idempotencyKey })
  assert.deepEqual([second.text, isReplayed(second)], [first.text, true])
})

test('a key is free again after 24 hours', async () => {
  const sender = await newSender(service)
  const idempotencyKey = newKey()
  const ask = () => sender.post('/v3/check/digital', payment(), { idempotencyKey })
  const askBank = () => sender.post('/v3/bank', { ...bank('5'), name: 'same' }, { idempotencyKey })
  const first = await ask()
  assert.equal((await askBank()).status, 201)
  realClock.advance(24 * 60 * 60 - 2)
  assert.deepEqual([(await ask()).text, isReplayed(await askBank())], [first.text, true])
  realClock.advance(3)
  const next = await ask()
  assert.deepEqual([next.status, isReplayed(next), next.body.id === first.body.id], [201, false, false])
  assert.deepEqual((await askBank()).body.code, 'bank_exists')
  const again = await ask()
  assert.deepEqual([again.text, isReplayed(again)], [next.text, true])
  const other = await sender.post('/v3/check/digital', payment({ amount: 3 }), { idempotencyKey })
  assert.equal(other.status, 422)
})

test('a refused request does not use its key', async () => {
  const sender = await newSender(service)
  for (const [path, refused, good, refusedLater] of [
    ['/v3/check/digital', payment({ recipient: 'nobody' }), payment(), 422],
    ['/v3/check/digital', payment({ amount: -1 }), payment(), 400],
    ['/v3/bank', { ...bank('7'), routing: '021000022' }, bank('7'), 422],
  ] as const) {
    const idempotencyKey = newKey()
    const first = await sender.post(path, refused, { idempotencyKey })
    assert.equal(first.status, 400)
    const second = await sender.post(path, good, { idempotencyKey })
    assert.deepEqual([second.status, isReplayed(second)], [201, false])
    // From now on, the key has a body. It is compared only if a request is valid.
    assert.equal((await sender.post(path, refused, { idempotencyKey })).status, refusedLater)
  }
})

test('a wrong verification with a key counts each time and does not use the key', async () => {
  const user = await newUser()
  const account = await addBank(user)
  await user.post('/v3/bank/release', { account })
  const idempotencyKey = newKey()
  const wrong = () => user.post('/v3/bank/verify', { account, amount_1: 0.01, amount_2: 0.02 }, { idempotencyKey })
  assert.match((await wrong()).body.message, /You have 2 attempts left/)
  assert.match((await wrong()).body.message, /You have 1 attempt left/)
  const right = () => user.post('/v3/bank/verify', { account, amount_1: 0.07, amount_2: 0.15 }, { idempotencyKey })
  assert.deepEqual([(await right()).status, isReplayed(await right())], [200, true])
  assert.equal((await wrong()).status, 422)
})

test('the answer stays unchanged, even if the payment has changed', async () => {
  const [sender, payee] = await Promise.all([newSender(service), newPayee(service)])
  const idempotencyKey = newKey()
  const ask = () => sender.post('/v3/check/digital', payment({ recipient: payee.userId }), { idempotencyKey })
  const first = await ask()
  await payee.post(`/v3/check/deposit/${first.body.id}`, { account: payee.bankId })
  await sender.put('/v3/user/webhook', { status: 'SUSPENDED' })
  assert.equal((await ask()).text, first.text)
})

test('keys of 1 to 255 visible characters are accepted, and others are refused', async () => {
  const sender = await newSender(service)
  const post = (idempotencyKey: string) => sender.post('/v3/check/digital', payment(), { idempotencyKey })
  for (const key of ['a', 'a b', '~!"#', 'k'.repeat(255)]) assert.equal((await post(key)).status, 201, key)
  for (const key of ['', 'k'.repeat(256), 'café']) {
    const { status, body } = await post(key)
    assert.deepEqual([status, body.code], [400, 'invalid_idempotency_key'], key)
    const ordinary = await sender.post('/v3/bank', bank('0'), { idempotencyKey: key })
    assert.deepEqual([ordinary.status, ordinary.body.code], [400, 'invalid_idempotency_key'], key)
  }
  for (const key of ['a\x01b', 'a\x7fb', 'a\tb', 'a\0b']) {
    assert.match(await rawPost(sender, key), /^HTTP\/1\.1 400 /, JSON.stringify(key))
  }
  for (const second of ['a', 'b', '']) {
    const answer = await rawPost(sender, `a\r\nIdempotency-Key: ${second}`)
    assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*can be given only once/, second)
  }
})

test('a key has no effect where repeating changes nothing, but an invalid one is also refused there', async () => {
  const sender = await newSender(service)
  const { id } = await sendPayment(sender, { deposit_options: ['PRINT'] })
  const csv = (name: string) => ({ file: `name,amount,email\n${name},5,ann@example.com` })
  const calls: [path: string, bodies: [object, object]][] = [
    ['/v3/check/preview', [payment(), { ...payment(), amount: 2 }]],
    [`/v3/check/print/${id}`, [{}, {}]],
    ['/v3/batch/preview', [csv('Ann'), csv('Bob')]],
  ]
  for (const [path, bodies] of calls) {
    for (const body of bodies) {
      const { status, headers, text } = await sender.post(path, body, { idempotencyKey: 'same' })
      assert.deepEqual([status, headers.get('idempotent-replayed')], [200, null], `${path} ${text.slice(0, 200)}`)
    }
    const refused = await sender.post(path, bodies[0], { idempotencyKey: 'k'.repeat(256) })
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_idempotency_key'], path)
  }
  const { body: listener } = await service.owner.post('/v3/webhook/listener', {})
  const polled = await service.owner.post(
    `/v3/webhook/listener/${listener.id}`,
    { results: [] },
    { idempotencyKey: 'é' },
  )
  assert.deepEqual([polled.status, polled.body.code], [400, 'invalid_idempotency_key'])
})

/** Sends bytes that fetch would not send. @returns the answer without changes */
function rawPost(user: Api, key: string): Promise<string> {
  const body = JSON.stringify(payment())
  const { hostname, port } = new URL(service.baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connectSocket(Number(port), hostname)
    let answer = ''
    socket.setEncoding('latin1').on('data', (text) => {
      answer += text
    })
    socket.on('close', () => resolve(answer)).on('error', reject)
    socket.write(
      `POST /v3/check/digital HTTP/1.1\r\nhost: remit\r\nauthorization: ${user.credential}\r\nconnection: close\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\nidempotency-key: ${key}\r\n\r\n${body}`,
      'latin1',
    )
  })
}

test('other methods ignore the header', async () => {
  const sender = await newSender(service)
  const { id } = await sendPayment(sender)
  for (const idempotencyKey of ['same', 'k'.repeat(300)]) {
    const options = { idempotencyKey }
    for (const name of ['One', 'Two']) {
      const { status, headers } = await sender.put(`/v3/bank/${sender.bankId}`, { name }, options)
      assert.deepEqual([status, headers.get('idempotent-replayed')], [200, null])
    }
    assert.equal((await sender.get(`/v3/check/${id}`, options)).status, 200)
    assert.equal((await sender.get(`/v3/bank/${sender.bankId}`, options)).body.name, 'Two')
  }
  assert.equal((await sender.del(`/v3/check/${id}`, { idempotencyKey: 'same' })).status, 200)
  assert.equal((await sender.del(`/v3/check/${id}`, { idempotencyKey: 'same' })).body.code, 'not_voidable')
})

/** Sends the same requests to two servers at once. @returns the number of answers that the key was in use */
async function race(servers: { ask: (key: string) => Promise<Answer> }[], key: string): Promise<number> {
  const answers = await Promise.all([...servers, ...servers, ...servers].map(({ ask }) => ask(key)))
  const made = answers.filter(({ status }) => status === 201)
  const inUse = answers.filter(({ body }) => body.code === 'idempotency_key_in_use')
  assert.equal(made.length + inUse.length, answers.length, answers.map(({ text }) => text).join('\n'))
  assert.ok(inUse.every(({ status, headers }) => status === 409 && headers.get('retry-after') === '1'))
  assert.equal(new Set(made.map(({ text }) => text)).size, 1)
  assert.equal(made.filter((answer) => !isReplayed(answer)).length, 1)
  return inUse.length
}

test('two services on one database make one payment from equal requests', async (t) => {
  const { databaseUrl, keyRing } = service
  const other = await startTestService(t, { databaseUrl, keyRing, realClock })
  let inUseCount = 0
  const rounds = 25
  for (let round = 0; round < rounds; round++) {
    const [sender, payee] = await Promise.all([newSender(service), newPayee(service)])
    const twice = (user: Api, path: string, body: object) =>
      [user, other.as(user.credential)].map((api) => ({
        ask: (idempotencyKey: string) => api.post(path, body, { idempotencyKey }),
      }))
    inUseCount += await race(twice(sender, '/v3/check/digital', payment({ recipient: payee.userId })), newKey())
    const made = await sql<{ id: string }[]>`select id from payments where sender_id = ${sender.id}`
    assert.equal(made.length, 1)
    const paymentId = made[0]?.id as string

    inUseCount += await race(twice(payee, `/v3/check/deposit/${paymentId}`, { account: payee.bankId }), newKey())
    assert.equal(await countOf(sql`select count(*) from events where subject_id = ${paymentId}`), 1)

    const name = `Twice ${round}`
    inUseCount += await race(twice(owner, '/v3/user', { user_id: name, name }), newKey())
    assert.equal(await countOf(sql`select count(*) from users where external_id = ${name}`), 1)
  }
  t.diagnostic(`${rounds * 3} races of 6 requests, ${inUseCount} of them answered 409`)
})

test('two processes on one database make one payment from equal requests', async (t) => {
  const home = await temporaryFolder(t)
  const databaseUrl = missingDatabase(t)
  const start = () =>
    startProcess(t, ['serve', '--environments', 'sandbox', '--port', '0', '--data-dir', home], {
      home,
      env: { DATABASE_URL: databaseUrl },
    })
  const processes = await Promise.all([start(), start()])
  const { key, secret } = await readFirstOwner(home)
  const secrets = collectSecrets()
  const apis = processes.map((process) => createApi(process.url(), `${key}:${secret}`, secrets))
  await addVerifiedBank(apis[0] as Api)
  const servers = apis.map((api) => ({
    ask: (idempotencyKey: string) => api.post('/v3/check/digital', payment(), { idempotencyKey }),
  }))
  let inUseCount = 0
  const rounds = 60
  for (let round = 0; round < rounds; round++) inUseCount += await race(servers, `round ${round}`)
  const { body } = await (apis[0] as Api).get('/v3/check?per_page=100')
  assert.equal(body.total, rounds)
  assert.deepEqual(
    body.checks.map(({ number }: { number: number }) => number).sort((a: number, b: number) => a - b),
    Array.from({ length: rounds }, (_, index) => index + 1),
  )
  t.diagnostic(`${rounds} races of 6 requests, ${inUseCount} of them answered 409`)
})

for (const [path, order] of [
  ['/v3/check/digital', payment()],
  ['/v3/check/direct', { amount: 1, name: 'Grace', recipient: 'Grace', ...directAccount() }],
] as const) {
  test(`a request that waited past midnight UTC finds the ${path} that another process created for its repetition`, async (t) => {
    const { databaseUrl, keyRing } = service
    const [early, late] = await Promise.all(
      ['2030-03-02T23:59:59.900Z', '2030-03-03T00:00:00.100Z'].map((now) =>
        startTestService(t, { databaseUrl, keyRing, realClock: fakeClock(now) }),
      ),
    )
    const sender = await newSender(service)
    const idempotencyKey = newKey()
    const ask = (at: typeof early) => (at as TestService).as(sender.credential).post(path, order, { idempotencyKey })
    const made = await ask(late)
    const found = await ask(early)
    assert.deepEqual([made.status, found.status, isReplayed(found)], [201, 201, true], found.text)
    assert.equal(found.text, made.text)
    assert.equal(await countOf(sql`select count(*) from payments where sender_id = ${sender.id}`), 1)
  })
}

function directAccount() {
  return { account_number: newAccountNumber(), routing_number: '021000021', account_type: 'CHECKING' }
}
