import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { environmentDefaults } from '../src/foundation/core/environment.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import type { UserLimits } from '../src/people/user/limit/limit-rules.ts'
import { changeLimits, decideUser } from '../src/people/user/operator-actions.ts'
import type { Answer, Api } from './support/api.ts'
import { assertLedger, newWallet } from './support/money.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { allRows } from './support/rows.ts'
import { addBank, startTestService, type TestService, type TestUser } from './support/service.ts'
import { newPayee, newSender, type Sender } from './support/webhooks.ts'

// Sending limits: the sandbox with the limits of production, where users can be moved to any status.

const { limits, mustBeVerified, signatureAboveCents } = environmentDefaults.production
const service = await startTestService(
  { after },
  { settings: { limits, mustBeVerified, signatureAboveCents, timeZone: 'America/Los_Angeles' } },
)
const { clock, deps, owner } = service
const platformId: string = (await owner.get('/v3/user')).body.user.id

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function verified<User extends Api>(user: User): Promise<User> {
  const { status, text } = await user.put('/v3/user/webhook', { status: 'VERIFIED' })
  assert.equal(status, 204, text)
  return user
}

const newVerifiedSender = async (): Promise<Sender> => verified(await newSender(service))

const setLimits = (
  { deps }: Pick<TestService, 'deps'>,
  user: { id: string },
  own: Partial<UserLimits>,
  platform = platformId,
) => inTransaction(deps, (tx) => changeLimits(tx, { platformId: platform, userId: user.id }, own))

const send = (user: Api, amount: number, more: object = {}, idempotencyKey?: string): Promise<Answer> =>
  user.post(
    '/v3/check/digital',
    { amount, name: 'Recipient', recipient: 'recipient@example.com', ...more },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )

/** Returns `201`, or the code of the refusal. */
const outcomeOf = ({ status, body }: Answer): string => (status === 201 ? '201' : body.code)
const outcome = async (...asked: Parameters<typeof send>): Promise<string> => outcomeOf(await send(...asked))

const DIRECT = { account_number: '98765432109', routing_number: '021000021', account_type: 'CHECKING' }

/** Moves the service's clock to an instant. */
const goTo = (instant: string): void => clock.advance((Date.parse(instant) - clock.now().getTime()) / 1_000)

suite('a sender', () => {
  for (const [status, isAllowed] of [
    ['UNVERIFIED', false],
    ['PENDING', false],
    ['VERIFIED', true],
  ] as const) {
    test(`that is ${status} ${isAllowed ? 'may send' : 'gets 403, and may receive'}`, async () => {
      const user = await newSender(service)
      if (status === 'PENDING') await user.put('/v3/user', { user: { phone: '+14155552671' } })
      if (status === 'VERIFIED') await verified(user)
      assert.equal((await user.get('/v3/user')).body.user.status, status)
      const { status: httpStatus, body } = await send(user, 1)
      assert.deepEqual([httpStatus, body.code], isAllowed ? [201, undefined] : [403, 'user_not_verified'])
      const { body: payment } = await send(await newVerifiedSender(), 1, { recipient: user.userId })
      const deposited = await user.post(`/v3/check/deposit/${payment.id}`, { account: user.bankId })
      assert.equal(deposited.status, 201, deposited.text)
    })
  }

  test('needs a stored signature above $2,000.00, and none at $2,000.00', async () => {
    const user = await newVerifiedSender()
    await setLimits(service, user, { paymentCents: 500_000, dayCents: 1_000_000 })
    assert.equal(await outcome(user, 2_000), '201')
    const { status, body } = await send(user, 2_000.01)
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'signature_needed', ['amount']])
    assert.equal((await user.post('/v3/user/signature', { signature: PNG })).status, 201)
    assert.equal(await outcome(user, 2_000.01), '201')
  })
})

