import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { Pool } from '../src/foundation/db/connect.ts'
import type { Answer, Api } from './support/api.ts'
import { lockRow } from './support/locks.ts'
import { createTestDatabase } from './support/postgres.ts'
import { startTestService, type TestService } from './support/service.ts'
import { ask, assertNumbersInOrder, assertTruth } from './support/truth.ts'
import { newSender, type Sender } from './support/webhooks.ts'

const newSenders = (service: TestService, count: number): Promise<Sender[]> =>
  Promise.all(Array.from({ length: count }, () => newSender(service)))

/** Returns the number of payments in each commit. Rows of one transaction have the same number. */
async function groupSizes(sql: Pool): Promise<number[]> {
  const rows = await sql<{ size: number }[]>`
    select count(*) as size
    from payments
    group by xmin
    order by 1 desc
  `
  return rows.map(({ size }) => size)
}

/** Runs this number of calls of `step` at a time until all are done. */
async function inParallel<T>(count: number, width: number, step: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const runner = async () => {
    while (next < count) {
      const index = next++
      results[index] = await step(index)
    }
  }
  await Promise.all(Array.from({ length: width }, runner))
  return results
}

async function startTwo(t: TestContext) {
  const database = await createTestDatabase()
  const first = await startTestService(t, { databaseUrl: database.url })
  const second = await startTestService(t, { databaseUrl: database.url, keyRing: first.keyRing })
  t.after(database.drop)
  const both = (api: Api): [Api, Api] => [api, second.as(api.credential)]
  return { ...first, both }
}

test('two processes under mixed load on few users: no error, no duplicate or missing number', async (t) => {
  const service = await startTwo(t)
  const { sql } = service.deps
  const users = await newSenders(service, 4)
  const apis = users.map((user) => service.both(user))
  const unexpected: string[] = []
  const expectKnown = (what: string, answer: Answer) => {
    if (answer.status >= 500) unexpected.push(`${what}: ${answer.status} ${answer.text}`)
  }

  await inParallel(450, 60, async (index) => {
    const from = users[index % 4] as Sender
    const to = users[(index + 1 + (index % 3)) % 4] as Sender
    const [fromApi, toApi] = [
      apis[users.indexOf(from)]?.[index % 2] as Api,
      apis[users.indexOf(to)]?.[1 - (index % 2)] as Api,
    ]
    const recipient = [to.userId, { id: to.userId, account: to.bankId }, 'recipient@example.com'][index % 3]
    const { answer } = await ask(fromApi, { recipient, key: index % 5 === 0 ? `mixed ${index}` : null })
    expectKnown('payment', answer)
    const { id } = answer.body
    if (index % 6 === 0) {
      const [voided, deposited] = await Promise.all([
        fromApi.del(`/v3/check/${id}`),
        toApi.post(`/v3/check/deposit/${id}`, { account: to.bankId }),
      ])
      expectKnown('void', voided)
      expectKnown('deposit', deposited)
    }
    if (index % 25 === 0) expectKnown('profile', await toApi.put('/v3/user', { user: { first_name: `Name ${index}` } }))
    if (index % 25 === 1) expectKnown('bank', await toApi.put(`/v3/bank/${to.bankId}`, { name: `Name ${index}` }))
    if (index % 40 === 0) {
      const bank = { routing: '021000021', account: `5550${index}`, type: 'SAVINGS' }
      const added = await toApi.post('/v3/bank', bank)
      expectKnown('bank added', added)
      expectKnown('bank deleted', await toApi.del(`/v3/bank/${added.body.id}`))
    }
  })
  assert.deepEqual(unexpected, [])
  await assertNumbersInOrder(
    sql,
    users.map(({ id }) => id),
  )
  const sizes = await groupSizes(sql)
  t.diagnostic(`900 payments in ${sizes.length} commits, the largest of ${sizes[0]}`)
})

test('simultaneous payments share commits, and each is made once', async (t) => {
  const service = await startTestService(t)
  const users = await newSenders(service, 10)
  const { sql } = service.deps
  const asked = await inParallel(1_000, 150, (index) => ask(users[index % 10] as Sender))
  assert.ok(asked.every(({ answer }) => answer.status === 201))
  assert.equal(await assertTruth(sql, asked), 1_000)
  await assertNumbersInOrder(
    sql,
    users.map(({ id }) => id),
  )
  const sizes = await groupSizes(sql)
  t.diagnostic(`1000 payments in ${sizes.length} commits, the largest of ${sizes[0]}`)
  assert.ok((sizes[0] ?? 0) >= 10, `the largest group had ${sizes[0]}`)
})

test('only the payment whose SQL fails is refused, and the payments in its group are made once', async (t) => {
  const service = await startTestService(t)
  const { ownerSql: sql } = service
  const users = await newSenders(service, 5)
  await sql`
    create function fail_on_purpose() returns trigger language plpgsql
    as 'begin if new.description = ''fails'' then raise exception ''on purpose''; end if; return new; end'
  `
  await sql`create trigger fail_on_purpose before insert on payments for each row execute function fail_on_purpose()`
  for (let round = 0; round < 5; round++) {
    const key = `fails ${round}`
    const asked = await Promise.all(
      Array.from({ length: 24 }, (_, index) => {
        const user = users[index % 5] as Sender
        return index % 8 === 3 ? ask(user, { description: 'fails', key: `${key} ${index}` }) : ask(user)
      }),
    )
    const failed = asked.filter(({ mark }) => mark === 'fails')
    const made = asked.filter(({ mark }) => mark !== 'fails')
    assert.deepEqual(
      failed.map(({ answer }) => [answer.status, answer.body.code]),
      Array(3).fill([500, 'internal_error']),
    )
    assert.ok(made.every(({ answer }) => answer.status === 201))
    assert.equal(await assertTruth(sql, made), 21)
  }
  const [{ count }] = (await sql`select count(*) from payments where description = 'fails'`) as unknown as [
    { count: number },
  ]
  assert.equal(count, 0)
  await assertNumbersInOrder(
    sql,
    users.map(({ id }) => id),
  )
  await sql`drop trigger fail_on_purpose on payments`
  const again = await ask(users[3] as Sender, { description: 'fails', key: 'fails 0 3' })
  assert.deepEqual([again.answer.status, again.answer.headers.get('idempotent-replayed')], [201, null])
})

