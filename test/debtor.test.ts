import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { newMasterKey, parseMasterKeys } from '../src/foundation/core/seal.ts'
import type { Sql } from '../src/foundation/db/connect.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { settleDebt } from '../src/money/debt/debt-actions.ts'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import { runCheck, wrongPayments } from '../src/money/ledger/verify-store.ts'
import { applyLegEvent, lockLeg } from '../src/money/rail/leg-actions.ts'
import type { LegRow } from '../src/money/rail/leg-store.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { lockUser } from '../src/people/user/user-lock-actions.ts'
import type { Answer, Api } from './support/api.ts'
import { waitUntilWaiting } from './support/locks.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { newBank, payNewRecipient, type RecipientPage } from './support/recipients.ts'
import { allRows } from './support/rows.ts'
import { runCommand } from './support/run-command.ts'
import { addBank, addVerifiedBank, startTestService, type TestUser } from './support/service.ts'

// A user whose debit was returned after the payout owes the money. Until the debt is paid, the user cannot send or be
// deleted.

const masterKey = newMasterKey()
const service = await startTestService({ after }, { keyRing: parseMasterKeys(masterKey) })
const { clock, deps, doDueWork, newUser, owner, ownerSql } = service

const DAY = 24 * 3_600

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.advance(DAY)
    await doDueWork()
  }
}

const statusOf = async (user: Api, id: string): Promise<string> => (await user.get(`/v3/check/${id}`)).body.status
const refusalOf = ({ status, body }: Answer) => [status, body?.code]
const settle = (user: Api, body: object = {}) => user.post('/v3/sandbox/receivable/settle', body)
const order = { amount: 1, name: 'Payee', recipient: 'payee@example.com' }
const send = (user: Api, more: object = {}) => user.post('/v3/check/digital', { ...order, ...more })

const payee = await newUser()
const payeeBank = await addBank(payee)
const intoPayee = { recipient: { id: payee.userId, account: payeeBank } }

type Debtor = TestUser & { bankId: string; wallet: string; owedFor: string[] }

/** A user that owes 40.64 for each of `count` payments. `prepare` runs first. */
async function newDebtor(count = 1, prepare: (user: Debtor) => Promise<unknown> = async () => {}): Promise<Debtor> {
  const user = await newUser()
  const debtor = {
    ...user,
    bankId: await addVerifiedBank(user),
    wallet: await newWallet(user),
    owedFor: [] as string[],
  }
  for (let index = 0; index < count; index++) {
    debtor.owedFor.push((await sendPayment(user, { amount: 40.64, ...intoPayee })).id)
    clock.advance(1)
  }
  await passDays(20)
  await prepare(debtor)
  await passDays(20)
  for (const id of debtor.owedFor) assert.equal(await statusOf(user, id), 'FAILED')
  return debtor
}