suite('the owner of a platform', () => {
  test('lowers the limits of its user, never above those of the operator, and sees the remaining amounts', async () => {
    const user = await newVerifiedSender()
    assert.equal((await owner.put(`/v3/user/${user.id}/limit`, { payment: 50, day: 80 })).status, 200)
    assert.deepEqual(
      [await outcome(user, 50.01), await outcome(user, 50), await outcome(user, 30.01)],
      ['payment_limit_reached', '201', 'day_limit_reached'],
    )
    const { as_of: _, time_zone, ...left } = (await owner.get(`/v3/limit?user=${user.id}`)).body
    assert.equal(time_zone, 'America/Los_Angeles')
    assert.deepEqual(left, {
      left: 30,
      payment: { maximum: 50, highest: 2_000, used: 0, left: 50 },
      day: { maximum: 80, highest: 2_000, used: 50, left: 30 },
      month: { maximum: 15_000, highest: 15_000, used: 50, left: 14_950 },
    })
    assert.deepEqual((await user.get('/v3/limit')).body.day, left.day)
    const { status, body } = await owner.put(`/v3/user/${user.id}/limit`, { month: 15_000.01 })
    assert.deepEqual([status, body.errors], [400, { month: ['must not be above the operator’s limit of $15,000.00'] }])
    await owner.put(`/v3/user/${user.id}/limit`, { payment: null, day: null })
    assert.equal(await outcome(user, 1_950), '201')
    const { action, subject } = (await owner.get('/v3/audit')).body.audit[0]
    assert.deepEqual(
      [action, subject],
      ['limits_changed', `${user.id} payment unchanged, day unchanged, month unchanged`],
    )
  })

  test('sees only the limits and banks of its users, and a user sees its own', async () => {
    const [user, other] = [await newSender(service), await newSender(service)]
    assert.equal((await owner.get(`/v3/bank?user=${user.id}`)).body.banks.length, 1)
    const foreignOwner = (await service.newOwner()).api
    for (const path of [`/v3/limit?user=${user.id}`, `/v3/bank?user=${user.id}`]) {
      for (const api of [other, foreignOwner]) assert.equal((await api.get(path)).body.code, 'user_not_found', path)
      assert.equal((await user.get(path)).status, 200, path)
    }
    assert.equal((await user.put(`/v3/user/${user.id}/limit`, { day: 1 })).body.code, 'owner_only')
  })
})

