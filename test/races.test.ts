import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Sql } from '../src/foundation/db/connect.ts'
import { paymentTransitions } from '../src/payments/payment/payment-status.ts'
import type { Answer, Api } from './support/api.ts'
import { holdingLock, lockRow } from './support/locks.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { sendPayment } from './support/payments.ts'
import { createTestDatabase } from './support/postgres.ts'
import { addVerifiedBank, newAccountNumber, startTestService } from './support/service.ts'
import { newPayee, newSender, type Sender, setWebhook } from './support/webhooks.ts'

// Two services on one database, with conflicting requests.

const database = await createTestDatabase()
const service = await startTestService({ after }, { databaseUrl: database.url })
const other = await startTestService({ after }, { databaseUrl: database.url, keyRing: service.keyRing })
after(database.drop)
const { ownerSql: sql } = service

// At each commit, when all earlier commits are visible, a group fails if it has a payment of or to a stopped user, or
// from or into a deleted bank.
await sql`
  create function refuse_unsound_payment() returns trigger language plpgsql as $$
  begin
    if exists (
      select 1
      from payments p
      join users s on s.platform_id = p.platform_id and s.id = p.sender_id
      join users o on o.platform_id = p.platform_id and o.id = p.platform_id
      join banks b on b.platform_id = p.platform_id and b.id = p.funding_id
      left join users r on r.platform_id = p.platform_id and r.id = p.recipient_id
      left join banks d on d.platform_id = p.platform_id and d.id = p.destination_id
      where p.platform_id = new.platform_id and p.id = new.id
        and (
          s.status in ('SUSPENDED', 'CLOSED') or o.status in ('SUSPENDED', 'CLOSED') or r.status in ('SUSPENDED', 'CLOSED')
          or b.deleted_at is not null or d.deleted_at is not null
        )
    ) then
      raise exception 'a forbidden payment was accepted';
    end if;
    return null;
  end $$
`
await sql`
  create constraint trigger refuse_unsound_payment after insert on payments
  deferrable initially deferred for each row execute function refuse_unsound_payment()
`

test('a deleted user keeps no API key, even if its last request races with the deletion', async () => {
  for (let round = 0; round < 4; round++) {
    const user = await service.newUser()
    const requests = [
      () => through(user, round).post('/v3/user/api_key', {}),
      () => through(service.owner, round + 1).del(`/v3/user/${user.id}`),
    ]
    const answers = await overlap(lockCounters(user.id), round % 2 === 0 ? requests : requests.toReversed())
    const made = answers[round % 2] as Answer
    const credential = made.status === 201 ? `${made.body.id}:${made.body.secret}` : user.credential
    // Calls the service that deleted it, because another one may cache a key for half a second.
    assert.equal((await through(service.as(credential), round + 1).get('/v3/bank')).status, 401)
    const left = await sql`select 1 from api_keys where user_id = ${user.id}`
    assert.equal(left.length, 0)
  }
})

/**
 * Sends requests that overlap: the first two wait inside their transactions for a lock that the test holds, and the
 * others start before it is released. They may get the lock in any order.
 */
async function overlap(lock: Lock, [first, second, ...others]: Start[]): Promise<Answer[]> {
  const results = await holdingLock(sql, lock, async (arrive) => {
    const waiting = [await arrive(first as Start), await arrive(second as Start)]
    return [...waiting.map(({ result }) => result), ...others.map((start) => start())]
  })
  return Promise.all(results)
}

type Start = () => Promise<Answer>
type Lock = (tx: Sql) => Promise<unknown>

const lockUser =
  (id: string): Lock =>
  (tx) =>
    lockRow(tx, 'users', id)

/** Requests that change data of a user take this lock first. */
const lockCounters =
  (id: string): Lock =>
  (tx) =>
    lockRow(tx, 'user_counters', id)

/** A client of one of the two services. */
const through = (user: Api, index: number): Api => (index % 2 === 0 ? user : other.as(user.credential))

