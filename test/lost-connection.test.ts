import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../src/foundation/db/connect.ts'
import { lockRow } from './support/locks.ts'
import { createTestDatabase } from './support/postgres.ts'
import {
  isGroupCommit,
  isGroupCommitted,
  isGroupPayment,
  type Message,
  type MessageAction,
  startPostgresProxy,
} from './support/postgres-proxy.ts'
import { startTestService } from './support/service.ts'
import { ask, assertNumbersInOrder, assertTruth, type RequestedPayment } from './support/truth.ts'
import { waitUntil } from './support/wait-until.ts'
import { newSender, type Sender } from './support/webhooks.ts'

/** A service with a breakable connection to the database. `sql` bypasses the proxy and connects as the owner. */
async function startBehindProxy(t: TestContext, options: { answerTimeoutMs?: number } = {}) {
  const database = await createTestDatabase()
  const proxy = await startPostgresProxy(database.url)
  const service = await startTestService(t, { databaseUrl: proxy.url, ...options })
  const sql = connect(database.ownerUrl, { max: 4, applicationName: 'test' })
  t.after(async () => {
    await sql.end({ timeout: 5 })
    await proxy.goDown()
    await database.drop()
  })
  return { ...service, proxy, sql }
}

const newSenders = (service: Parameters<typeof newSender>[0], count: number): Promise<Sender[]> =>
  Promise.all(Array.from({ length: count }, () => newSender(service)))

/** Sends payments of all users at once, every second one with an Idempotency-Key. */
const askAtOnce = (users: Sender[], count: number, round: string | number): Promise<RequestedPayment[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      ask(users[index % users.length] as Sender, { key: index % 2 === 0 ? `key ${round} ${index}` : null }),
    ),
  )

async function assertReplays(asked: RequestedPayment[]): Promise<void> {
  for (const { user, mark, key, answer } of asked) {
    if (key === null || answer.status !== 201) continue
    const again = await ask(user, { key, description: mark })
    assert.equal(again.answer.text, answer.text)
    assert.equal(again.answer.headers.get('idempotent-replayed'), 'true')
  }
}

const losses: [what: string, isLost: (message: Message) => boolean, fate: MessageAction][] = [
  ['the answer to the commit', isGroupCommitted, 'lose'],
  ['the commit before it arrives', isGroupCommit, 'lose'],
  ['the client after the commit was sent', isGroupCommit, 'leave_behind'],
  ['the payments before they arrive', isGroupPayment, 'lose'],
  ['the client after the payments were sent', isGroupPayment, 'leave_behind'],
]

for (const [what, isLost, fate] of losses) {
  test(`a connection that loses ${what} neither loses nor duplicates a payment`, async (t) => {
    const service = await startBehindProxy(t)
    const { proxy, sql } = service
    const users = await newSenders(service, 5)
    const rounds = 4
    for (let round = 0; round < rounds; round++) {
      let passed = 0
      const lostAt = [0, 1].slice(0, 1 + (round % 2))
      proxy.decide = (message) => (isLost(message) && lostAt.includes(passed++) ? fate : 'pass')
      const asked = await askAtOnce(users, 30, round)
      proxy.decide = () => 'pass'
      assert.deepEqual(new Set(asked.map(({ answer }) => answer.status)), new Set([201]))
      assert.equal(await assertTruth(sql, asked), 30)
      await assertReplays(asked.slice(0, 4))
    }
    assert.ok(proxy.lostCount >= rounds, `${proxy.lostCount} connections were lost`)
    await assertNumbersInOrder(
      sql,
      users.map(({ id }) => id),
    )
  })
}