suite('the limit', () => {
  test('of a payment is $2,000.00, not a cent more, and the error gives the amount that can be sent', async () => {
    const user = await newVerifiedSender()
    const { status, body } = await send(user, 2_000.01)
    assert.deepEqual([status, body.code], [400, 'payment_limit_reached'])
    assert.equal(
      body.message,
      'The amount exceeds the limit for one payment. Send a smaller amount. You can send $2,000.00 now.',
    )
    assert.deepEqual(body.errors, { amount: ['exceeds the limit for one payment. You can send $2,000.00 now'] })
    assert.equal(await outcome(user, 2_000), '201')
  })

  test('of a day is $2,000.00 for all payments, not a cent more', async () => {
    const user = await newVerifiedSender()
    assert.equal(await outcome(user, 1_999.99), '201')
    const { body } = await send(user, 0.02)
    assert.equal(body.code, 'day_limit_reached')
    assert.match(body.message, /daily limit\. .* You can send \$0\.01 now\.$/)
    assert.equal(await outcome(user, 0.01), '201')
    assert.match((await send(user, 0.01)).body.message, /You can send \$0\.00 now\.$/)
  })

  test('of a day restarts at midnight in the business time zone, to the second', async () => {
    goTo('2026-03-11T06:59:59Z')
    const user = await newVerifiedSender()
    assert.deepEqual([await outcome(user, 2_000), await outcome(user, 0.01)], ['201', 'day_limit_reached'])
    clock.advance(0.999)
    assert.equal(await outcome(user, 0.01), 'day_limit_reached')
    clock.advance(0.001)
    assert.deepEqual([await outcome(user, 2_000), await outcome(user, 0.01)], ['201', 'day_limit_reached'])
  })

  for (const [path, more] of [
    ['/v3/check/digital', { recipient: 'recipient@example.com' }],
    ['/v3/check/direct', { recipient: 'Grace', ...DIRECT }],
  ] as const) {
    test(`of a day is not refilled by ${path} of a process whose clock has not reached midnight yet`, async (t) => {
      const other = await startTestService(t, {
        ...{ databaseUrl: service.databaseUrl, keyRing: service.keyRing },
        settings: { limits, mustBeVerified, signatureAboveCents, timeZone: 'America/Los_Angeles' },
      })
      goTo('2026-03-13T07:00:01Z')
      other.clock.advance((Date.parse('2026-03-13T06:59:59Z') - other.clock.now().getTime()) / 1_000)
      const user = await newVerifiedSender()
      const [early, late] = [other.as(user.credential), user]
      const outcomes: string[] = []
      for (const by of [early, late, early, late, early]) {
        outcomes.push(outcomeOf(await by.post(path, { amount: 1_200, name: 'Grace', ...more })))
      }
      assert.deepEqual(outcomes, ['201', '201', ...Array(3).fill('day_limit_reached')])
    })
  }

  test('of a month is $15,000.00, even on a new day, and restarts on the first', async () => {
    goTo('2026-04-01T12:00:00Z')
    const user = await newVerifiedSender()
    for (let day = 1; day <= 7; day++) {
      assert.equal(await outcome(user, 2_000), '201')
      clock.advance(24 * 3_600)
    }
    const { body } = await send(user, 1_000.01)
    assert.equal(body.code, 'month_limit_reached')
    assert.match(body.message, /monthly limit\. .* You can send \$1,000\.00 now\.$/)
    assert.deepEqual([await outcome(user, 1_000), await outcome(user, 0.01)], ['201', 'month_limit_reached'])
    goTo('2026-05-01T06:59:59Z')
    assert.equal(await outcome(user, 0.01), 'month_limit_reached')
    goTo('2026-05-01T07:00:00Z')
    assert.deepEqual([await outcome(user, 2_000), await outcome(user, 0.01)], ['201', 'day_limit_reached'])
    goTo('2027-05-01T00:00:00Z') // the same day of another year
    assert.equal(await outcome(user, 2_000), '201')
  })

  test('of a day is used up exactly by 50 concurrent payments, from banks and wallets', async () => {
    const user = await newVerifiedSender()
    const wallet = await newWallet(user, 5_000)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(user, 100, index % 2 === 0 ? {} : { account: wallet })),
    )
    const counts = Object.groupBy(answers.map(outcomeOf), (code) => code)
    assert.deepEqual([counts['201']?.length, counts.day_limit_reached?.length], [20, 30])
    assert.equal((await user.get('/v3/check')).body.total, 20)
    await assertLedger(service)
  })

  test('applies to each user separately', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, newVerifiedSender))
    const answers = await Promise.all(users.flatMap((user) => Array.from({ length: 12 }, () => outcome(user, 500))))
    assert.equal(answers.filter((code) => code === '201').length, 4 * 4)
  })

  test('is not reduced by a refused payment', async () => {
    const user = await newVerifiedSender()
    const wallet = await newWallet(user, 10)
    const unverifiedBank = await addBank(user)
    const before = await allRows(deps.sql)
    for (const more of [
      { account: wallet },
      { account: unverifiedBank },
      { account: '0'.repeat(32) },
      { recipient: 'nobody' },
      { recipient: user.userId },
      { recipient: { id: 'nobody', account: unverifiedBank } },
      { deposit_options: ['VENMO'] },
    ]) {
      assert.notEqual(await outcome(user, 2_000, more), '201')
    }
    assert.deepEqual(await allRows(deps.sql), before)
    assert.equal(await outcome(user, 2_000), '201')
  })

  test('counts a payment with a repeated Idempotency-Key once', async () => {
    const user = await newVerifiedSender()
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(user, 1_000, {}, 'the-same')))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.deepEqual([await outcome(user, 1_000), await outcome(user, 0.01)], ['201', 'day_limit_reached'])
    assert.equal((await send(user, 1_000, {}, 'the-same')).text, answers[0]?.text)
  })

  test('still counts a voided payment, so that voiding does not refill it', async () => {
    const user = await newVerifiedSender()
    const { body } = await send(user, 2_000)
    assert.equal((await user.del(`/v3/check/${body.id}`)).status, 200)
    assert.equal(await outcome(user, 0.01), 'day_limit_reached')
  })

  test('counts immediate payments into wallets, and payments of applications', async () => {
    const user = await newVerifiedSender()
    const payee = await newPayee(service)
    const [from, to] = [await newWallet(user, 3_000), await newWallet(payee, 0)]
    const order = { account: from, recipient: { id: payee.userId, account: to } }
    assert.deepEqual([await outcome(user, 2_000, order), await outcome(user, 1, order)], ['201', 'day_limit_reached'])

    const holder = await newAccountHolder(service)
    await verified(holder.api)
    const application = await registerApplication(holder.browser)
    const { access_token } = await obtainTokens(service, holder.browser, application)
    const bearer = service.as(`Bearer ${access_token}`)
    assert.equal(await outcome(bearer, 1_500), '201')
    assert.deepEqual(
      [await outcome(bearer, 500.01), await outcome(holder.api, 500.01), await outcome(holder.api, 500)],
      ['day_limit_reached', 'day_limit_reached', '201'],
    )
    await assertLedger(service)
  })

  test('can be set per user, higher or lower, each of the three separately', async () => {
    const user = await newVerifiedSender()
    await setLimits(service, user, { paymentCents: 50_000 })
    assert.deepEqual([await outcome(user, 500.01), await outcome(user, 500)], ['payment_limit_reached', '201'])
    await setLimits(service, user, { dayCents: 60_000 })
    assert.deepEqual([await outcome(user, 100.01), await outcome(user, 100)], ['day_limit_reached', '201'])
    await setLimits(service, user, { dayCents: 300_000, monthCents: 60_001 })
    assert.deepEqual([await outcome(user, 0.02), await outcome(user, 0.01)], ['month_limit_reached', '201'])
    await setLimits(service, user, { dayCents: 1 })
    assert.match((await send(user, 0.01)).body.message, /You can send \$0\.00 now\.$/)
    await setLimits(service, user, { paymentCents: null, dayCents: null, monthCents: null })
    assert.deepEqual([await outcome(user, 1_400), await outcome(user, 0.01)], ['day_limit_reached', '201'])
  })
})

