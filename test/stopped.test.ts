import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { clockOf } from '../src/foundation/db/platform-clock.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import type { Route } from '../src/foundation/http/route.ts'
import { allRoutes } from '../src/operation/app/all-routes.ts'
import { followUserStatus } from '../src/operation/scheduler/user-status-work.ts'
import type { AcceptDeps } from '../src/payments/payment/accept/accept-actions.ts'
import { refundFailedPayment } from '../src/payments/payment/payment-worker.ts'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import type { OperatorEvent } from '../src/people/user/operator-rules.ts'
import type { Answer, Api } from './support/api.ts'
import { changingRoutes, type Row } from './support/changing-routes.ts'
import { startFileService } from './support/file-service.ts'
import { waitUntilWaiting } from './support/locks.ts'
import { newEmail } from './support/login.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { newAccountHolder } from './support/oauth.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { mailsTo } from './support/recipients.ts'
import { webhookBodies } from './support/rows.ts'
import { startTestService, type TestService } from './support/service.ts'
import { newPayee, newSender } from './support/webhooks.ts'

// A user that is SUSPENDED or CLOSED is stopped. A stopped owner stops its whole platform.

const service = await startTestService({ after })
const { deps } = service

const decide = (platformId: string, userId: string, event: OperatorEvent, { deps: given } = service) =>
  inTransaction(given, (tx) => decideUser(tx, { platformId, userId }, event))

/** Runs the step that applies the status of users to their payments and legs. */
async function follow({ deps: given }: Pick<TestService, 'deps'> = service): Promise<void> {
  while ((await followUserStatus(given)) > 0);
}

const DAY = 24 * 3_600

async function passDays(days: number, from: Pick<TestService, 'clock' | 'doDueWork'> = service): Promise<void> {
  for (let day = 0; day < days; day++) {
    from.clock.advance(DAY)
    await from.doDueWork()
  }
}

const statusOf = async (api: Api, id: string): Promise<string> => (await api.get(`/v3/check/${id}`)).body.status

const statusesOf = async (id: string): Promise<string[]> =>
  (await webhookBodies(deps.sql, id)).map((body) => (body as { status: string }).status)

async function legsOf(paymentId: string, { deps: given }: Pick<TestService, 'deps'> = service): Promise<string[]> {
  const legs = await given.sql<{ purpose: string; status: string; isStopped: boolean }[]>`
    select purpose, status, stopped_by is not null as is_stopped
    from legs
    where subject_id = ${paymentId}
    order by created_at, id
  `
  return legs.map(({ purpose, status, isStopped }) => `${purpose} ${status}${isStopped ? ' stopped' : ''}`)
}

/** A platform with an owner who can sign in, a user that sends and a user that is paid. */
async function newPlatform() {
  const owner = await newAccountHolder(service)
  const [sender, payee] = [await newSender(service, owner.api), await newPayee(service, owner.api)]
  return { owner, sender, payee }
}

const X = '0'.repeat(32)
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
const nameOf = ({ method, url }: Route) => `${method} ${url}`
const changing = routes.filter(({ method, spec }) => method !== 'GET' && spec.access !== 'anyone')

test('every changing route is in the table of the routes that a stopped user may call', () => {
  assert.deepEqual(
    changing.map(nameOf).filter((name) => !(name in changingRoutes)),
    [],
  )
  const known = new Set(changing.map(nameOf))
  assert.deepEqual(
    Object.keys(changingRoutes).filter((name) => !known.has(name)),
    [],
  )
})

type Caller = Pick<Api, 'post' | 'put' | 'del'>

/** Calls a route with nonexistent ids. */
function call(api: Caller, { method, url }: Route, body: object | undefined): Promise<Answer> {
  const path = url.replace(/:\w+/g, (name) => (name === ':uid' ? 'unknown-request' : X))
  if (method === 'DELETE') return api.del(path)
  return method === 'PUT' ? api.put(path, body ?? {}) : api.post(path, body ?? {})
}

async function assertTable(callerOf: (route: Route) => Caller | null): Promise<void> {
  const inOrder = Object.keys(changingRoutes).map((name) => changing.find((route) => nameOf(route) === name) as Route)
  for (const route of inOrder) {
    const api = callerOf(route)
    if (!api) continue
    const row = changingRoutes[nameOf(route)] as Row | [Row, object]
    const [expected, body] = typeof row === 'string' ? [row, undefined] : row
    const { body: answer, text } = await call(api, route, body)
    if (expected === 'refused') assert.equal(answer.code, 'user_not_active', `${nameOf(route)}: ${text}`)
    else assert.ok(!['user_not_active', 'invalid_request'].includes(answer?.code), `${nameOf(route)}: ${text}`)
  }
}

