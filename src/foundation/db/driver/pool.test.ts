import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '../../../../test/support/postgres.ts'
import { startPostgresProxy } from '../../../../test/support/postgres-proxy.ts'
import { LIMIT_MS, waitUntil } from '../../../../test/support/wait-until.ts'
import { connect } from '../connect.ts'
import { classifyDatabaseError } from '../trouble.ts'
import { createPool, type Pool } from './pool.ts'
import { serverAddressOf } from './server-address.ts'

async function startPool(t: TestContext, options: { max?: number; acquireTimeoutMs?: number } = {}) {
  const database = await createTestDatabase()
  const pool = createPool(serverAddressOf(database.ownerUrl), {
    max: 2,
    connectTimeoutMs: LIMIT_MS,
    acquireTimeoutMs: LIMIT_MS,
    answerTimeoutMs: LIMIT_MS,
    settings: { application_name: 'pool under test', client_connection_check_interval: 100 },
    ...options,
  })
  const admin = connect(database.ownerUrl, { max: 1, applicationName: 'admin' })
  t.after(async () => {
    await pool.end({ timeout: 1 })
    await admin.end({ timeout: 1 })
    await database.drop()
  })
  await admin`create table notes (text text primary key)`
  const endBackends = () => admin`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and application_name = 'pool under test'
  `
  /** Waits until a backend runs `pg_sleep`. */
  const waitUntilSleeping = async () => {
    const asleep = () =>
      admin`select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
    await waitUntil('a backend sleeps', async () => (await asleep()).length > 0)
  }
  const notes = async () => (await admin`select text from notes order by text`).map(({ text }) => text)
  return { pool, admin, endBackends, waitUntilSleeping, notes }
}

const note = (sql: Pick<Pool, 'unsafe'>, text: string) => sql.unsafe(`insert into notes values ('${text}')`)

const hasTrouble = (trouble: string) => (error: unknown) => classifyDatabaseError(error) === trouble

test('the pool survives the termination of a backend in a transaction', async (t) => {
  const { pool, endBackends, waitUntilSleeping, notes } = await startPool(t)
  for (let round = 0; round < 5; round++) {
    const lost = assert.rejects(
      pool.begin(async (sql) => {
        await note(sql, 'lost')
        await sql`select pg_sleep(60)`
      }),
      hasTrouble('interrupted'),
    )
    await waitUntilSleeping()
    await endBackends()
    await lost
    assert.equal(await pool.begin(async (sql) => (await sql`select 1 as one`)[0]?.one), 1)
  }
  assert.deepEqual(await notes(), [])
})

test('a statement of a dead transaction never runs in another one', async (t) => {
  const { pool, endBackends, notes } = await startPool(t, { max: 1 })
  const dead = pool.begin(async (sql) => {
    await note(sql, 'dead 1')
    await endBackends()
    await sleep(100)
    await note(sql, 'dead 2')
  })
  const next = pool.begin(async (sql) => {
    await note(sql, 'next 1')
    await sleep(200)
    await note(sql, 'next 2')
  })
  await assert.rejects(dead, hasTrouble('interrupted'))
  await next
  assert.deepEqual(await notes(), ['next 1', 'next 2'])
})

test('a statement after the end of its transaction is refused', async (t) => {
  const { pool, notes } = await startPool(t)
  const over = await pool.begin(async (sql) => {
    await note(sql, 'in time')
    return { sql }
  })
  await assert.rejects(note(over.sql, 'late'), { message: 'the transaction is over' })
  assert.deepEqual(await notes(), ['in time'])
})

test('a transaction writes nothing if one of its concurrent parts throws', async (t) => {
  const { pool, notes } = await startPool(t)
  const parts: Promise<unknown>[] = []
  const failing = pool.begin(async (sql) => {
    const fails = sql`select 1`.then(() => {
      throw new Error('a refusal')
    })
    const writes = ['a', 'b'].map(async (name) => {
      await sql`select 2`
      await note(sql, name)
      await note(sql, `${name} again`)
    })
    parts.push(fails, ...writes)
    await Promise.all(parts)
  })
  await assert.rejects(failing, { message: 'a refusal' })
  await Promise.allSettled(parts)
  assert.deepEqual(await notes(), [])
})

test('a transaction whose failed statement was ignored does not count as committed', async (t) => {
  const { pool, notes } = await startPool(t)
  await assert.rejects(
    pool.begin(async (sql) => {
      await note(sql, 'a')
      await note(sql, 'a').catch(() => {})
    }),
    { message: /was rolled back/ },
  )
  assert.deepEqual(await notes(), [])
})

test('waiting callers are served in order', async (t) => {
  const { pool } = await startPool(t, { max: 1 })
  const order: number[] = []
  await Promise.all([1, 2, 3].map((n) => pool.begin(async () => void order.push(n))))
  assert.deepEqual(order, [1, 2, 3])
})

test('waiting callers are refused after a timeout', async (t) => {
  const { pool } = await startPool(t, { max: 1, acquireTimeoutMs: 1_000 })
  const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = () => {
    held.resolve()
    return over.promise
  }
  /** On a busy machine, connecting can take longer than the timeout. */
  const hold = (): Promise<void> =>
    pool.begin(work).catch((error) => (hasTrouble('too_slow')(error) ? hold() : Promise.reject(error)))
  const long = hold()
  await held.promise
  await Promise.all([
    assert.rejects(pool`select 1`, hasTrouble('too_slow')),
    assert.rejects(
      pool.begin(async () => {}),
      hasTrouble('too_slow'),
    ),
  ])
  over.resolve()
  await long
  assert.equal((await pool`select 1 as one`)[0]?.one, 1)
})

test('a caller waiting for a connection that is lost gets a new one', async (t) => {
  const { pool, endBackends, waitUntilSleeping } = await startPool(t, { max: 1 })
  const lost = assert.rejects(pool`select pg_sleep(60)`, hasTrouble('connection_lost'))
  await waitUntilSleeping()
  const waiting = [1, 2, 3].map((n) => pool`select ${n}::integer as n`)
  await endBackends()
  await lost
  assert.deepEqual(
    (await Promise.all(waiting)).map(([row]) => row?.n),
    [1, 2, 3],
  )
})

test('end waits for running work and refuses new work', async (t) => {
  const { pool, notes } = await startPool(t)
  const begun = Promise.withResolvers<void>()
  const underWay = pool.begin(async (sql) => {
    begun.resolve()
    await sleep(100)
    await note(sql, 'under way')
  })
  await begun.promise
  await pool.end({ timeout: 60 })
  await underWay
  assert.deepEqual(await notes(), ['under way'])
  await assert.rejects(pool`select 1`, hasTrouble('unreachable'))
})

test('end cancels work that takes longer than its timeout', async (t) => {
  const { pool, admin, waitUntilSleeping } = await startPool(t)
  const canceled = assert.rejects(pool`select pg_sleep(60)`, hasTrouble('connection_lost'))
  await waitUntilSleeping()
  await pool.end({ timeout: 0 })
  await canceled
  const sleepers = () => admin`select 1 from pg_stat_activity where application_name = 'pool under test'`
  await waitUntil('the backend has ended', async () => (await sleepers()).length === 0)
})

test('end does not wait for a server that has stopped answering', async (t) => {
  const database = await createTestDatabase()
  const proxy = await startPostgresProxy(database.ownerUrl)
  t.after(async () => {
    await proxy.goDown()
    await database.drop()
  })
  const pool = connect(proxy.url, { max: 1, applicationName: 'test' })
  await pool.listen('news', () => {})
  await pool`select 1`
  proxy.decide = () => 'swallow'
  await pool.end({ timeout: 0 })
})

test('a listener receives notifications again after its connection was lost', async (t) => {
  const { pool, admin, endBackends } = await startPool(t)
  const heard: string[] = []
  await pool.listen('news', (payload) => void heard.push(payload))
  const tellUntilHeard = (news: string) =>
    waitUntil(`${news} is heard`, async () => {
      await admin.notify('news', news)
      return heard.includes(news)
    })
  await tellUntilHeard('one')
  await endBackends()
  await tellUntilHeard('two')
})

const unfriendly: Record<string, (socket: Socket) => void> = {
  'hangs up': (socket) => void socket.destroy(),
  'says nothing': () => {},
}

for (const [what, treat] of Object.entries(unfriendly)) {
  test(`a server that ${what} is unreachable`, async (t) => {
    const server = createServer((socket) => treat(socket.on('error', () => {})))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const { port } = server.address() as { port: number }
    const pool = createPool(serverAddressOf(`postgres://nobody@127.0.0.1:${port}/none`), {
      max: 2,
      connectTimeoutMs: 200,
      acquireTimeoutMs: LIMIT_MS,
      answerTimeoutMs: null,
      settings: { application_name: 'test' },
    })
    t.after(() => pool.end({ timeout: 0 }))
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => pool`select 1`))
    assert.ok(results.every((result) => result.status === 'rejected' && hasTrouble('unreachable')(result.reason)))
  })
}