/** The webhooks of a user about a payment, in order. */
async function deliveredTo(user: { id: string }, paymentId: string): Promise<string[]> {
  const rows = await sql<{ body: string }[]>`
    select body
    from deliveries d
    join endpoints e on e.platform_id = d.platform_id and e.id = d.endpoint_id
    join events v on v.platform_id = d.platform_id and v.id = d.event_id
    where e.user_id = ${user.id} and d.subject_id = ${paymentId}
    order by d.position
  `
  return rows.map(({ body }) => JSON.parse(body).status)
}

function assertNoError(answers: Answer[]): void {
  for (const { status, text } of answers) assert.ok(status < 500, text)
}

const isDone = ({ status }: Answer) => status < 300

const payment = (order: object = {}) => ({ amount: 1, name: 'Recipient', recipient: 'recipient@example.com', ...order })

test('a single-use grant creates one payment on two services', async () => {
  const holder = await newAccountHolder(service)
  const application = await registerApplication(holder.browser)
  for (let round = 0; round < 12; round++) {
    const tokens = await obtainTokens(service, holder.browser, application, 'single-use')
    const bearer = service.as(`Bearer ${tokens.access_token}`)
    const [grant] = await sql<{ platformId: string }[]>`select platform_id from grants where spent_at is null`
    const lockGrant = (tx: Sql) =>
      tx`select 1 from grants where platform_id = ${grant?.platformId as string} and spent_at is null for update`
    const answers = await overlap(
      lockGrant,
      Array.from({ length: 4 }, (_, index) => () => through(bearer, index).post('/v3/check/digital', payment())),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401, 401, 401])
  }
})

test('ten simultaneous voids and deposits of one payment: each transition happens once, with its webhook', async () => {
  const [sender, payee] = await Promise.all([newSender(service), newPayee(service)])
  await Promise.all([sender, payee].map((user) => setWebhook(user, 'http://localhost:9/hook')))
  const seen = new Set<string>()
  for (let round = 0; round < 10; round++) {
    const { id } = await sendPayment(sender, { recipient: payee.userId })
    const request = (index: number) => () =>
      (index + round) % 2 === 0
        ? through(sender, index).del(`/v3/check/${id}`)
        : through(payee, index).post(`/v3/check/deposit/${id}`, { account: payee.bankId })
    const answers = await holdingLock(sql, lockPayment(id), async (arrive) => {
      // The first request is in its transaction before any other starts, and so is the second. One of the others may
      // still get the lock first: PostgreSQL gives a free row to a request that asks for it before a waiter has woken
      // up.
      const first = await arrive(request(0))
      const second = await arrive(request(1))
      const others = Array.from({ length: 8 }, (_, index) => request(index + 2)())
      return [first.result, second.result, ...others]
    }).then((results) => Promise.all(results))
    assertNoError(answers)
    const voids = answers.filter((answer, index) => (index + round) % 2 === 0 && isDone(answer))
    const deposits = answers.filter((answer, index) => (index + round) % 2 === 1 && isDone(answer))
    const happened = deposits.length === 0 ? ['VOID'] : ['IN_PROCESS', 'VOID']
    assert.deepEqual([voids.length, deposits.length], [1, happened.length - 1])
    assert.equal((await sql`select 1 from events where subject_id = ${id}`).length, happened.length)
    assert.deepEqual(await deliveredTo(sender, id), happened)
    assert.deepEqual(await deliveredTo(payee, id), happened)
    assert.equal((await sender.get(`/v3/check/${id}`)).body.status, 'VOID')
    const received = await payee.get('/v3/check?sort=-DATE')
    assert.deepEqual([received.body.checks[0].id, received.body.checks[0].status], [id, 'VOID'])
    seen.add(happened.join(' → '))
  }
  assert.deepEqual([...seen].sort(), ['IN_PROCESS → VOID', 'VOID'])
})

const lockPayment = (id: string) => (tx: Sql) => lockRow(tx, 'payments', id)