test('a suspended owner stops itself and its users: each route answers as in the table', async () => {
  const { owner, sender } = await newPlatform()
  await decide(owner.id, owner.id, 'suspend')
  const callers = { user: sender, owner: owner.api, session: owner.browser }
  await assertTable(({ spec }) => callers[spec.access as keyof typeof callers])
  assert.equal((await sender.get('/v3/bank')).status, 200)
})

test('a closed user affects only itself: each route answers as in the table', async () => {
  const { owner, sender, payee } = await newPlatform()
  await decide(owner.id, sender.id, 'close')
  await assertTable(({ spec }) => (spec.access === 'user' ? sender : null))
  assert.equal((await payee.post('/v3/account/wallet', { name: 'Cash' })).status, 201)
})

test('a POST answered before the suspension gets the same answer after it, and another key is refused', async () => {
  const { owner, sender } = await newPlatform()
  const add = (idempotencyKey: string) =>
    sender.post('/v3/account/paypal', { username: 'ann@example.com' }, { idempotencyKey })
  const first = await add('before')
  await decide(owner.id, owner.id, 'suspend')
  const again = await add('before')
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal((await add('after')).body.code, 'user_not_active')
})

test('the trigger does not pay, deposit or mail for a stopped sender, but can return sent payments', async () => {
  const { owner, sender, payee } = await newPlatform()
  const toAccount = { recipient: { id: payee.userId, account: payee.bankId } }
  const [unpaid, waiting, paid] = [
    await sendPayment(sender),
    await sendPayment(sender, toAccount),
    await sendPayment(sender, toAccount),
  ]
  await triggerStatus(sender, paid.id, 'PAID')
  await decide(owner.id, sender.id, 'suspend')
  for (const [id, status] of [
    [unpaid.id, 'IN_PROCESS'],
    [unpaid.id, 'PRINTED'],
    [waiting.id, 'PAID'],
    [waiting.id, 'REFUNDED'],
  ]) {
    const { body } = await sender.put(`/v3/check/webhook/${id}`, { status })
    assert.equal(body?.code, 'status_not_reachable', status)
  }
  await triggerStatus(sender, paid.id, 'FAILED', { return_code: 'R03' })
  await triggerStatus(sender, unpaid.id, 'VOID')
  assert.deepEqual(await legsOf(waiting.id), ['payment_pull WAITING'])
})

test('on a suspended platform waiting legs are held, sent legs settle, refunds and expiry continue; later everything continues', async () => {
  const { owner, sender, payee } = await newPlatform()
  const toAccount = { recipient: { id: payee.userId, account: payee.bankId } }
  const left = await sendPayment(sender, { ...toAccount, amount: 11 })
  const returning = await sendPayment(sender, { ...toAccount, amount: 12.62 }) // its push is returned
  await passDays(2)
  for (let day = 0; day < 10 && (await statusOf(sender, returning.id)) !== 'FAILED'; day++) await passDays(1)
  assert.deepEqual([await statusOf(sender, left.id), await statusOf(sender, returning.id)], ['PAID', 'FAILED'])
  const trusted = await sendPayment(sender, toAccount)
  await passDays(2)
  const waiting = await sendPayment(sender, toAccount)
  const unpaid = await sendPayment(sender)
  assert.deepEqual(await legsOf(trusted.id), ['payment_pull SETTLED'])
  await decide(owner.id, owner.id, 'suspend')
  await follow()

  await passDays(12)
  assert.deepEqual(await legsOf(waiting.id), ['payment_pull WAITING stopped'])
  assert.deepEqual(await legsOf(trusted.id), ['payment_pull TRUSTED', 'payment_push WAITING stopped'])
  assert.deepEqual((await legsOf(returning.id)).at(-1), 'payment_refund SETTLED')
  assert.deepEqual(
    [await statusOf(sender, waiting.id), await statusOf(sender, returning.id)],
    ['IN_PROCESS', 'REFUNDED'],
  )
  service.clock.advance(90 * DAY)
  await service.doDueWork()
  assert.equal(await statusOf(sender, unpaid.id), 'EXPIRED')
  await assertLedger(service)

  await decide(owner.id, owner.id, 'verify')
  await follow()
  await passDays(10)
  for (const { id } of [waiting, trusted]) assert.equal(await statusOf(sender, id), 'PAID')
  await assertLedger(service)
})