test('an error in a group names the constraint that was violated, and the place of its payment where it is known', async (t) => {
  const service = await startTestService(t)
  const { sql } = service.deps
  const [sender] = (await newSenders(service, 1)) as [Sender]
  const [{ platformId }] = (await sql`select platform_id from users where id = ${sender.id}`) as unknown as [
    { platformId: string },
  ]
  type Payment = { order?: object; columns?: object; postings?: object[]; attachment?: string }
  const failure = async (...payments: Payment[]) => {
    const group = payments.map((payment) => ({
      ...payment,
      key: { platform_id: platformId, payment_id: randomUUID() },
    }))
    const orders = group.map(({ order, key }) => ({
      platform_id: platformId,
      id: key.payment_id,
      sender_id: sender.id,
      amount_cents: 100,
      recipient: 'grace@example.com',
      is_reachable: true,
      funding_kind: 'bank',
      created_at: new Date(),
      real_now: new Date(),
      ...order,
    }))
    const columns = group.map((payment) => ({
      kind: 'DIGITAL',
      number_is_text: false,
      name: 'Grace Hopper',
      deposit_options: ['BANK'],
      status: 'UNPAID',
      ...payment.columns,
    }))
    const transfers = group.flatMap(({ postings, key }) =>
      postings ? { ...key, created_at: new Date(), postings } : [],
    )
    const attachments = group.flatMap(({ attachment: pdf, key }) => (pdf ? { ...key, filename: 'a.pdf', pdf } : []))
    const call = sql`
      select outcome
      from accept_payments_v1(${service.deps.isDistributed ? platformId : null},
        ${sql.json(orders)}, ${sql.json(columns)}, null, null, null, ${sql.json(transfers)}, ${sql.json(attachments)}, null, null,
        row(null, null, null, null, false)::sender_requirements
      )
    `
    const error = (await call.then(
      () => ({}),
      (reason: unknown) => reason,
    )) as Record<string, string>
    const withoutPartition = (name = '') => name.replace(/_p\d(?=_|$)/, '')
    return [error.code, error.hint ?? '', withoutPartition(error.table), withoutPartition(error.constraint)]
  }
  const kind = ['23514', '', 'payments', 'payments_kind_check']
  assert.deepEqual(await failure({}, { columns: { kind: 'OTHER' } }), kind)
  assert.deepEqual(await failure({}, { order: { amount_cents: '1e18' } }), ['22P02', '', '', ''])
  assert.deepEqual(await failure({}, { attachment: '!' }), ['22023', '', '', ''])
  const id = randomUUID()
  const twice = await failure({ order: { id } }, { order: { id } })
  assert.deepEqual(twice, ['23505', '', 'payments', 'payments_pkey'])
  const nothing = { id: randomUUID(), mode: 'post', debit: 'bank', credit: 'clearing', cents: 0, reason: 'accept' }
  assert.deepEqual(await failure({}, { postings: [nothing] }), ['23514', '2', 'transfers', 'transfers_cents_check'])
})

test('a payment of a user with a locked row waits alone, and other payments continue', async (t) => {
  const service = await startTestService(t)
  const { sql } = service.deps
  const [locked, ...others] = (await newSenders(service, 6)) as [Sender, ...Sender[]]
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const holding = sql.begin(async (tx) => {
    await lockRow(tx, 'user_counters', locked.id)
    hold()
    await released
  })
  await held

  const asked: Awaited<ReturnType<typeof ask>>[] = []
  const askAnd = async (user: Sender) => {
    const answered = await ask(user)
    assert.equal(answered.answer.status, 201, answered.answer.text)
    asked.push(answered)
  }
  const times: number[] = []
  /** Sends payments while the row is locked. If they waited for it, the lock would never be released. */
  const othersGoOn = () =>
    Promise.all(
      others.map(async (user) => {
        for (let count = 0; count < 10; count++) {
          const begin = performance.now()
          await askAnd(user)
          times.push(performance.now() - begin)
        }
      }),
    )
  const blocked = [1, 2, 3].map(() => askAnd(locked))
  await othersGoOn()
  blocked.push(askAnd(locked)) // comes after the one that waits alone, and delays no group
  await othersGoOn()
  assert.deepEqual(new Set(asked.map(({ user }) => user)), new Set(others), 'one was made under the lock')
  release()
  await holding
  await Promise.all(blocked)

  t.diagnostic(`${times.length} payments of others meanwhile, the slowest took ${Math.round(Math.max(...times))} ms`)
  assert.equal(await assertTruth(sql, asked), times.length + 4)
  await assertNumbersInOrder(sql, [locked.id, ...others.map(({ id }) => id)])
})