suite('a debtor', async () => {
  const attempts: Record<string, [code: string, ask: () => Promise<Answer>]> = {}
  const address = { line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701' }
  const debtor = await newDebtor(1, async (user) => {
    const ofPayee = async (more: object = {}) => (await sendPayment(user, { recipient: payee.userId, ...more })).id
    const deposit = (id: string, account: string) => payee.post(`/v3/check/deposit/${id}`, { account })
    const payeeWallet = await newWallet(payee, 0)
    const [deposited, fromWallet, printed, triggered] = [
      await ofPayee(),
      await ofPayee({ account: user.wallet }),
      await ofPayee(),
      await ofPayee(),
    ]
    const pageOf = async (ask: (page: RecipientPage) => Promise<Answer>) => {
      const { page } = await payNewRecipient(service, user)
      return () => ask(page)
    }
    Object.assign(attempts, {
      'sending from a bank': ['debt_open', () => send(user)],
      'sending from a wallet': ['debt_open', () => send(user, { account: user.wallet, ...intoPayee })],
      'sending to an account': ['debt_open', () => send(user, intoPayee)],
      'sending by mail': [
        'debt_open',
        () => user.post('/v3/check/physical', { amount: 1, name: 'Payee', recipient: address }),
      ],
      'a preview': ['debt_open', () => user.post('/v3/check/preview', order)],
      'a deposit into a bank': ['not_depositable', () => deposit(deposited, payeeBank)],
      'a deposit from a wallet into a wallet': ['not_depositable', () => deposit(fromWallet, payeeWallet)],
      'a printable check': ['not_printable', () => payee.post(`/v3/check/print/${printed}`, {})],
      'a deposit on the recipient’s page': ['not_depositable', await pageOf((page) => page.deposit('bank', newBank()))],
      'a mailed check from the recipient’s page': [
        'not_depositable',
        await pageOf((page) => page.deposit('mail', address)),
      ],
      'the sandbox’s IN_PROCESS': [
        'status_not_reachable',
        () => user.put(`/v3/check/webhook/${triggered}`, { status: 'IN_PROCESS' }),
      ],
    })
  })

  test('owes the amount that was paid out for its late returned debit, and the ledger agrees', async () => {
    assert.equal(
      (await send(debtor)).body.message,
      'You owe $40.64 because a debit or a credit was returned after its money was used. Settle the debt before you send another payment.',
    )
    await assertLedger(service)
  })

  for (const what of [
    'sending from a bank',
    'sending from a wallet',
    'sending to an account',
    'sending by mail',
    'a preview',
    'a deposit into a bank',
    'a deposit from a wallet into a wallet',
    'a printable check',
    'a deposit on the recipient’s page',
    'a mailed check from the recipient’s page',
    'the sandbox’s IN_PROCESS',
  ]) {
    test(`${what} is refused and changes nothing`, async () => {
      const [code, ask] = attempts[what] as [string, () => Promise<Answer>]
      const rows = await allRows(deps.sql)
      assert.deepEqual(refusalOf(await ask()), [400, code])
      const changed = [...(await allRows(deps.sql)).symmetricDifference(rows)].map((row) => row.split(' ', 1)[0])
      assert.deepEqual(
        changed.filter((table) => table !== 'tries'),
        [],
      )
    })
  }

  test('can still receive, void and read', async () => {
    const { id } = await sendPayment(await withBank(), { recipient: debtor.userId })
    assert.equal((await debtor.post(`/v3/check/deposit/${id}`, { account: debtor.bankId })).status, 201)
    const { checks } = (await debtor.get('/v3/check?status=UNPAID&direction=OUTGOING')).body
    assert.equal((await debtor.del(`/v3/check/${checks[0].id}`)).status, 200)
  })

  test('can send again after settling the debt, but the payment stays FAILED', async () => {
    const { status, body } = await settle(debtor)
    assert.deepEqual([status, body], [200, { settled: 40.64, debt: 0 }])
    await assertLedger(service)
    assert.equal((await send(debtor)).status, 201)
    const [id] = debtor.owedFor
    const again = await payee.post(`/v3/check/deposit/${id}`, { account: payeeBank })
    assert.deepEqual(refusalOf(again), [400, 'not_depositable'])
    assert.equal(refusalOf(await settle(debtor))[1], 'no_debt')
  })
})

async function withBank(): Promise<TestUser> {
  const user = await newUser()
  await addVerifiedBank(user)
  return user
}

const platformId: string = (await owner.get('/v3/user')).body.user.id

/** The payee's bank returns the credit of a payment. */
const returnCredit = (paymentId: string | undefined) =>
  inTransaction(deps, async (tx) => {
    const [leg] = await tx.sql<{ id: string }[]>`
      select id from legs where subject_id = ${paymentId as string} and purpose = 'payment_push'
    `
    const locked = await lockLeg(tx, legHandlers, { platformId, id: leg?.id as string })
    await applyLegEvent(tx, legHandlers.payment_push, locked as LegRow, 'return', { returnCode: 'R02' })
  })

/** Returns the debt for a payment, in cents. */
const owedOf = async (id: string | undefined) => {
  const [row] = await deps.sql<{ cents: number }[]>`
    select sum(case when debit like 'receivable:%' then cents else -cents end)::bigint as cents
    from transfers
    where payment_id = ${id as string} and (debit like 'receivable:%' or credit like 'receivable:%')
  `
  return row?.cents
}

suite('settling a debt', () => {
  test('pays the oldest payments first, in parts', async () => {
    const debtor = await newDebtor(2)
    assert.deepEqual((await settle(debtor, { amount: 10 })).body, { settled: 10, debt: 71.28 })
    assert.deepEqual([await owedOf(debtor.owedFor[0]), await owedOf(debtor.owedFor[1])], [3_064, 4_064])
    assert.deepEqual((await settle(debtor, { amount: 31 })).body, { settled: 31, debt: 40.28 })
    assert.deepEqual([await owedOf(debtor.owedFor[0]), await owedOf(debtor.owedFor[1])], [0, 4_028])
    assert.equal((await send(debtor)).body.code, 'debt_open')
    await assertLedger(service)
    const tooMuch = await settle(debtor, { amount: 40.29 })
    assert.deepEqual(
      [tooMuch.status, tooMuch.body.code, tooMuch.body.errors],
      [400, 'invalid_request', { amount: ['exceeds the debt of $40.28'] }],
    )
    assert.deepEqual((await settle(debtor, { amount: 40.28 })).body, { settled: 40.28, debt: 0 })
    assert.equal((await send(debtor)).status, 201)
    await assertLedger(service)
  })

  test('leaves a credit that is returned at the same time to the debtor, and the other debt open', async () => {
    const debtor = await newDebtor(2)
    const user = { platformId, userId: debtor.id }
    const actor = { userId: null, credential: { kind: 'operator' }, origin: null } as const
    let back: Promise<unknown> | undefined
    await inTransaction(deps, async (tx) => {
      await lockUser(tx, user)
      back = returnCredit(debtor.owedFor[0])
      await waitUntilWaiting(ownerSql, 1)
      await settleDebt(tx, user, { cents: 4_064, payment: null, actor })
    })
    await back
    assert.deepEqual([await owedOf(debtor.owedFor[0]), await owedOf(debtor.owedFor[1])], [0, 4_064])
    assert.equal((await send(debtor)).body.code, 'debt_open')
    await assertLedger(service)
  })

  test('is recorded once: for one Idempotency-Key, and for ten concurrent requests', async () => {
    const debtor = await newDebtor()
    const once = () => debtor.post('/v3/sandbox/receivable/settle', { amount: 0.64 }, { idempotencyKey: 'once' })
    assert.equal((await once()).text, (await once()).text)
    const answers = await Promise.all(Array.from({ length: 10 }, () => settle(debtor)))
    assert.deepEqual(answers.map(refusalOf).sort(), [[200, undefined], ...Array(9).fill([400, 'no_debt'])])
    await assertLedger(service)
  })

  test('is only for the debtor, and leaves an audit entry', async () => {
    const debtor = await newDebtor()
    assert.deepEqual(refusalOf(await settle(await newUser())), [400, 'no_debt'])
    assert.deepEqual(refusalOf(await settle(owner)), [400, 'no_debt'])
    assert.deepEqual(refusalOf(await settle(service.as(''))), [401, 'unauthorized'])
    assert.equal((await send(debtor)).body.code, 'debt_open')
    assert.equal((await settle(debtor)).status, 200)
    const { audit } = (await owner.get(`/v3/audit?q=${debtor.id}`)).body
    assert.deepEqual([audit[0].action, audit[0].subject], ['debt_settled', `${debtor.id} $40.64`])
  })
})

suite('remit debt', { concurrency: 2 }, () => {
  const remit = (...args: string[]) =>
    runCommand(args, { DATABASE_URL: service.databaseUrl, REMIT_MASTER_KEYS: masterKey })

  test('lists debtors and records their payments', async () => {
    const { api, email } = await service.newOwner()
    const user = await newUser('debtor', api)
    await addVerifiedBank(user)
    const other = await newUser(undefined, api)
    const into = { recipient: { id: other.userId, account: await addBank(other) } }
    await sendPayment(user, { amount: 40.64, ...into })
    await passDays(40)
    const list = async () => (await remit('debt', 'list', '--owner', email)).stdout.trim()
    assert.match((await remit('debt', 'list')).stdout, new RegExp(`^${email} +debtor `, 'm'))
    assert.match(await list(), new RegExp(`^OWNER .*\n${email} +debtor +${user.id} +\\$40\\.64$`))
    const show = await remit('user', 'show', '--owner', email, '--user', 'debtor')
    assert.equal(JSON.parse(show.stdout).debt, 40.64)
    const at = ['debt', 'settle', '--owner', email, '--user', 'debtor', '--note', 'of May 3']
    const first = [...at, '--amount', '0.64', '--reference', 'Wire 4711']
    const part = await remit(...first)
    assert.deepEqual([part.code, part.stdout.trim()], [0, 'Recorded $0.64. The user still owes $40.00.'])
    // A repeated payment is recorded once, even in another form.
    for (const reference of ['Wire 4711', ' wire  4711 ']) {
      const again = await remit(...at, '--amount', '0.64', '--reference', reference)
      assert.match(again.stderr, /is recorded already, so nothing was changed\.$/m)
      assert.equal(again.code, 1)
    }
    const rest = [...at, '--reference', 'check 17']
    const tooMuch = await remit(...rest, '--amount', '40.01')
    assert.deepEqual([tooMuch.code, tooMuch.stderr.trim()], [1, 'amount exceeds the debt of $40.00.'])
    assert.equal((await remit(...rest, '--amount', '40')).code, 0)
    assert.equal(await list(), 'No user owes anything.')
    assert.equal((await send(user)).status, 201)
    const { audit } = (await api.get('/v3/audit?q=debt_settled')).body
    assert.deepEqual(
      audit.map(({ actor, subject }: { actor: string; subject: string }) => [actor, subject]),
      [
        ['operator', `${user.id} $40.00: check 17, of May 3`],
        ['operator', `${user.id} $0.64: Wire 4711, of May 3`],
      ],
    )
    await assertLedger(service)
  })

  test('reports missing or wrong arguments', async () => {
    const { email } = await service.newOwner()
    const at = ['debt', 'settle', '--owner', email]
    for (const [args, problem] of [
      [['debt', 'forgive'], "error: unknown command 'forgive'\nRun remit debt --help for a list of commands."],
      [['debt', 'settle'], 'remit debt settle needs --owner EMAIL, and --user USER_ID for a user of that owner.'],
      [at, 'remit debt settle needs --amount DOLLARS: the amount that the user paid.'],
      [
        [...at, '--amount', '1'],
        'remit debt settle needs --reference TEXT: the number of the wire or check that the user paid with.',
      ],
      [[...at, '--amount', '1.005', '--reference', 'x'], '--amount must be an amount in dollars such as 40 or 40.64.'],
      [[...at, '--amount', '0', '--reference', 'x'], '--amount must be an amount in dollars such as 40 or 40.64.'],
      [[...at, '--amount', '1', '--reference', 'x'], 'The user owes nothing, so there is no debt to settle.'],
      [
        [...at, '--amount', '1', '--reference', 'x', '--user', 'nobody'],
        `The platform of ${email} has no user nobody. Check --user.`,
      ],
    ] as const) {
      const { code, stderr } = await remit(...args)
      assert.deepEqual([code, stderr.trim()], [1, problem])
    }
  })
})

test('when a returned debit races with twenty payments, the accepted ones preceded the debt', async () => {
  const debtor = await newDebtor(0)
  const { id } = await sendPayment(debtor, { amount: 40.64, ...intoPayee })
  const due = async () => {
    const [leg] = await deps.sql<{ nextAt: Date }[]>`
      select next_at from legs where subject_id = ${id} and next_event = 'return'
    `
    return leg?.nextAt
  }
  while (!(await due())) await passDays(1)
  const returnsAt = (await due()) as Date
  clock.advance((returnsAt.getTime() - clock.now().getTime()) / 1000)
  const [, ...answers] = await Promise.all([doDueWork(), ...Array.from({ length: 20 }, () => send(debtor))])
  for (const answer of answers) {
    if (answer.status !== 201) assert.deepEqual(refusalOf(answer), [400, 'debt_open'])
  }
  assert.equal(await statusOf(debtor, id), 'FAILED')
  assert.equal((await send(debtor)).body.code, 'debt_open')
  await assertLedger(service)
})

suite('a user cannot be deleted', () => {
  const deletion = async (user: TestUser) => {
    const { status, body } = await owner.del(`/v3/user/${user.id}`)
    return status === 200 ? 'deleted' : `${body.code}: ${body.message}`
  }

  test('with a debt', async () => {
    const debtor = await newDebtor()
    await passDays(60)
    assert.match(await deletion(debtor), /^user_busy: The user cannot be deleted\. The user owes \$40\.64/)
    await settle(debtor)
    assert.match(await deletion(debtor), /The user’s wallets hold \$100\.00/)
    assert.equal((await send(debtor, { amount: 100, account: debtor.wallet, recipient: payee.userId })).status, 201)
  })

  test('while its last debit can be returned: 60 days after settlement', async () => {
    const user = await withBank()
    const { id } = await sendPayment(user, intoPayee)
    while ((await statusOf(user, id)) !== 'PAID') await passDays(1)
    await passDays(4)
    const [leg] = await deps.sql<{ settledAt: Date }[]>`
      select settled_at from legs where subject_id = ${id} and direction = 'debit'
    `
    const end = new Date((leg?.settledAt.getTime() ?? 0) + 60 * DAY * 1000)
    const day = end.toISOString().slice(0, 10)
    assert.equal(
      await deletion(user),
      `user_busy: The user cannot be deleted. Earlier payments can still be returned until ${day}. Try again after that date.`,
    )
    clock.advance((end.getTime() - clock.now().getTime()) / 1000 - 1)
    assert.match(await deletion(user), /^user_busy/)
    clock.advance(1)
    assert.equal(await deletion(user), 'deleted')
  })

  test('while its credit is in transit or can be returned', async () => {
    const user = await newUser()
    const account = await newWallet(user, 10)
    const { id } = await sendPayment(user, { account, amount: 10, ...intoPayee })
    while ((await statusOf(user, id)) !== 'PAID') {
      clock.advance(3_600)
      await doDueWork()
    }
    assert.match(await deletion(user), /Money of earlier payments is in transit/)
    await passDays(3)
    assert.match(await deletion(user), /Earlier payments can still be returned until/)
    await passDays(5)
    assert.equal(await deletion(user), 'deleted')
  })

  test('while a refund is due, or in transit to its bank', async () => {
    const user = await withBank()
    const { id } = await sendPayment(user, { amount: 40.62, ...intoPayee })
    while ((await statusOf(user, id)) !== 'FAILED') await passDays(1)
    assert.match(await deletion(user), /The user has open payments/)
    while ((await statusOf(user, id)) !== 'REFUNDED') {
      clock.advance(3_600)
      await doDueWork()
    }
    assert.match(await deletion(user), /Money of earlier payments is in transit/)
    await passDays(4)
    assert.match(await deletion(user), /Earlier payments can still be returned until/)
    await passDays(60)
    assert.equal(await deletion(user), 'deleted')
    await assertLedger(service)
  })

  test('while a refund to its wallet is due', async () => {
    const user = await newUser()
    const account = await newWallet(user, 10)
    const { id } = await sendPayment(user, { account, amount: 9.62, ...intoPayee })
    while ((await statusOf(user, id)) !== 'FAILED') await passDays(1)
    assert.match(await deletion(user), /^user_busy/)
    while ((await statusOf(user, id)) !== 'REFUNDED') await passDays(1)
    assert.match(await deletion(user), /The user’s wallets hold \$10\.00/)
    assert.equal(await balanceOf(user, account), 10)
  })

  test('unless its payments were never sent', async () => {
    const user = await withBank()
    for (const status of ['VOID', 'EXPIRED']) {
      const { id } = await sendPayment(user, { recipient: payee.userId })
      await triggerStatus(user, id, status)
    }
    const early = await sendPayment(user, { amount: 40.61, ...intoPayee })
    while ((await statusOf(user, early.id)) !== 'FAILED') await passDays(1)
    assert.equal(await deletion(user), 'deleted')
  })

  test('in twenty races with a returned credit: either the user remains, or the money is on the operator’s list', async () => {
    for (let round = 0; round < 20; round++) {
      const user = await newUser()
      const account = await newWallet(user, 9.65)
      const { id } = await sendPayment(user, { account, amount: 9.65, ...intoPayee })
      const returnsAt = async () => {
        const [leg] = await deps.sql<{ nextAt: Date }[]>`
          select next_at from legs where subject_id = ${id} and next_event = 'return'
        `
        return leg?.nextAt
      }
      while (!(await returnsAt())) await passDays(1)
      clock.advance((((await returnsAt()) as Date).getTime() - clock.now().getTime()) / 1000)
      const [outcome] = await Promise.all([deletion(user), doDueWork()])
      const exceptions = await deps.sql<{ kind: string }[]>`select kind from exceptions where payment_id = ${id}`
      if (outcome === 'deleted') assert.deepEqual([...exceptions], [{ kind: 'holder_gone' }])
      else assert.deepEqual([outcome.split(':')[0], [...exceptions]], ['user_busy', []])
      await passDays(6)
      assert.equal(await statusOf(payee, id), outcome === 'deleted' ? 'FAILED' : 'REFUNDED')
    }
    await assertLedger(service)
  })
})

test('a credit returned for a deleted sender goes on the operator’s list, not into an orphaned wallet', async () => {
  const user = await newUser()
  const account = await newWallet(user, 9.65)
  const { id } = await sendPayment(user, { account, amount: 9.65, ...intoPayee }) // is returned ten days after it settled
  await passDays(9)
  assert.equal((await owner.del(`/v3/user/${user.id}`)).status, 200)
  await passDays(12)
  assert.equal(await statusOf(payee, id), 'FAILED')
  const exceptions = await deps.sql<{ kind: string; cents: number; userId: string }[]>`
    select kind, cents, user_id from exceptions where payment_id = ${id}
  `
  assert.deepEqual([...exceptions], [{ kind: 'holder_gone', cents: 965, userId: user.id }])
  const [wallet] = await deps.sql<{ cents: number; isDeleted: boolean }[]>`
    select balance_cents as cents, deleted_at is not null as is_deleted from wallets where id = ${account}
  `
  assert.deepEqual({ ...wallet }, { cents: 0, isDeleted: true })
  await assertLedger(service)
})

suite('a credit that is returned after its debit', () => {
  test('goes to the sender who paid the debt', async () => {
    const debtor = await newDebtor()
    assert.equal((await settle(debtor)).status, 200)
    await returnCredit(debtor.owedFor[0])
    await passDays(10)
    assert.equal(await statusOf(debtor, debtor.owedFor[0] as string), 'REFUNDED')
    await assertLedger(service)
  })

  test('is not refunded by the operator while its payee is being paid again', async () => {
    const debtor = await newDebtor()
    const id = debtor.owedFor[0] as string
    assert.equal((await settle(debtor, { amount: 10 })).status, 200)
    await returnCredit(id)
    assert.equal((await settle(debtor)).status, 200)
    const exception = (await getExceptions(deps, {})).find(({ paymentId }) => paymentId === id)
    assert.equal(exception?.kind, 'debt_paid_in_part')
    const resend = () => exceptionCommand({}, ['resend', exception?.id as string])(deps)
    assert.equal((await payee.post(`/v3/check/deposit/${id}`, { account: payeeBank })).status, 201)
    await assert.rejects(resend(), /cannot be sent/)
    await passDays(20)
    await assert.rejects(resend(), /cannot be sent/)
    const legs = await deps.sql`
      select purpose from legs where subject_id = ${id} and purpose <> 'payment_pull' and status = 'SETTLED'
    `
    assert.deepEqual(
      legs.map(({ purpose }) => purpose),
      ['payment_push'],
    )
    await assertLedger(service)
  })
})

suite('verify-ledger', () => {
  test('finds a failed payment whose money has no pending leg', async () => {
    const sender = await newUser()
    const account = await newWallet(sender, 10)
    const { id } = await sendPayment(sender, { amount: 9.62, account, ...intoPayee })
    for (let day = 0; day < 20 && (await statusOf(sender, id)) !== 'FAILED'; day++) await passDays(1)
    assert.equal(await statusOf(sender, id), 'FAILED')
    await assertLedger(service)
    const [row] = await deps.sql<{ refundAt: Date }[]>`select refund_at from payments where id = ${id}`
    await deps.sql`update payments set refund_at = null where id = ${id}`
    assert.ok(!isClean(await verifyLedger(deps)))
    await deps.sql`update payments set refund_at = ${row?.refundAt as Date} where id = ${id}`
    await assertLedger(service)
  })

  /** The wrong payments after a change, which is undone: ids, with the cents in `payable` and those expected there. */
  async function wrongAfter(change: (sql: Sql) => Promise<unknown>): Promise<unknown[]> {
    const undone = new Error('undone')
    const found: unknown[] = []
    const changing = ownerSql.begin(async (sql) => {
      await change(sql)
      const { offending } = await runCheck(sql, { table: 'payments', violations: wrongPayments })
      found.push(...offending.map(({ id, payableCents, expectedCents }) => [id, payableCents, expectedCents]))
      throw undone
    })
    await assert.rejects(changing, undone)
    return found
  }

  /** A payment from a wallet whose payout is returned after it settled. */
  async function newReturned(): Promise<string> {
    const sender = await newUser()
    const { id } = await sendPayment(sender, { amount: 9.65, account: await newWallet(sender, 10), ...intoPayee })
    for (let day = 0; day < 30 && (await statusOf(sender, id)) !== 'FAILED'; day++) await passDays(1)
    return id
  }

  test('finds a debit that came back without a debt, and a payout that came back without its money', async () => {
    const [{ id: debtorId, owedFor }, returned] = [await newDebtor(), await newReturned()]
    const owed = owedFor[0] as string
    const lostDebt = await wrongAfter(async (sql) => {
      await sql`delete from transfers where payment_id = ${owed} and reason = 'pull_returned_late'`
      await sql`update user_counters set debt_cents = 0 where user_id = ${debtorId}`
    })
    assert.deepEqual(lostDebt, [[owed, 0, -4_064]])
    const lostMoney = await wrongAfter(
      (sql) => sql`delete from transfers where payment_id = ${returned} and reason = 'push_returned'`,
    )
    assert.deepEqual(lostMoney, [[returned, 0, 965]])
  })

  test('finds money of a failed payment for which no refund is due and no case is open', async () => {
    const id = await newReturned()
    const forget = async (sql: Sql, closedAt: Date | null) => {
      await sql`update payments set refund_at = null where id = ${id}`
      await sql`
        insert into exceptions (platform_id, id, kind, payment_id, note, created_at, closed_at, resolution)
        select platform_id, gen_random_uuid(), 'return_needs_review', id, '', now(), ${closedAt}, ${closedAt && 'done'}
        from payments
        where id = ${id}
      `
    }
    assert.deepEqual(await wrongAfter((sql) => forget(sql, null)), [])
    assert.deepEqual(await wrongAfter((sql) => forget(sql, clock.now())), [[id, 965, 965]])
    const refundReturned = await wrongAfter(async (sql) => {
      await forget(sql, clock.now())
      await sql`update legs set purpose = 'payment_refund' where subject_id = ${id} and status = 'RETURNED'`
    })
    assert.deepEqual(refundReturned, [[id, 965, 965]])
  })

  test('finds a PAID payment without a payout, and an IN_PROCESS payment without a pending leg', async () => {
    const sender = await newUser()
    await addVerifiedBank(sender)
    const { id } = await sendPayment(sender, { amount: 9, ...intoPayee })
    await assertLedger(service)
    for (const [change, undo] of [
      ["payments set status = 'PAID' where id", "payments set status = 'IN_PROCESS' where id"],
      ["legs set status = 'CANCELLED' where subject_id", "legs set status = 'WAITING' where subject_id"],
    ] as const) {
      await ownerSql.unsafe(`update ${change} = '${id}'`)
      const found = (await verifyLedger(deps)).flatMap(({ check, finding }) =>
        finding.offending.map((row) => [check, row.id]),
      )
      assert.deepEqual(found, [['payments have the money movements of their status', id]], change)
      await ownerSql.unsafe(`update ${undo} = '${id}'`)
    }
    await assertLedger(service)
  })

  test('finds a debt without a returned debit', async () => {
    const debtor = await newDebtor()
    const offending = async () =>
      (await verifyLedger(deps)).filter(({ finding }) => finding.offending.length > 0).map(({ check }) => check)
    assert.deepEqual(await offending(), [])
    const receivables = 'receivables match returned debits, and users owe their sum'
    await deps.sql`update user_counters set debt_cents = debt_cents + 1 where user_id = ${debtor.id}`
    assert.deepEqual(await offending(), [receivables])
    await deps.sql`update user_counters set debt_cents = debt_cents - 1 where user_id = ${debtor.id}`
    await ownerSql`
      update transfers set debit = 'receivable:' || ${payee.id} where debit = 'receivable:' || ${debtor.id}
    `
    assert.deepEqual(await offending(), [receivables])
    await ownerSql`
      update transfers set debit = 'receivable:' || ${debtor.id} where debit = 'receivable:' || ${payee.id}
    `
    assert.ok(isClean(await verifyLedger(deps)))
  })
})