test('when connections are lost repeatedly, every answer is correct', async (t) => {
  const service = await startBehindProxy(t)
  const { proxy, sql } = service
  const users = await newSenders(service, 5)
  let count = 0
  // Every third commit or its answer is lost, some payments repeatedly.
  proxy.decide = (message) =>
    (isGroupCommit(message) || isGroupCommitted(message)) && ++count % 3 === 0
      ? count % 2 === 0
        ? 'lose'
        : 'leave_behind'
      : 'pass'
  const asked: RequestedPayment[] = []
  for (let round = 0; round < 10; round++) asked.push(...(await askAtOnce(users, 20, round)))
  proxy.decide = () => 'pass'
  await assertTruth(sql, asked)
  await assertReplays(asked.filter((_, index) => index % 10 === 0))
  assert.ok(proxy.lostCount >= 5, `${proxy.lostCount} connections were lost`)
  assert.ok(asked.filter(({ answer }) => answer.status === 201).length > 100)
})

for (const [what, pattern] of [
  ['the backends of the groups', '%groups'],
  ['every backend of the service', 'remit sandbox%'],
] as const) {
  test(`ending ${what} under load: every answer is correct, and the service continues`, async (t) => {
    const service = await startBehindProxy(t)
    const { sql } = service
    const users = await newSenders(service, 5)
    let isLoading = true
    let endedCount = 0
    const okCount = () => asked.filter(({ answer }) => answer.status === 201).length
    const endBackends = async () => {
      // Some payments succeed, even on a slow machine.
      for (let pauseMs = 50; isLoading; pauseMs += okCount() > 0 ? 0 : 25) {
        const ended = await sql`
          select pg_terminate_backend(pid)
          from pg_stat_activity
          where datname = current_database() and application_name like ${pattern}
        `
        endedCount += ended.length
        await sleep(pauseMs)
      }
    }
    const asked: RequestedPayment[] = []
    const load = async () => {
      for (let round = 0; endedCount < 25 || okCount() === 0; round++)
        asked.push(...(await askAtOnce(users, 15, `${what} ${round}`)))
      isLoading = false
    }
    await Promise.all([load(), endBackends()])
    await assertTruth(sql, asked)
    t.diagnostic(`${endedCount} backends ended, ${okCount()} of ${asked.length} payments made`)
    const after = await askAtOnce(users, 10, `${what} after`)
    assert.deepEqual(new Set(after.map(({ answer }) => answer.status)), new Set([201]))
  })
}

/** A statement takes several times as long on a cluster. */
const SHORT_MS = process.env.TEST_CITUS ? 3_000 : 500

test('two connections that stop answering under load neither lose nor duplicate a payment', async (t) => {
  const service = await startBehindProxy(t, { answerTimeoutMs: SHORT_MS })
  const { proxy, sql } = service
  const users = await newSenders(service, 5)
  for (const isLost of [isGroupCommitted, isGroupPayment]) {
    let passed = 0
    const lostBefore = proxy.lostCount
    proxy.decide = (message) => (isLost(message) && [0, 2].includes(passed++) ? 'swallow' : 'pass')
    const asked: RequestedPayment[] = []
    for (let round = 0; proxy.lostCount < lostBefore + 2; round++)
      asked.push(...(await askAtOnce(users, 30, `${isLost.name} ${round}`)))
    proxy.decide = () => 'pass'
    assert.deepEqual(new Set(asked.map(({ answer }) => answer.status)), new Set([201]))
    assert.equal(await assertTruth(sql, asked), asked.length)
    await assertReplays(asked.slice(0, 4))
  }
})

// `npm run lost-connections` runs 30 rounds.
const ROUNDS = Number(process.env.LOST_CONNECTION_ROUNDS ?? 2)