test('simultaneous triggers of one payment follow the state table, and the webhooks agree', async () => {
  const [sender, payee] = await Promise.all([newSender(service), newPayee(service)])
  await setWebhook(sender, 'http://localhost:9/hook')
  const wanted = ['PAID', 'FAILED', 'REFUNDED', 'VOID', 'PRINTED', 'MAILED', 'PAID', 'FAILED', 'IN_PROCESS', 'EXPIRED']
  for (let round = 0; round < 15; round++) {
    const { id } = await sendPayment(sender, { recipient: payee.userId })
    const answers = await overlap(
      lockPayment(id),
      wanted.map((status, index) => () => through(sender, index + round).put(`/v3/check/webhook/${id}`, { status })),
    )
    assertNoError(answers)
    const statuses = await deliveredTo(sender, id)
    assert.ok(answers.filter(isDone).length >= 1)
    assert.ok(statuses.length >= answers.filter(isDone).length)
    assert.equal((await payee.get(`/v3/check/${id}`)).body.status, statuses.at(-1))
    const path = ['UNPAID', ...statuses]
    for (let step = 1; step < path.length; step++) {
      assert.ok(isTransition(path[step - 1] as string, path[step] as string), path.join(' → '))
    }
  }
})

const isTransition = (from: string, to: string) =>
  Object.values(paymentTransitions).some((row) => (row.from as readonly string[]).includes(from) && row.to === to)

test('a user is suspended while it pays and is paid: no payment is accepted afterward', async () => {
  for (let round = 0; round < 12; round++) {
    const [sender, payee] = await Promise.all([newSender(service), newPayee(service)])
    const suspended = round % 2 === 0 ? sender : payee
    const recipient = round % 4 < 2 ? payee.userId : { id: payee.userId, account: payee.bankId }
    const pay = (index: number) => through(sender, index).post('/v3/check/digital', payment({ recipient }))
    const answers = await overlap(round % 2 === 0 ? lockCounters(sender.id) : lockUser(payee.id), [
      () => pay(round),
      () => through(suspended, round).put('/v3/user/webhook', { status: 'SUSPENDED' }),
      ...Array.from({ length: 8 }, (_, index) => () => pay(index)),
    ])
    assertNoError(answers)
    assert.equal(answers[1]?.status, 204)
    const madeCount = answers.filter(({ status }) => status === 201).length
    const rows = await sql`select 1 from payments where sender_id = ${sender.id}`
    assert.equal(rows.length, madeCount)
    assert.equal((await pay(0)).status, 403)
    assert.equal((await pay(1)).status, 403)
  }
})

test('an owner is suspended while its users pay each other: no payment is accepted afterward', async () => {
  for (let round = 0; round < 6; round++) {
    const { api: owner, id } = await service.newOwner()
    const users = await Promise.all([newSender(service, owner), newSender(service, owner), newSender(service, owner)])
    const pay = (index: number) => {
      const [sender, payee] = [users[index % 3] as Sender, users[(index + 1) % 3] as Sender]
      return through(sender, index).post('/v3/check/digital', payment({ recipient: payee.userId }))
    }
    const answers = await overlap(lockUser(id), [
      () => pay(round),
      () => through(owner, round).put('/v3/user/webhook', { status: 'SUSPENDED' }),
      ...Array.from({ length: 9 }, (_, index) => () => pay(index)),
    ])
    assertNoError(answers)
    assert.equal(answers[1]?.status, 204)
    for (let index = 0; index < 3; index++) assert.equal((await pay(index)).body.code, 'user_not_active')
  }
})

test('a bank is deleted while payments are drawn on it: none is accepted afterwards', async () => {
  for (let round = 0; round < 12; round++) {
    const sender = await newSender(service)
    const account = await addVerifiedBank(sender)
    const pay = (index: number) => through(sender, index).post('/v3/check/digital', payment({ account }))
    const answers = await overlap(lockCounters(sender.id), [
      () => pay(round),
      () => through(sender, round).del(`/v3/bank/${account}`),
      ...Array.from({ length: 6 }, (_, index) => () => pay(index)),
    ])
    assertNoError(answers)
    assert.equal(answers[1]?.status, 200)
    assert.equal((await pay(0)).body.code, 'bank_not_found')
  }
})

const gone = () => sql`
  select p.id
  from payments p
  join users u on u.platform_id = p.platform_id and u.id = p.recipient_id
  left join banks b on b.platform_id = p.platform_id and b.id = p.destination_id
  where p.status in ('UNPAID', 'IN_PROCESS', 'PRINTED', 'MAILED')
    and (u.deleted_at is not null or (p.status = 'IN_PROCESS' and b.deleted_at is not null))
`

