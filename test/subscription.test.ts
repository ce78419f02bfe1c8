import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Sql } from '../src/foundation/db/connect.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { advanceClocks, doDueWork } from '../src/operation/scheduler/due-work.ts'
import { mailInvoices } from '../src/orders/payer/payer-worker.ts'
import { runSubscription } from '../src/orders/subscription/subscription-run-actions.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import type { Answer, Api } from './support/api.ts'
import { type Browser, openBrowser } from './support/browser.ts'
import { crashing } from './support/crash.ts'
import { holdingLock, lockRow } from './support/locks.ts'
import { lastMail } from './support/login.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { newAccountHolder } from './support/oauth.ts'
import { mailsTo } from './support/recipients.ts'
import { allRows, copyRows } from './support/rows.ts'
import { addVerifiedBank, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'

// Payments that repeat each week or month (specification.md 5.9).

const service = await startTestService({ after })
const { deps, clock, newUser, ownerSql } = service
const URL = '/v3/subscription'
const CHECK = `${URL}/check`
const ADDRESS = { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' }
const DAY = 24 * 3_600

type Client = Pick<Browser | Api, 'get' | 'post' | 'put' | 'del'>

const order = (more: object = {}) => ({
  amount: 10,
  name: 'Landlord',
  recipient: 'landlord@example.com',
  interval: 'WEEKLY',
  ...more,
})

function expect(answer: Answer, status: number, code?: string): Answer {
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text)
  return answer
}

/** Returns today's date, by the clock of the service. */
const today = () => clock.now().toISOString().slice(0, 10)

/** Moves the clock of the service to an hour of the day, today or tomorrow, and runs due work. */
async function passUntil(hour: number): Promise<void> {
  const at = new Date(clock.now())
  at.setUTCHours(hour, 0, 0, 0)
  const seconds = (at.getTime() - clock.now().getTime()) / 1000
  clock.advance(seconds > 0 ? seconds : seconds + DAY)
  await service.doDueWork()
}

async function passDays(days: number): Promise<void> {
  clock.advance(days * DAY)
  await service.doDueWork()
}

async function newSender() {
  const user = await newUser()
  await addVerifiedBank(user)
  return user
}

const subscribe = async (by: Client, more: object = {}): Promise<string> =>
  expect(await by.post(CHECK, order(more)), 201).body.id

const find = async (by: Client, id: string) => expect(await by.get(`${URL}/${id}`), 200).body

/** Returns the times of a user's payments, oldest first. */
const datesOf = async (by: Client): Promise<string[]> =>
  (await by.get('/v3/check?sort=%2BDATE&per_page=250')).body.checks.map(({ date }: { date: string }) => date)

const outcomesOf = async (id: string) =>
  (
    await deps.sql<{ number: number; outcome: string; errorCode: string | null }[]>`
      select number, outcome, error_code from subscription_runs where subscription_id = ${id} order by number
    `
  ).map(({ number, outcome, errorCode }) => [number, outcome, errorCode])

test('a year of a weekly and of a monthly subscription makes 52 and 12 payments, each once, on the right days', async () => {
  const { api: owner } = await service.newOwner()
  await addVerifiedBank(owner)
  for (const interval of ['WEEKLY', 'MONTHLY'])
    await subscribe(owner, { interval, name: interval, start_date: '2026-03-31' })
  expect(await owner.put('/v3/sandbox/clock', { now: '2027-03-30 15:59:59' }), 200)
  while ((await advanceClocks(deps)) > 0);
  const list = (await owner.get('/v3/check?sort=%2BDATE&per_page=100')).body
  const dates = (name: string): string[] =>
    list.checks.filter((check: { name: string }) => check.name === name).map(({ date }: { date: string }) => date)
  const weeks = Array.from({ length: 52 }, (_, week) => {
    const day = new Date(Date.UTC(2026, 2, 31 + 7 * week, 16))
    return day.toISOString().replace('T', ' ').slice(0, 19)
  })
  assert.deepEqual(dates('WEEKLY'), weeks)
  assert.deepEqual(
    dates('MONTHLY'),
    [
      ...['2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30', '2026-07-31', '2026-08-31', '2026-09-30'],
      ...['2026-10-31', '2026-11-30', '2026-12-31', '2027-01-31', '2027-02-28'],
    ].map((day) => `${day} 16:00:00`),
  )
  assert.equal(list.total, 64)
  await assertLedger(service)
})

test('the runs show their payments, the reason of a refusal, and the next runs', async () => {
  const user = await newUser()
  const wallet = await newWallet(user, 15)
  await passUntil(12)
  const id = await subscribe(user, { account: wallet, duration: 5 })
  const runs = async () => expect(await user.get(`${URL}/${id}/run`), 200).body
  const start = today()
  const week = (count: number) =>
    `${new Date(Date.parse(start) + 7 * count * DAY * 1000).toISOString().slice(0, 10)} 16:00:00`
  assert.deepEqual(await runs(), {
    state: 'ACTIVE',
    direction: 'OUTGOING',
    sender: `Name of ${user.userId}`,
    autopay_text: null,
    runs: [],
    next: [0, 1, 2, 3, 4].map((index) => ({ number: index + 1, date: week(index), skipped: false })),
  })
  await user.put(`${URL}/${id}`, { skipped: [2] })
  for (const _ of [1, 2, 3]) await passDays(7)
  const { runs: made, next, state } = await runs()
  const [payment] = (await user.get('/v3/check')).body.checks
  assert.deepEqual(
    made.map((run: Record<string, unknown>) => [run.number, run.outcome, run.payment, run.code]),
    [
      [3, 'FAILED', null, 'insufficient_funds'],
      [2, 'SKIPPED', null, null],
      [1, 'PAID', payment.id, null],
    ],
  )
  assert.equal(made[0].message, 'The wallet balance is too low. Add funds or send a smaller amount.')
  assert.deepEqual([state, next.map(({ number }: { number: number }) => number)], ['ACTIVE', [4, 5]])
  await user.del(`${URL}/${id}`)
  assert.deepEqual([(await runs()).state, (await runs()).next], ['CANCELED', []])
})

suite('a subscription', () => {
  test('begins today if its start is null, and has no end if its duration is null', async () => {
    const user = await newSender()
    const id = await subscribe(user, { duration: null, start_date: null })
    const { start_date, duration } = await find(user, id)
    assert.deepEqual([start_date, duration], [today(), null])
  })

  test('has the fields of the contract, and is listed with its status', async () => {
    const user = await newSender()
    const bank = (await user.get('/v3/bank')).body.banks[0].id
    const advice = [{ id: 'R-1', date: today(), amount: 10, description: 'Rent' }]
    const more = {
      account: bank,
      description: 'Rent',
      duration: 12,
      start_date: '2030-01-31',
      remittance_advice: advice,
    }
    const { body } = expect(await user.post(CHECK, order({ ...more, interval: 'MONTHLY' })), 201)
    const { id, date } = body
    assert.deepEqual(body, {
      id,
      type: 'CHECK',
      amount: 10,
      name: 'Landlord',
      recipient: 'landlord@example.com',
      description: 'Rent',
      account: bank,
      interval: 'MONTHLY',
      duration: 12,
      start_date: '2030-01-31',
      date,
    })
    const shown = { ...body, status: 'UNPAID', skipped: [], autopay: false }
    assert.deepEqual(await find(user, id), shown)
    assert.deepEqual((await user.get(URL)).body, { subscriptions: [shown], page: 1, pages: 1, total: 1 })
    const other = await subscribe(user, { name: 'Other', start_date: '2030-01-01' })
    const bare = await find(user, other)
    assert.deepEqual([bare.account, bare.description, bare.duration], [null, null, null])
    expect(await user.del(`${URL}/${other}`), 200)
    const listed = async (query: string) =>
      (await user.get(`${URL}?${query}`)).body.subscriptions.map((each: { id: string }) => each.id)
    assert.deepEqual(await listed('sort=%2BDATE'), [id, other])
    assert.deepEqual(await listed('status=CANCELED'), [other])
    assert.deepEqual(await listed('status=UNPAID'), [id])
    assert.deepEqual(await listed('q=other'), [other])
    assert.deepEqual(await listed('direction=INCOMING'), [])
  })

  test('starts today if it is created before 16:00. Otherwise its first run is skipped and counts', async () => {
    await passUntil(15)
    const user = await newSender()
    const [early, later] = [
      await subscribe(user, { duration: 1 }),
      await subscribe(user, { duration: 2, start_date: '2030-01-01' }),
    ]
    await passUntil(16)
    assert.deepEqual(await datesOf(user), [`${today()} 16:00:00`])
    assert.deepEqual(await outcomesOf(early), [[1, 'PAID', null]])
    assert.deepEqual(await outcomesOf(later), [])

    await passUntil(17)
    const other = await newSender()
    const late = await subscribe(other, { duration: 2 })
    assert.deepEqual((await find(other, late)).skipped, [1])
    await passDays(7)
    assert.deepEqual(await outcomesOf(late), [
      [1, 'SKIPPED', null],
      [2, 'PAID', null],
    ])
    await passDays(30)
    assert.equal((await datesOf(other)).length, 1)
  })

  test('is refused to a user with 1,000 active ones', async () => {
    const user = await newSender()
    const id = await subscribe(user, { start_date: '2040-01-01' })
    await copyRows(ownerSql, 'subscriptions', { id, count: 999 })
    expect(await user.post(CHECK, order()), 400, 'subscription_limit_reached')
    expect(await user.del(`${URL}/${id}`), 200)
    await subscribe(user)
    await ownerSql`update subscriptions set state = 'CANCELED', next_at = null where user_id = ${user.id}`
  })

  test('of a single run is refused after the time of that run', async () => {
    await passUntil(17)
    const user = await newSender()
    const refused = expect(await user.post(CHECK, order({ duration: 1 })), 400, 'invalid_request')
    assert.deepEqual(refused.body.errors.start_date, ['must be later: the time of the only run has passed'])
    await subscribe(user, { duration: 1, start_date: '2040-01-01' })
  })

  test('has the status of its latest payment', async () => {
    await passUntil(15)
    const user = await newSender()
    const id = await subscribe(user)
    assert.equal((await find(user, id)).status, 'UNPAID')
    await passUntil(16)
    const payment = (await user.get('/v3/check')).body.checks[0]
    expect(await user.put(`/v3/check/webhook/${payment.id}`, { status: 'PAID' }), 204)
    assert.equal((await find(user, id)).status, 'PAID')
    await passDays(7)
    assert.equal((await find(user, id)).status, 'UNPAID')
  })

  test('to a postal address mails a check each time', async () => {
    await passUntil(15)
    const user = await newSender()
    const id = await subscribe(user, { recipient: ADDRESS, duration: 1, remittance_advice: 'Rent' })
    assert.equal((await find(user, id)).recipient, '1 Main St, Springfield, IL 62701, US')
    await passUntil(16)
    const [row] = await deps.sql`select kind, mail_type, status from payments where sender_id = ${user.id}`
    assert.deepEqual([row?.kind, row?.mailType, row?.status], ['PHYSICAL', 'USPS_FIRST_CLASS', 'IN_PROCESS'])
    assert.equal((await find(user, id)).status, 'IN_PROCESS')
  })

  test('skips the chosen runs, which count toward the duration, and past runs cannot be chosen', async () => {
    await passUntil(15)
    const user = await newSender()
    const id = await subscribe(user, { duration: 4 })
    const skip = (skipped: number[]) => user.put(`${URL}/${id}`, { skipped })
    expect(await skip([3, 1]), 200)
    await passUntil(16)
    expect(await skip([1, 2, 3]), 200)
    expect(await skip([4]), 200)
    assert.deepEqual((await find(user, id)).skipped, [1, 4])
    for (const [runs, problem] of [
      [[5], 'cannot include run 5: the last one is 4'],
      [[0], null],
      [[2, 2], null],
    ] as const) {
      const { body } = expect(await skip([...runs]), 400, 'invalid_request')
      if (problem) assert.deepEqual(body.errors, { skipped: [problem] })
    }
    await passDays(7)
    const { body } = expect(await skip([2]), 400, 'invalid_request')
    assert.deepEqual(body.errors, { skipped: ['cannot include run 2: it has happened'] })
    await passDays(28)
    assert.deepEqual(await outcomesOf(id), [
      [1, 'SKIPPED', null],
      [2, 'PAID', null],
      [3, 'PAID', null],
      [4, 'SKIPPED', null],
    ])
    assert.equal((await datesOf(user)).length, 2)
    expect(await skip([1]), 400, 'subscription_not_active')
    assert.equal((await find(user, id)).status, 'UNPAID')
  })

  test('skips one run at a time, and keeps the runs that concurrent requests skipped', async () => {
    const user = await newSender()
    const id = await subscribe(user, { duration: 5 })
    const skip = (run: unknown, skipped: unknown, by: Client = user) =>
      by.put(`${URL}/${id}/run`, { number: run, skipped })
    const answers = await Promise.all([2, 3, 4].map((run) => skip(run, true)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    )
    expect(await skip(3, true), 200)
    expect(await skip(4, false), 200)
    const skipped = async () => (await find(user, id)).skipped.filter((run: number) => run > 1)
    assert.deepEqual(await skipped(), [2, 3])
    for (const run of [0, 1.5, -1, 10_001, '2', null, undefined]) expect(await skip(run, true), 400, 'invalid_request')
    for (const wrong of [null, 'yes', 1, undefined]) expect(await skip(2, wrong), 400, 'invalid_request')
    assert.deepEqual(expect(await skip(6, true), 400, 'invalid_request').body.errors, {
      skipped: ['cannot include run 6: the last one is 5'],
    })
    await passDays(7)
    await passUntil(17)
    for (const is of [true, false]) {
      assert.deepEqual(expect(await skip(1, is), 400, 'invalid_request').body.errors, {
        skipped: ['cannot be changed for run 1: it has happened'],
      })
    }
    expect(await skip(3, true, await newSender()), 404, 'subscription_not_found')
    expect(await user.del(`${URL}/${id}`), 200)
    expect(await skip(4, true), 400, 'subscription_not_active')
    assert.deepEqual(await skipped(), [2, 3])
  })

  test('that is canceled makes no more payments, and cannot be changed', async () => {
    await passUntil(15)
    const { api: owner } = await service.newOwner()
    const user = await newUser(undefined, owner)
    await addVerifiedBank(user)
    await owner.post('/v3/webhook/endpoint', { url: 'https://hooks.example.com/', event_types: ['SUBSCRIPTION'] })
    const id = await subscribe(user)
    await passUntil(16)
    assert.equal(expect(await user.del(`${URL}/${id}`), 200).text, '{}')
    assert.equal((await find(user, id)).status, 'CANCELED')
    const rows = await allRows(deps.sql)
    expect(await user.del(`${URL}/${id}`), 400, 'subscription_not_active')
    expect(await user.put(`${URL}/${id}`, { skipped: [4] }), 400, 'subscription_not_active')
    assert.deepEqual(await allRows(deps.sql), rows)
    await passDays(14)
    assert.equal((await datesOf(user)).length, 1)
    assert.deepEqual(await eventsOf(id), [{ id, status: 'CANCELED', type: 'SUBSCRIPTION' }])
    const { audit } = (await owner.get(`/v3/audit?q=${id}`)).body
    assert.deepEqual(
      audit.map(({ action }: { action: string }) => action),
      ['subscription_canceled', 'subscription_created'],
    )
  })

  test('that is wrong is refused by field, and nothing is stored', async () => {
    const user = await newSender()
    const rows = await allRows(deps.sql)
    const yesterday = new Date(clock.now().getTime() - DAY * 1000).toISOString().slice(0, 10)
    for (const [more, code, field] of [
      [{ amount: 1.001 }, 'invalid_request', 'amount'],
      [{ interval: 'DAILY' }, 'invalid_request', 'interval'],
      [{ duration: 0 }, 'invalid_request', 'duration'],
      [{ duration: 53 }, 'invalid_request', 'duration'],
      [{ start_date: yesterday }, 'invalid_request', 'start_date'],
      [{ start_date: '2027-02-30' }, 'invalid_request', 'start_date'],
      [{ start_date: '2077-01-01' }, 'invalid_request', 'start_date'],
      [{ start_date: '9999-12-31' }, 'invalid_request', 'start_date'],
      [{ recipient: 'nobody-by-that-name' }, 'invalid_recipient', 'recipient'],
      [{ recipient: { id: 'bob', account: '0'.repeat(32) } }, 'invalid_request', 'recipient'],
      [{ remittance_advice: 'Rent' }, 'invalid_request', 'remittance_advice'],
      [{ pin: { value: '1' } }, 'invalid_request', 'pin'],
    ] as const) {
      const { body } = expect(await user.post(CHECK, order(more)), 400, code)
      assert.ok(
        Object.keys(body.errors).every((name) => name.startsWith(field)),
        JSON.stringify(body),
      )
    }
    assert.deepEqual(await allRows(deps.sql), rows)
  })

  test('from an account of another user, or to oneself, is refused, and nothing is stored', async () => {
    const [user, other] = [await newSender(), await newSender()]
    const [othersBank] = (await other.get('/v3/bank')).body.banks
    const { body: card } = await user.post('/v3/account/card', {
      card_number: '4242424242424242',
      expiration_date: '2039-12',
    })
    const rows = await allRows(deps.sql)
    const invoice = { description: 'Rent', recipient: other.userId }
    for (const [path, more, status, code, field] of [
      [CHECK, { account: othersBank.id }, 404, 'bank_not_found', 'account'],
      [CHECK, { account: card.id }, 404, 'bank_not_found', 'account'],
      [CHECK, { recipient: user.userId }, 400, 'own_recipient', 'recipient'],
      [`${URL}/invoice`, { ...invoice, account: othersBank.id }, 404, 'bank_not_found', 'account'],
      [`${URL}/invoice`, { ...invoice, account: card.id }, 404, 'bank_not_found', 'account'],
    ] as const) {
      const { body } = expect(await user.post(path, order(more)), status, code)
      assert.deepEqual(Object.keys(body.errors), [field])
    }
    assert.deepEqual(await allRows(deps.sql), rows)
  })
})

const eventsOf = async (id: string) =>
  (await deps.sql<{ body: string }[]>`select body from events where subject_id = ${id} order by id`).map(({ body }) =>
    JSON.parse(body),
  )

suite('a run', () => {
  test('that is refused is FAILED, with an event and a mail, and the next one continues', async () => {
    await passUntil(15)
    const { api: owner, email } = await service.newOwner()
    await owner.post('/v3/webhook/endpoint', { url: 'https://hooks.example.com/', event_types: ['SUBSCRIPTION'] })
    const user = await newUser(undefined, owner)
    const wallet = await newWallet(user, 15)
    const id = await subscribe(user, { account: wallet, duration: 3 })
    await passUntil(16)
    assert.equal((await find(user, id)).status, 'UNPAID')
    await passDays(7)
    assert.equal((await find(user, id)).status, 'FAILED')
    assert.deepEqual(await eventsOf(id), [{ id, status: 'FAILED', type: 'SUBSCRIPTION' }])
    const mail = await lastMail(openBrowser(service), email)
    assert.equal(mail.subject, 'A recurring payment of $10.00 was not made')
    assert.ok(!mail.text.includes('/recurring/'), 'users of a platform have no page')
    assert.ok(mail.text.includes('Reason: The wallet balance is too low.'), mail.text)
    await user.post(`/v3/sandbox/wallet/${wallet}/fund`, { amount: 20 })
    await passDays(7)
    assert.equal((await find(user, id)).status, 'UNPAID')
    assert.deepEqual(await outcomesOf(id), [
      [1, 'PAID', null],
      [2, 'FAILED', 'insufficient_funds'],
      [3, 'PAID', null],
    ])
    assert.equal(await balanceOf(user, wallet), 15)
    await assertLedger(service)
  })

  test('of a suspended user, or without a bank, is refused with that reason', async () => {
    await passUntil(15)
    const [stopped, controlled, bankless] = [await newSender(), await newSender(), await newUser()]
    expect(await controlled.put('/v3/user', { payment: { dual_control: true } }), 200)
    const [first, prepared, second] = [await subscribe(stopped), await subscribe(controlled), await subscribe(bankless)]
    for (const { id } of [stopped, controlled]) {
      const [row] = await deps.sql<{ platformId: string }[]>`select platform_id from users where id = ${id}`
      const key = { platformId: row?.platformId as string, userId: id }
      await inTransaction(deps, (tx) => decideUser(tx, key, 'suspend'))
    }
    await passUntil(16)
    assert.deepEqual(await outcomesOf(first), [[1, 'FAILED', 'user_not_active']])
    assert.deepEqual(await outcomesOf(prepared), [[1, 'FAILED', 'user_not_active']])
    assert.deepEqual(await outcomesOf(second), [[1, 'FAILED', 'no_verified_bank']])
    expect(await stopped.post(CHECK, order()), 403, 'user_not_active')
    expect(await stopped.del(`${URL}/${first}`), 200)
  })

  test('happens once when a worker crashes after any statement, and with several concurrent workers', async () => {
    for (let statements = 0; statements < 24; statements++) {
      await passUntil(15)
      const user = await newUser()
      const wallet = await newWallet(user, 100)
      const id = await subscribe(user, { account: wallet, duration: 1 })
      clock.advance(3_600)
      await doDueWork(crashing(deps, { afterStatements: statements })).catch(() => 0)
      await Promise.all([doDueWork(deps), doDueWork(deps), doDueWork(deps)])
      await service.doDueWork()
      assert.deepEqual(await outcomesOf(id), [[1, 'PAID', null]])
      assert.deepEqual([(await datesOf(user)).length, await balanceOf(user, wallet)], [1, 90])
    }
    await assertLedger(service)
  })

  test('happens once when several workers begin it at the same time', async () => {
    await passUntil(15)
    const user = await newSender()
    const id = await subscribe(user)
    const at = new Date(clock.now().getTime() + 3_600_000)
    const [row] = await deps.sql<{ platformId: string }[]>`select platform_id from users where id = ${user.id}`
    const due = { platformId: row?.platformId as string, userId: user.id, id, dueAt: at }
    const later = { ...deps, clock: { now: () => at } }
    const once = () => inTransaction(later, (tx) => runSubscription(tx, due))
    await Promise.all([once(), once(), once(), once()])
    assert.deepEqual(await outcomesOf(id), [[1, 'PAID', null]])
    assert.equal((await datesOf(user)).length, 1)
  })

  test('concurrent with a cancellation: one succeeds', async () => {
    for (const isRunFirst of [true, false]) {
      await passUntil(15)
      const user = await newSender()
      const id = await subscribe(user, { duration: 1 })
      clock.advance(3_600)
      const lock = (tx: Sql) => lockRow(tx, 'user_counters', user.id)
      const both = await holdingLock(ownerSql, lock, async (arrive) => {
        const run = () => arrive(() => doDueWork(deps))
        const cancel = () => arrive(() => user.del(`${URL}/${id}`))
        const first = isRunFirst ? await run() : null
        const canceled = await cancel()
        return { run: first ?? (await run()), canceled }
      })
      await both.run.result
      const canceled = await both.canceled.result
      const [status, count] = [(await find(user, id)).status, (await datesOf(user)).length]
      if (canceled.status === 200) assert.deepEqual([status, count], ['CANCELED', 0])
      else {
        expect(canceled, 400, 'subscription_not_active')
        assert.deepEqual([status, count], ['UNPAID', 1])
      }
    }
  })

  test('prepares a payment for release under dual control, and for a creator who may not send', async () => {
    await passUntil(15)
    const holder = await newAccountHolder(service)
    const [preparer, approver] = [
      await newMember(service, holder.id, 'preparer'),
      await newMember(service, holder.id, 'approver'),
    ]
    const [ofOwner, ofPreparer] = [await subscribe(holder.browser), await subscribe(preparer.browser)]
    await passUntil(16)
    assert.deepEqual(await outcomesOf(ofOwner), [[1, 'PAID', null]])
    assert.deepEqual(await outcomesOf(ofPreparer), [[1, 'PREPARED', null]])
    assert.equal((await find(holder.browser, ofPreparer)).status, 'UNPAID')

    expect(await holder.browser.put('/v3/user', { payment: { dual_control: true } }), 200)
    await passDays(7)
    assert.deepEqual((await outcomesOf(ofOwner)).at(-1), [2, 'PREPARED', null])
    const prepared = await deps.sql<{ id: string }[]>`
      select approval_id as id from subscription_runs where subscription_id = ${ofOwner} and number = 2
    `
    const approval = prepared[0]?.id as string
    expect(await holder.browser.post('/v3/approval/release', { id: approval }), 403, 'second_person_needed')
    const payment = expect(await approver.browser.post('/v3/approval/release', { id: approval }), 200).body
    expect(await holder.api.put(`/v3/check/webhook/${payment.id}`, { status: 'PAID' }), 204)
    assert.equal((await find(holder.browser, ofOwner)).status, 'PAID')
    await passDays(7)
    const open = (await holder.browser.get('/v3/approval?status=UNPAID')).body.checks
    expect(await holder.browser.del(`/v3/approval/${open[0].id}`), 200)
    const voided = await Promise.all([find(holder.browser, ofOwner), find(holder.browser, ofPreparer)])
    assert.deepEqual(voided.map(({ status }) => status).sort(), ['UNPAID', 'VOID'])
  })

  test('resumed by a member who may not send prepares a payment for release', async () => {
    await passUntil(15)
    const holder = await newAccountHolder(service)
    const preparer = await newMember(service, holder.id, 'preparer')
    const [skipped, resumed] = [await subscribe(holder.browser), await subscribe(holder.browser)]
    for (const id of [skipped, resumed]) {
      expect(await holder.browser.put(`/v3/subscription/${id}`, { skipped: [1, 3] }), 200)
    }
    expect(await preparer.browser.put(`/v3/subscription/${skipped}`, { skipped: [1, 3] }), 200)
    expect(await preparer.browser.put(`/v3/subscription/${resumed}`, { skipped: [3] }), 200)
    await passUntil(16)
    await passDays(7)
    const outcomes = async (id: string) => (await outcomesOf(id)).map(([run, outcome]) => `${run} ${outcome}`)
    assert.deepEqual(await outcomes(skipped), ['1 SKIPPED', '2 PAID'])
    assert.deepEqual(await outcomes(resumed), ['1 PREPARED', '2 PREPARED'])
  })

  test('of a creator who has left prepares a payment for release', async () => {
    await passUntil(15)
    const holder = await newAccountHolder(service)
    const admin = await newMember(service, holder.id, 'admin')
    const id = await subscribe(admin.browser)
    await passUntil(16)
    expect(await holder.browser.del(`/web/v1/team/${admin.loginId}`), 200)
    await passDays(7)
    assert.deepEqual(await outcomesOf(id), [
      [1, 'PAID', null],
      [2, 'PREPARED', null],
    ])
  })

  test('does not pay another user who got the user_id of the deleted payee', async () => {
    await passUntil(15)
    const { api: owner } = await service.newOwner()
    await addVerifiedBank(owner)
    const addPayee = async () => expect(await owner.post('/v3/user', { user_id: 'bob', name: 'Bob' }), 201).body.id
    const bob = await addPayee()
    const id = await subscribe(owner, { recipient: 'bob' })
    await passUntil(16)
    expect(await owner.del(`/v3/check/${(await owner.get('/v3/check')).body.checks[0].id}`), 200)
    expect(await owner.del(`/v3/user/${bob}`), 200)
    await addPayee()
    await passDays(7)
    assert.deepEqual(await outcomesOf(id), [
      [1, 'PAID', null],
      [2, 'FAILED', 'approval_payee_changed'],
    ])
  })
})

test('the subscriptions of a deleted user are canceled', async () => {
  const user = await newSender()
  const id = await subscribe(user, { start_date: '2030-01-01' })
  expect(await service.owner.del(`/v3/user/${user.id}`), 200)
  const [row] = await deps.sql`select state, next_at from subscriptions where id = ${id}`
  assert.deepEqual([row?.state, row?.nextAt], ['CANCELED', null])
})

suite('a subscription of invoices', () => {
  const INVOICE = `${URL}/invoice`

  /** A user that invoices another user of its platform each week. Both have a VERIFIED default bank. */
  async function newInvoicing(more: object = {}) {
    await passUntil(15)
    return newInvoicingOf(await service.newOwner(), more)
  }

  async function newInvoicingOf(
    { api: owner, email }: Awaited<ReturnType<typeof service.newOwner>>,
    more: object = {},
  ) {
    await owner.post('/v3/webhook/endpoint', { url: 'https://hooks.example.com/', event_types: ['SUBSCRIPTION'] })
    const [sender, payer] = [await newUser(undefined, owner), await newUser(undefined, owner)]
    for (const user of [sender, payer]) await addVerifiedBank(user)
    const body = {
      amount: 10,
      name: 'Payer',
      recipient: payer.userId,
      description: 'Rent',
      interval: 'WEEKLY',
      ...more,
    }
    const { id } = expect(await sender.post(INVOICE, body), 201).body
    return { sender, payer, id: id as string, email }
  }

  const invoicesOf = async (by: Client) => (await by.get('/v3/invoice?sort=%2BDATE')).body.invoices
  const statusesOf = async (by: Client): Promise<string[]> =>
    (await invoicesOf(by)).map(({ status }: { status: string }) => status)

  test('sends an invoice each week, is OVERDUE while one stays unpaid until the next, and both users see it', async () => {
    const { sender, payer, id } = await newInvoicing({ duration: 3 })
    const shown = await find(sender, id)
    assert.deepEqual([shown.type, shown.status, shown.autopay], ['INVOICE', 'UNPAID', false])
    assert.deepEqual((await payer.get(`${URL}?direction=INCOMING`)).body.subscriptions, [shown])
    assert.deepEqual((await payer.get(`${URL}?direction=OUTGOING`)).body.subscriptions, [])
    await passUntil(16)
    assert.deepEqual(await outcomesOf(id), [[1, 'INVOICED', null]])
    assert.equal((await find(sender, id)).status, 'UNPAID')
    await passDays(7)
    assert.equal((await find(sender, id)).status, 'OVERDUE')
    assert.deepEqual(await eventsOf(id), [{ id, status: 'OVERDUE', type: 'SUBSCRIPTION' }])
    for (const invoice of await invoicesOf(payer)) {
      expect(await payer.post('/v3/invoice/payment', { id: invoice.id, amount: 10 }), 201)
    }
    assert.equal((await find(payer, id)).status, 'IN_PROCESS')
    await passDays(7)
    assert.equal((await find(sender, id)).status, 'UNPAID')
    assert.equal((await invoicesOf(sender)).length, 3)
    expect(await payer.del(`${URL}/${id}`), 403, 'not_the_sender')
    expect(await payer.put(`${URL}/${id}`, { skipped: [3] }), 403, 'not_the_sender')
  })

  test('is paid automatically under autopay, whose authorization is stored and mailed, until it is revoked', async () => {
    const { sender, payer, id, email } = await newInvoicing()
    expect(await sender.put(`${URL}/${id}`, { autopay: true }), 403, 'not_the_recipient')
    for (let time = 0; time < 2; time++) expect(await payer.put(`${URL}/${id}`, { autopay: true }), 200)
    assert.equal((await find(sender, id)).autopay, true)
    const given = await deps.sql<{ text: string; address: string; givenAt: Date }[]>`
      select text, address, given_at from autopay_authorizations where subscription_id = ${id}
    `
    assert.equal(given.length, 1)
    assert.equal((await payer.get(`${URL}/${id}/run`)).body.autopay_text, given[0]?.text)
    assert.match(given[0]?.text as string, /^I authorize this service to pay \$10\.00 to Name of .* each week/)
    assert.ok(given[0]?.address && given[0].givenAt)
    const mail = await lastMail(openBrowser(service), email)
    assert.ok(mail.text.includes(given[0].text), mail.text)
    await passUntil(16)
    assert.deepEqual(await statusesOf(payer), ['IN_PROCESS'])
    assert.deepEqual((await payer.get('/v3/check')).body.checks.length, 1)

    expect(await payer.put(`${URL}/${id}`, { autopay: false }), 200)
    assert.equal((await find(payer, id)).autopay, false)
    await passDays(7)
    assert.equal((await statusesOf(payer)).at(-1), 'UNPAID')
    const [row] = await deps.sql`select revoked_at from autopay_authorizations where subscription_id = ${id}`
    assert.ok(row?.revokedAt)
    await assertLedger(service)
  })

  test('prepares the payment for release under dual control', async () => {
    const { payer, id } = await newInvoicing()
    expect(await payer.put(`${URL}/${id}`, { autopay: true }), 200)
    expect(await payer.put('/v3/user', { payment: { dual_control: true } }), 200)
    await passUntil(16)
    assert.deepEqual(await statusesOf(payer), ['UNPAID'])
    const [invoice] = await invoicesOf(payer)
    const { checks } = (await payer.get('/v3/approval')).body
    assert.deepEqual(
      checks.map(({ status, amount }: { status: string; amount: number }) => [status, amount]),
      [['UNPAID', 10]],
    )
    const again = await payer.post('/v3/approval/invoice', { id: invoice.id, amount: 10 })
    expect(again, 400, 'invoice_not_payable')
  })

  test('prepares the payment for release when the member who turned autopay on has left', async () => {
    await passUntil(15)
    const holder = await newAccountHolder(service)
    const admin = await newMember(service, holder.id, 'admin')
    const body = { ...order(), recipient: holder.email, description: 'Rent' }
    const { id } = expect(await (await newSender()).post(INVOICE, body), 201).body
    await service.applyOutbox()
    expect(await admin.browser.put(`${URL}/${id}`, { autopay: true }), 200)
    expect(await holder.browser.del(`/web/v1/team/${admin.loginId}`), 200)
    await passUntil(16)
    await service.applyOutbox()
    assert.deepEqual(await statusesOf(holder.api), ['UNPAID'])
    assert.equal((await holder.api.get('/v3/approval')).body.total, 1)
  })

  test('whose authorized payment is refused leaves the invoice unpaid, and the payer gets mail', async () => {
    const { payer, id, email } = await newInvoicing()
    expect(await payer.put(`${URL}/${id}`, { autopay: true }), 200)
    const [bank] = (await payer.get('/v3/bank')).body.banks
    expect(await payer.del(`/v3/bank/${bank.id}`), 200)
    await passUntil(16)
    assert.deepEqual(await statusesOf(payer), ['UNPAID'])
    assert.deepEqual(await outcomesOf(id), [[1, 'INVOICED', null]])
    const mail = await lastMail(openBrowser(service), email)
    assert.match(mail.text, /The invoice of \$10\.00 from Name of .* was not paid\./)
  })

  for (const refused of [0, 1, 2]) {
    test(`refused payment number ${refused + 1} of three in the same hour does not affect the others`, async () => {
      await passUntil(15)
      const platform = await service.newOwner()
      const made = []
      for (let count = 0; count < 3; count++) made.push(await newInvoicingOf(platform, { duration: 1 }))
      for (const { payer, id } of made) expect(await payer.put(`${URL}/${id}`, { autopay: true }), 200)
      const unable = made[refused]?.payer as Api
      const [bank] = (await unable.get('/v3/bank')).body.banks
      expect(await unable.del(`/v3/bank/${bank.id}`), 200)
      await passUntil(16)
      for (const { payer } of made) {
        const isPaid = payer !== unable
        assert.deepEqual(await statusesOf(payer), [isPaid ? 'IN_PROCESS' : 'UNPAID'])
        assert.equal((await datesOf(payer)).length, isPaid ? 1 : 0)
      }
      await assertLedger(service)
    })
  }

  test('pays once when a worker crashes after any statement', async () => {
    const { payer, id } = await newInvoicing({ duration: 1 })
    expect(await payer.put(`${URL}/${id}`, { autopay: true }), 200)
    clock.advance(3_600)
    for (let statements = 3; statements < 30; statements += 3) {
      await doDueWork(crashing(deps, { afterStatements: statements })).catch(() => 0)
      assert.ok((await invoicesOf(payer)).length === (await datesOf(payer)).length)
    }
    await service.doDueWork()
    assert.deepEqual(await outcomesOf(id), [[1, 'INVOICED', null]])
    assert.deepEqual(await statusesOf(payer), ['IN_PROCESS'])
    assert.equal((await datesOf(payer)).length, 1)
  })

  test('to a payer without an account mails each invoice, and is OVERDUE like any other', async () => {
    const recipient = `payer-${process.pid}@example.net`
    const { sender, id } = await newInvoicing({ recipient, duration: 2 })
    const wallet = await newWallet(sender, 0)
    const body = { ...order({ recipient, account: wallet }), description: 'Rent' }
    const refused = expect(await sender.post(INVOICE, body), 400, 'invalid_request')
    assert.deepEqual(Object.keys(refused.body.errors), ['account'])
    await passUntil(16)
    await passDays(7)
    assert.deepEqual(await statusesOf(sender), ['UNPAID', 'UNPAID'])
    assert.equal((await find(sender, id)).status, 'OVERDUE')
    while ((await mailInvoices(deps, service.baseUrl)) > 0);
    const mails = (await mailsTo(service, recipient)).filter(({ text }) => text.includes('/invoice/'))
    assert.equal(mails.length, 2, JSON.stringify(mails))
  })

  test('to oneself, to a nonexistent user, or without a description is refused with the field', async () => {
    const { sender, payer } = await newInvoicing()
    const body = { amount: 10, name: 'Payer', recipient: payer.userId, description: 'Rent', interval: 'WEEKLY' }
    for (const [more, code, field] of [
      [{ recipient: sender.userId }, 'own_recipient', 'recipient'],
      [{ recipient: 'nobody-by-that-name' }, 'invalid_recipient', 'recipient'],
      [{ recipient: ADDRESS }, 'invalid_request', 'recipient'],
      [{ description: '' }, 'invalid_request', 'description'],
      [{ amount: 1.001 }, 'invalid_request', 'amount'],
    ] as const) {
      const { body: refused } = expect(await sender.post(INVOICE, { ...body, ...more }), 400, code)
      assert.deepEqual(Object.keys(refused.errors), [field])
    }
  })
})