test('rounds of ended backends and two silent connections under load neither lose nor duplicate a payment', async (t) => {
  const service = await startBehindProxy(t, { answerTimeoutMs: 2_000 })
  const { proxy, sql } = service
  const users = await newSenders(service, 8)
  const asked: RequestedPayment[] = []
  let endedCount = 0
  for (let round = 0; round < ROUNDS; round++) {
    const falls = round % 2 === 0 ? isGroupPayment : isGroupCommitted
    let passed = 0
    const lostBefore = proxy.lostCount
    proxy.decide = (message) => (falls(message) && [1, 3].includes(passed++) ? 'swallow' : 'pass')
    const answers: RequestedPayment[][] = []
    const load = async (place: number) => {
      for (let turn = 0; proxy.lostCount < lostBefore + 2 || turn < 3; turn++)
        answers.push(await askAtOnce(users, 12, `round ${round} ${place} ${turn}`))
    }
    const endBackends = async () => {
      while (proxy.lostCount < lostBefore + 2) await sleep(5)
      const ended = await sql`
        select pg_terminate_backend(pid)
        from pg_stat_activity
        where datname = current_database() and application_name like 'remit sandbox%'
      `
      endedCount += ended.length
    }
    await Promise.all([load(1), load(2), load(3), endBackends()])
    proxy.decide = () => 'pass'
    asked.push(...answers.flat())
  }
  const madeCount = await assertTruth(sql, asked)
  await assertReplays(asked.filter((_, index) => index % 50 === 0))
  await assertNumbersInOrder(
    sql,
    users.map(({ id }) => id),
  )
  const statuses = Object.entries(Object.groupBy(asked, ({ answer }) => answer.body.code ?? answer.status))
  const counts = statuses.map(([status, all]) => `${status} ${all?.length}`).join(', ')
  t.diagnostic(
    `${ROUNDS} rounds, ${endedCount} backends ended, ${proxy.lostCount} silent: ${madeCount} payments; answers ${counts}`,
  )
  assert.equal(proxy.lostCount, 2 * ROUNDS)
  const after = await askAtOnce(users, 10, 'after')
  assert.deepEqual(new Set(after.map(({ answer }) => answer.status)), new Set([201]))
})

test('a request that gets no connection in time is refused with 503', async (t) => {
  const { deps, newUser } = await startTestService(t)
  const user = await newUser()
  const over = Promise.withResolvers<void>()
  const holders = Array.from({ length: 40 }, () => deps.sql.begin(() => over.promise).catch(() => {}))
  const { status, body, headers } = await user.get('/v3/bank')
  over.resolve()
  await Promise.all(holders)
  assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'overloaded', '1'])
})

test('the service waits for a late commit of an abandoned backend', async (t) => {
  const service = await startBehindProxy(t)
  const { proxy, sql } = service
  const [user] = (await newSenders(service, 1)) as [Sender]
  await sql`create function sleep_1_s() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end'`
  await sql`
    create constraint trigger late_commit after insert on payments
    deferrable initially deferred for each row execute function sleep_1_s()
  `
  for (const key of [null, 'late']) {
    let isFirst = true
    proxy.decide = (message) => {
      if (!isFirst || !isGroupCommit(message)) return 'pass'
      isFirst = false
      return 'leave_behind'
    }
    const asked = await ask(user, { key })
    assert.equal(asked.answer.status, 201, asked.answer.text)
    assert.equal(await assertTruth(sql, [asked]), 1, 'the answer came before the commit')
    await assertReplays([asked])
  }
})

test('a single call that was abandoned while it waited for a lock is made once', async (t) => {
  const service = await startBehindProxy(t)
  const { sql } = service
  const [user] = (await newSenders(service, 1)) as [Sender]
  const asked = await sql.begin(async (tx) => {
    await lockRow(tx, 'user_counters', user.id)
    const asking = ask(user, { key: 'alone' })
    // The group stops waiting for the lock after 100 ms. This is the single call, which waits for it.
    const endSingleCall = () => sql`
      select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%from accept_payments_%'
        and application_name like 'remit %' and application_name not like '%groups'
    `
    await waitUntil('the single call waits for the lock', async () => (await endSingleCall()).length === 1)
    await sleep(500)
    return { asking }
  })
  const { answer, ...rest } = await asked.asking
  assert.equal(answer.status, 201, answer.text)
  assert.equal(await assertTruth(sql, [{ ...rest, answer }]), 1)
})