test('a payment to a suspended user waits until none of its users is stopped', async () => {
  const { owner, sender, payee } = await newPlatform()
  const { id } = await sendPayment(sender, { recipient: { id: payee.userId, account: payee.bankId } })
  await decide(owner.id, payee.id, 'suspend')
  await decide(owner.id, sender.id, 'suspend')
  await passDays(3)
  await decide(owner.id, sender.id, 'verify')
  await follow()
  await passDays(3)
  assert.deepEqual(await legsOf(id), ['payment_pull WAITING stopped'])
  assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
  assert.deepEqual(await legsOf(id), ['payment_pull CANCELLED'])
  await decide(owner.id, payee.id, 'verify')
  await follow()
  assert.equal(await statusOf(sender, id), 'VOID')
})

for (const [event, outcome] of [
  ['verify', 'PAID'],
  ['close', 'VOID'],
] as const) {
  test(`a leg that is stopped at the moment of ${event} applies it within a day`, async () => {
    const platformId: string = (await service.owner.get('/v3/user')).body.user.id
    const [payee, payee2] = [await newPayee(service), await newPayee(service)]
    const send = async (amount: number, { userId, bankId }: Awaited<ReturnType<typeof newPayee>>) => {
      const user = await service.newUser()
      const account = await newWallet(user, 10)
      return { user, id: (await sendPayment(user, { amount, account, recipient: { id: userId, account: bankId } })).id }
    }
    const stopped = await send(10, payee)
    const other = await send(9, payee2)
    await decide(platformId, payee.id, 'suspend')
    await follow()
    service.clock.advance(5 * DAY)
    let pass: Promise<unknown> | undefined
    await service.ownerSql.begin(async (tx) => {
      await tx`select from legs where platform_id = ${platformId} and subject_id = ${other.id} for update`
      pass = service.doDueWork()
      await waitUntilWaiting(service.ownerSql, 1)
      await decide(platformId, payee.id, event)
      await follow()
    })
    await pass
    await passDays(10)
    await follow()
    assert.equal(await statusOf(stopped.user, stopped.id), outcome)
    await assertLedger(service)
  })
}

test('UNPAID payments of a closed platform are voided, and collected money is refunded when it arrives', async () => {
  const { owner, sender, payee } = await newPlatform()
  const wallet = await newWallet(sender)
  const toAccount = { recipient: { id: payee.userId, account: payee.bankId } }
  const [inFlight, held] = [await sendPayment(sender, toAccount), await sendPayment(sender, toAccount)]
  await passDays(2)
  await decide(owner.id, owner.id, 'suspend')
  await passDays(9)
  assert.deepEqual((await legsOf(held.id)).at(-1), 'payment_push WAITING stopped')
  await decide(owner.id, owner.id, 'verify')
  await follow()
  const waiting = await sendPayment(sender, toAccount)
  const unpaid = [
    await sendPayment(sender),
    await sendPayment(sender, { account: wallet, amount: 40 }),
    await sendPayment(payee, { account: await newWallet(payee, 10) }),
  ]
  assert.equal(await balanceOf(sender, wallet), 60)
  await decide(owner.id, owner.id, 'close')
  await follow()
  for (const { id } of unpaid) {
    assert.equal(await statusOf(owner.api, id), 'VOID')
    assert.deepEqual(await statusesOf(id), ['VOID'])
  }
  assert.equal(await balanceOf(sender, wallet), 100)
  await passDays(15)
  assert.equal(await statusOf(sender, waiting.id), 'VOID')
  assert.deepEqual(await legsOf(waiting.id), ['payment_pull CANCELLED'])
  for (const { id } of [inFlight, held]) {
    assert.equal(await statusOf(sender, id), 'REFUNDED')
    assert.deepEqual((await legsOf(id)).at(-1), 'payment_refund SETTLED')
  }
  assert.equal(await followUserStatus(deps), 0, 'no status change is left to apply')
  await assertLedger(service)
})

test('a refund into the wallet of a sender who is closed at the same moment has a case', async () => {
  const { owner, sender, payee } = await newPlatform()
  const platformId = owner.id
  const account = await newWallet(sender, 20)
  const { id } = await sendPayment(sender, {
    account,
    amount: 20,
    recipient: { id: payee.userId, account: payee.bankId },
  })
  await triggerStatus(sender, id, 'FAILED', { return_code: 'R03' })
  const closing = await inTransaction(deps, async (tx) => {
    const clock = await clockOf(tx, platformId)
    await refundFailedPayment({ ...tx, clock }, { platformId, id, dueAt: clock.now() })
    const done = decide(platformId, sender.id, 'close').then(() => follow())
    await Promise.race([done, waitUntilWaiting(service.ownerSql, 1)])
    return { done }
  })
  await closing.done
  assert.equal(await balanceOf(sender, account), 20)
  const cases = await getExceptions(deps, { platformId })
  assert.deepEqual(
    cases.map(({ kind }) => kind),
    ['user_closed'],
  )
})