test('if a bank is deleted while payments to it are sent, either the bank is busy or the payments are refused', async () => {
  const outcomes = new Set<boolean>()
  for (let round = 0; round < 9; round++) {
    const [sender, payee] = await Promise.all([newSender(service), newPayee(service)])
    const { id } = await sendPayment(sender, { recipient: payee.userId })
    const recipient = { id: payee.userId, account: payee.bankId }
    const requests = [
      () => through(payee, round).del(`/v3/bank/${payee.bankId}`),
      () => through(payee, round + 1).post(`/v3/check/deposit/${id}`, { account: payee.bankId }),
      () => through(sender, round).post('/v3/check/digital', payment({ recipient })),
    ]
    const lockBank = (tx: Sql) => lockRow(tx, 'banks', payee.bankId)
    const answers = await holdingLock(sql, lockBank, async (arrive) => {
      const results: Promise<Answer>[] = []
      // Each of the three is first in turn, and all wait for the bank at the same time.
      for (let index = 0; index < 3; index++) {
        const { result } = await arrive(requests[(index + round) % 3] as () => Promise<Answer>)
        results.push(result)
      }
      return results
    }).then((results) => Promise.all(results))
    assertNoError(answers)
    const [deleted, deposited, sent] = requests.map((_, index) => answers[(index - (round % 3) + 3) % 3])
    const isDeleted = deleted?.text === '{}'
    outcomes.add(isDeleted)
    if (!isDeleted) assert.equal(deleted?.body.code, 'bank_busy')
    assert.deepEqual(
      [deposited, sent].map((answer) => answer && isDone(answer)),
      [!isDeleted, !isDeleted],
    )
    assert.deepEqual([...(await gone())], [])
  }
  assert.equal(outcomes.size, 2)
})

test('a user is deleted while payments go to it: either it is busy, or they are refused', async () => {
  for (let round = 0; round < 8; round++) {
    const [sender, payee] = await Promise.all([newSender(service), newPayee(service)])
    const recipient = round % 2 === 0 ? payee.userId : { id: payee.userId, account: payee.bankId }
    const pay = (index: number) => () => through(sender, index).post('/v3/check/digital', payment({ recipient }))
    const remove = () => through(service.owner, round).del(`/v3/user/${payee.id}`)
    const firstTwo = round % 4 < 2 ? [pay(round), remove] : [remove, pay(round)]
    const answers = await overlap(lockUser(payee.id), [...firstTwo, pay(0), pay(1), pay(2)])
    assertNoError(answers)
    assert.deepEqual([...(await gone())], [])
  }
})

test('the next number is set while payments are created: no number is used twice', async () => {
  for (let round = 0; round < 6; round++) {
    const sender = await newSender(service)
    const pay = (index: number) => () => through(sender, index).post('/v3/check/digital', payment())
    const answers = await overlap(lockCounters(sender.id), [
      pay(round),
      () => through(sender, round).put('/v3/user', { user: { check_number: 1_000 } }),
      ...Array.from({ length: 19 }, (_, index) => pay(index)),
    ])
    assertNoError(answers)
    const numbers = answers.flatMap(({ body }) => body.number ?? []).sort((a, b) => a - b)
    const early = numbers.filter((number) => number < 1_000)
    assert.equal(numbers.length, 20)
    assert.deepEqual(numbers, [
      ...early.map((_, index) => index + 1),
      ...Array.from({ length: 20 - early.length }, (_, index) => 1_000 + index),
    ])
    const profile = await sender.get('/v3/user')
    assert.equal(profile.body.user.check_number, 1_000 + 20 - early.length)
  }
})

test('the same bank added ten times at once is added once', async () => {
  const user = await service.newUser()
  const bank = { routing: '021000021', account: newAccountNumber(), type: 'CHECKING' }
  const answers = await overlap(
    lockCounters(user.id),
    Array.from({ length: 10 }, (_, index) => () => through(user, index).post('/v3/bank', bank)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(400)])
})

test('the same user created ten times at once is created once', async () => {
  const body = { user_id: 'once', name: 'Once' }
  const answers = await overlap(
    (tx) => tx`lock table users in share mode`,
    Array.from({ length: 10 }, (_, index) => () => through(service.owner, index).post('/v3/user', body)),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(400)])
})