test('a sandbox has no limits except a user’s own, which include earlier payments', async (t) => {
  const sandbox = await startTestService(t)
  const user = await newSender(sandbox)
  assert.equal(await outcome(user, 20_000.01), '201')
  await setLimits(sandbox, user, { monthCents: 2_000_100 }, (await sandbox.owner.get('/v3/user')).body.user.id)
  assert.deepEqual([await outcome(user, 1), await outcome(user, 0.99)], ['month_limit_reached', '201'])
})

test('in production users can send up to $2,000.00 once the operator has verified them', async (t) => {
  const production = await startTestService(t, { environment: 'production' })
  const user = await production.newUser()
  await verifyBankOf(production, user)
  const key = { platformId: (await production.owner.get('/v3/user')).body.user.id, userId: user.id }
  assert.equal(await outcome(user, 1), 'user_not_verified')
  await inTransaction(production.deps, (tx) => decideUser(tx, key, 'verify'))
  assert.equal((await user.get('/v3/user')).body.user.status, 'VERIFIED')
  assert.deepEqual([await outcome(user, 2_000.01), await outcome(user, 2_000)], ['payment_limit_reached', '201'])
  assert.equal(await outcome(user, 0.01), 'day_limit_reached')
  await inTransaction(production.deps, (tx) => decideUser(tx, key, 'suspend'))
  assert.equal(await outcome(user, 0.01), 'user_not_active')
})

/** The micro-deposits are random there, but a process with the keys of the database can read them. */
async function verifyBankOf({ deps }: TestService, user: TestUser): Promise<void> {
  const account = await addBank(user)
  await user.post('/v3/bank/release', { account })
  const [row] = await deps.sql<{ sealed: Buffer }[]>`
    select micro_deposits_sealed as sealed
    from banks
    where id = ${account}
  `
  const amounts = JSON.parse(deps.keyRing.openText(row?.sealed as Buffer, 'micro-deposits')) as [number, number]
  const [amount_1, amount_2] = amounts.map((cents) => cents / 100)
  assert.equal((await user.post('/v3/bank/verify', { account, amount_1, amount_2 })).status, 200)
}