test('a debit in transit when its sender is closed is refunded once it is trusted, and no other user is', async () => {
  const { owner, sender, payee } = await newPlatform()
  const other = await newSender(service, owner.api)
  const toAccount = { recipient: { id: payee.userId, account: payee.bankId } }
  const [ours, theirs] = [await sendPayment(sender, toAccount), await sendPayment(other, toAccount)]
  const [unpaid, untouched] = [await sendPayment(sender), await sendPayment(other)]
  for (let day = 0; day < 5 && (await legsOf(ours.id))[0] === 'payment_pull WAITING'; day++) await passDays(1)
  await decide(owner.id, sender.id, 'close')
  await follow()
  await passDays(15)
  assert.deepEqual(
    [await statusOf(sender, ours.id), await statusOf(other, theirs.id), await statusOf(sender, unpaid.id)],
    ['REFUNDED', 'PAID', 'VOID'],
  )
  assert.equal(await statusOf(other, untouched.id), 'UNPAID')
  assert.deepEqual(await statusesOf(ours.id), ['IN_PROCESS', 'REFUNDED'])
  await assertLedger(service)
})

test('micro-deposits of a suspended user wait, and those of a closed one are never sent', async () => {
  for (const [event, expected] of [
    ['suspend', 'micro_deposit WAITING stopped'],
    ['close', 'micro_deposit CANCELLED'],
  ] as const) {
    const { owner, payee } = await newPlatform()
    assert.equal((await payee.post('/v3/bank/release', { account: payee.bankId })).status, 201)
    await decide(owner.id, payee.id, event)
    await passDays(4)
    assert.deepEqual(await legsOf(payee.bankId), [expected, expected])
  }
  await assertLedger(service)
})

test('in production, no entry of a suspended platform is in a file, and each is sent once after the suspension', async (t) => {
  const production = await startFileService(t)
  const { api, id } = await production.newOwner()
  const [sender, payee] = [await newSender(production, api), await newPayee(production, api)]
  await production.openWindow()
  const others = { sender: await newSender(production), payee: await newPayee(production) }
  const toAccount = ({ userId, bankId }: typeof payee) => ({ recipient: { id: userId, account: bankId } })
  const stopped = await sendPayment(sender, { amount: 31.11, ...toAccount(payee) })
  const going = await sendPayment(others.sender, { amount: 32.22, ...toAccount(others.payee) })
  await decide(id, id, 'suspend', production)
  await production.openWindow()
  const amounts = async () => (await production.sent()).map(({ cents }) => cents)
  assert.deepEqual([(await amounts()).includes(3111), (await amounts()).includes(3222)], [false, true])
  assert.deepEqual(await legsOf(stopped.id, production), ['payment_pull WAITING stopped'])
  await decide(id, id, 'verify', production)
  await follow(production)
  await production.openWindow()
  assert.ok((await amounts()).includes(3111))
  await production.passDays(1)
  assert.equal(await statusOf(others.sender, going.id), 'IN_PROCESS')

  const unsent = await sendPayment(sender, { amount: 33.33, ...toAccount(payee) })
  await decide(id, id, 'close', production)
  await follow(production)
  for (let window = 0; window < 16; window++) await production.openWindow()
  assert.deepEqual(
    [await statusOf(sender, unsent.id), await statusOf(sender, stopped.id), await statusOf(others.sender, going.id)],
    ['VOID', 'REFUNDED', 'PAID'],
  )
  assert.ok(!(await amounts()).includes(3333))
  await production.assertLedger()
})

test('a payee without an account gets the mail about a payment after its sender may send again', async () => {
  const { owner, sender } = await newPlatform()
  const to = newEmail()
  await sendPayment(sender, { recipient: to })
  await decide(owner.id, owner.id, 'suspend')
  const invite = async () => {
    await deps.sql`update waiting_invitations set due_at = now() - interval '1 minute'`
    while ((await inviteRecipients(deps, service.baseUrl)) > 0);
  }
  await invite()
  assert.deepEqual(await mailsTo(service, to), [])
  await decide(owner.id, owner.id, 'verify')
  await invite()
  assert.equal((await mailsTo(service, to)).length, 1)
})