test('a POST with an unknown commit reports it, and repeating it returns its answer', async (t) => {
  const { proxy, sql, owner } = await startBehindProxy(t)
  let isLost = false
  proxy.decide = ({ from, type, text }) => {
    if (isLost || from !== 'server' || type !== 'C' || !text.startsWith('COMMIT')) return 'pass'
    isLost = true
    return 'lose'
  }
  const body = { user_id: 'lost', name: 'Lost' }
  const first = await owner.post('/v3/user', body, { idempotencyKey: 'lost' })
  assert.deepEqual([first.status, first.body.code], [503, 'outcome_unknown'])
  const second = await owner.post('/v3/user', body, { idempotencyKey: 'lost' })
  assert.equal(second.status, 201)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  const rows = await sql`select 1 from users where external_id = 'lost'`
  assert.equal(rows.length, 1)
})

test('a request that loses its connection before the commit is repeated once', async (t) => {
  const service = await startBehindProxy(t)
  const { proxy, sql, newUser } = service
  const user = await newUser()
  for (let lostAt = 0; lostAt < 3; lostAt++) {
    let [hasBegun, count] = [false, 0]
    proxy.decide = ({ from, type, text }) => {
      if (from === 'client' && type === 'Q' && text.startsWith('begin')) hasBegun = true
      return from === 'client' && type === 'B' && hasBegun && count++ === lostAt ? 'lose' : 'pass'
    }
    const { status, text } = await user.post('/v3/bank', {
      routing: '021000021',
      account: `7770000${lostAt}`,
      type: 'SAVINGS',
    })
    assert.equal(status, 201, text)
  }
  const banks = await sql`select 1 from banks where user_id = ${user.id}`
  assert.equal(banks.length, 3)
  assert.equal(proxy.lostCount, 3)
})

test('without its database the service answers 503 at once, and recovers by itself', async (t) => {
  const service = await startBehindProxy(t)
  const { proxy, sql, as } = service
  const users = await newSenders(service, 3)
  const anyone = as('')
  for (let round = 0; round < 3; round++) {
    const underWay = askAtOnce(users, 20, `down ${round}`)
    await proxy.goDown()
    await assertTruth(sql, await underWay)

    const refused = await Promise.all([
      ...Array.from({ length: 30 }, (_, index) => ask(users[index % 3] as Sender).then(({ answer }) => answer)),
      ...users.map((user) => user.get('/v3/check')),
      anyone.get('/readyz'),
    ])
    for (const { status, body, headers } of refused) {
      assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'database_unavailable', '1'])
    }
    assert.equal((await anyone.get('/healthz')).status, 200)

    await proxy.comeBack()
    assert.equal((await anyone.get('/readyz')).status, 200)
    const after = await askAtOnce(users, 20, `back ${round}`)
    assert.deepEqual(new Set(after.map(({ answer }) => answer.status)), new Set([201]))
    assert.equal(await assertTruth(sql, after), 20)
  }
})

test('without its database, the authorization server reports it to applications and browsers', async (t) => {
  const { proxy, baseUrl } = await startBehindProxy(t)
  const client = { client_id: '0'.repeat(32), client_secret: 'secret' }
  const form = { ...client, grant_type: 'authorization_code', code: 'code', redirect_uri: 'https://app.example.com' }
  const query = { ...client, response_type: 'code', scope: 'check', redirect_uri: 'https://app.example.com' }
  const ask = async () => [
    await fetch(`${baseUrl}/web/v1/auth/oauth/token`, { method: 'POST', body: new URLSearchParams(form) }),
    await fetch(`${baseUrl}/web/v1/auth/oauth/introspect`, { method: 'POST', body: new URLSearchParams(client) }),
    await fetch(`${baseUrl}/oauth/authorize?${new URLSearchParams(query)}`, { headers: { accept: 'text/html' } }),
  ]
  await proxy.goDown()
  for (const answer of await ask()) {
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'], answer.url)
    assert.doesNotMatch(await answer.text(), /ECONNREFUSED|at .*\.[jt]s/)
  }
  await proxy.comeBack()
  assert.deepEqual(new Set((await ask()).map(({ status }) => status)), new Set([400, 401]))
})
