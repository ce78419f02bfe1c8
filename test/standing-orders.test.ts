import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { EVERY_PERMISSION } from '../src/foundation/core/permission-rules.ts'
import type { Deps, TxDeps } from '../src/foundation/db/deps.ts'
import { createFailures } from '../src/foundation/db/step-failures.ts'
import type { Caller } from '../src/foundation/http/caller.ts'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import { fundWallet } from '../src/money/wallet/wallet-actions.ts'
import { triggerPayment } from '../src/operation/sandbox/sandbox-actions.ts'
import { advanceClocks, doDueWork } from '../src/operation/scheduler/due-work.ts'
import { applyOutbox } from '../src/operation/scheduler/outbox-work.ts'
import { editApproval, prepareApproval, voidApproval } from '../src/orders/approval/approval-actions.ts'
import {
  findReleasedAccount,
  type MovedInvoice,
  releaseApproval,
} from '../src/orders/approval/approval-release-actions.ts'
import { createInvoice, voidAtOtherPlatform, voidInvoice } from '../src/orders/invoice/invoice-actions.ts'
import {
  invoicePayments,
  moveFoundInvoice,
  prepareInvoicePayment,
} from '../src/orders/invoice/invoice-approval-actions.ts'
import { findPayeeAccount, payInvoice } from '../src/orders/invoice/invoice-payment-actions.ts'
import { setAutopay } from '../src/orders/subscription/autopay-actions.ts'
import {
  cancelSubscription,
  chooseSkipped,
  subscribe,
  subscribeInvoice,
} from '../src/orders/subscription/subscription-actions.ts'
import { acceptPayment } from '../src/payments/payment/accept/accept-actions.ts'
import { senderOf } from '../src/payments/payment/accept/prepare-actions.ts'
import { depositPayment, voidPayment } from '../src/payments/payment/deposit/deposit-actions.ts'
import type { Destination } from '../src/payments/payment/payment-change-actions.ts'
import { PAYMENT_STATUSES } from '../src/payments/payment/payment-status.ts'
import { updateProfile } from '../src/people/user/user-actions.ts'
import { crashing, isCrash } from './support/crash.ts'
import { refuseSecondPlatform } from './support/one-platform.ts'
import { createDice } from './support/random-requests.ts'
import { runAction } from './support/run-action.ts'
import { seedFrom } from './support/seed.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

// Random steps of approvals, subscriptions, invoices and the payments that they make, with crashes between statements. A step that is
// refused is a valid one. `npm run standing-orders` makes 10,000 steps. STANDING_SEED repeats a run.

const STEPS = Number(process.env.STANDING_STEPS ?? 160)
const SEED = seedFrom('STANDING_SEED')
/** Each pair of platforms lives this long. */
const STEPS_PER_PAIR = 160
const STEPS_PER_CHECK = 20

const dice = createDice(SEED)
const between = (from: number, to: number): number => from + dice.below(to - from + 1)

const service = await startTestService({ after })
await refuseSecondPlatform(service.ownerSql)
const failedSteps: string[] = []
/** Isolation hides an error of one platform from the others, but not from this test. */
const deps: Deps = {
  ...service.deps,
  meter: { ...service.deps.meter, stepFailed: (name) => void failedSteps.push(name) },
}

/** People who are not members any more, so that their subscriptions prepare payments, and a key that counts as the owner. */
const CREDENTIALS: Caller['credential'][] = [
  ...['a', 'b', 'c'].map((letter) => ({ kind: 'session', id: '0'.repeat(32), loginId: letter.repeat(32) }) as const),
  ...Array.from({ length: 3 }, () => ({ kind: 'api_key', id: '0'.repeat(32) }) as const),
]

type World = Awaited<ReturnType<typeof newWorld>>

async function newWorld() {
  const { api: owner, id, email } = await service.newOwner()
  const { body } = await owner.post('/v3/account/wallet', { name: 'Cash' })
  const payee = await service.newUser(undefined, owner)
  const wallet = await payee.post('/v3/account/wallet', { name: 'Cash' })
  return {
    id,
    owner,
    email,
    accounts: [await addVerifiedBank(owner), body.id as string, null],
    wallet: body.id as string,
    payee: { id: payee.id, userId: payee.userId, accounts: [await addBank(payee), wallet.body.id as string] },
    /** The owner of the other platform. */
    otherEmail: '',
    /** Payments that were sent without an approval or a subscription. */
    sentCount: 0,
  }
}

/** Two platforms that invoice each other. */
async function newWorlds(): Promise<World[]> {
  const [one, other] = [await newWorld(), await newWorld()]
  one.otherEmail = other.email
  other.otherEmail = one.email
  return [one, other]
}

const callerOf = ({ id: platformId }: World, userId = platformId): Caller => ({
  platformId,
  userId,
  isOwner: userId === platformId,
  permissions: EVERY_PERMISSION,
  credential: dice.pick(CREDENTIALS),
  origin: { address: '127.0.0.1', userAgent: null },
})

const orderOf = ({ accounts, payee }: World) => ({
  amount: dice.pick([10, 25, 10.61, 10.62, 10.65, 10.71, 900]),
  name: 'Payee',
  account: dice.pick(accounts),
  recipient: dice.pick([payee.userId, 'payee@example.com']),
})

const INVOICED = [10, 10.61]

/** An invoice of the payee: to the owner of its platform, to the owner of the other one, or to a person outside. */
const invoiceOf = ({ email, otherEmail, payee }: World) => ({
  amount: dice.pick(INVOICED),
  name: 'Owner',
  recipient: dice.pick([email, otherEmail, otherEmail, 'outside@example.com']),
  description: 'Rent',
  account: dice.pick(payee.accounts),
})

/** An object of the platform, or an id that none has. */
async function anyOf(world: World, table: 'approvals' | 'subscriptions' | 'payments' | 'invoices'): Promise<string> {
  const rows = await deps.sql<{ id: string }[]>`
    select id from ${deps.sql(table)} where platform_id = ${world.id} order by id desc limit 12
  `
  return dice.pick(rows)?.id ?? '0'.repeat(32)
}

/** An invoice that the owner can pay, with its amount, or any other one. */
async function anyReceived(world: World): Promise<{ id: string; amount: number }> {
  const rows = await deps.sql<{ id: string; cents: number }[]>`
    select id, amount_cents as cents from invoices
    where platform_id = ${world.id} and recipient_id = ${world.id} and status = 'UNPAID' order by id desc limit 12
  `
  const invoice = dice.chance(0.8) ? dice.pick(rows) : undefined
  if (invoice) return { id: invoice.id, amount: Number(invoice.cents) / 100 }
  return { id: await anyOf(world, 'invoices'), amount: dice.pick(INVOICED) }
}

type Act = (tx: TxDeps, world: World) => Promise<unknown>

/** What can happen, with its weight. */
const acts: Record<string, [weight: number, act: Act]> = {
  prepare: [
    5,
    (tx, world) => {
      const order = { ...orderOf(world), recipient: recipientOf(world) }
      return prepareApproval(tx, callerOf(world), { order, attachment: null })
    },
  ],
  edit: [
    2,
    async (tx, world) => {
      const changes = dice.pick([{ amount: 12 }, { account: dice.pick(world.accounts) }, { number: 7, name: 'Other' }])
      await editApproval(tx, callerOf(world), { id: await anyOf(world, 'approvals'), changes })
    },
  ],
  'void an approval': [1, async (tx, world) => voidApproval(tx, callerOf(world), await anyOf(world, 'approvals'))],
  subscribe: [
    4,
    (tx, world) =>
      subscribe(tx, callerOf(world), {
        ...orderOf(world),
        interval: dice.pick(['WEEKLY', 'MONTHLY'] as const),
        duration: dice.pick([null, 1, 2, 5]),
      }),
  ],
  'subscribe an invoice': [
    2,
    (tx, world) => subscribeInvoice(tx, callerOf(world, world.payee.id), { ...invoiceOf(world), interval: 'WEEKLY' }),
  ],
  invoice: [
    3,
    (tx, world) => createInvoice(tx, callerOf(world, world.payee.id), { order: invoiceOf(world), attachment: null }),
  ],
  'set autopay': [
    3,
    async (tx, world) =>
      setAutopay(tx, callerOf(world), { id: await anyOf(world, 'subscriptions'), autopay: dice.chance(0.8) }),
  ],
  skip: [
    1,
    async (tx, world) => {
      const skipped = [between(1, 6), between(7, 9)]
      await chooseSkipped(tx, callerOf(world), { id: await anyOf(world, 'subscriptions'), skipped })
    },
  ],
  cancel: [1, async (tx, world) => cancelSubscription(tx, callerOf(world), await anyOf(world, 'subscriptions'))],
  'change dual control': [1, (tx, world) => updateProfile(tx, callerOf(world), { dualControl: dice.chance(0.5) })],
  send: [
    2,
    async (tx, world) => {
      const sender = senderOf(callerOf(world))
      await acceptPayment(
        { how: 'inTransaction', deps: tx },
        { sender, order: { ...orderOf(world), attachment: null } },
      )
      tx.afterCommit(() => void world.sentCount++)
    },
  ],
  fund: [3, (tx, world) => fundWallet(tx, callerOf(world), { id: world.wallet, amount: between(5, 300) })],
  deposit: [
    3,
    async (tx, world) => {
      const accountId = dice.pick(world.payee.accounts)
      const paymentId = await anyOf(world, 'payments')
      await depositPayment(tx, callerOf(world, world.payee.id), { paymentId, accountId })
    },
  ],
  'void a payment': [1, async (tx, world) => voidPayment(tx, callerOf(world), await anyOf(world, 'payments'))],
  trigger: [
    2,
    async (tx, world) => {
      const status = dice.pick(PAYMENT_STATUSES)
      await triggerPayment(tx, callerOf(world), {
        paymentId: await anyOf(world, 'payments'),
        status,
        returnCode: undefined,
      })
    },
  ],
}

/** Those whose routes work outside of the transaction first. */
const dividedActs: Record<string, [weight: number, act: (own: Deps, world: World) => Promise<unknown>]> = {
  release: [
    7,
    async (own, world) => {
      const [caller, given] = [callerOf(world), { id: await anyOf(world, 'approvals'), invoices: invoicePayments }]
      return runAction(
        own,
        (tx, destination: Destination | null) => releaseApproval(tx, caller, { ...given, destination }),
        (outside) => findReleasedAccount(outside, caller, given),
      )
    },
  ],
  'void an invoice': [
    1,
    async (own, world) => {
      const [caller, id] = [callerOf(world, world.payee.id), await anyOf(world, 'invoices')]
      return runAction(
        own,
        async (tx, voided: object | null) => voided ?? voidInvoice(tx, caller, id),
        (outside) => voidAtOtherPlatform(outside, caller, id),
      )
    },
  ],
  'pay an invoice': [
    4,
    async (own, world) => {
      const [caller, account] = [callerOf(world), dice.pick(world.accounts)]
      const given = { ...(await anyReceived(world)), account }
      return runAction(
        own,
        (tx, destination: Destination | null) => payInvoice(tx, caller, { ...given, destination }),
        (outside) => findPayeeAccount(outside, caller, given),
      )
    },
  ],
  'prepare the payment of an invoice': [
    2,
    async (own, world) => {
      const [caller, account] = [callerOf(world), dice.pick(world.accounts)]
      const given = { ...(await anyReceived(world)), account }
      return runAction(
        own,
        (tx, moved: MovedInvoice | null) => prepareInvoicePayment(tx, caller, { ...given, moved }),
        (outside) => moveFoundInvoice(outside, caller, given),
      )
    },
  ],
}

/** The account of a payee is known for some payments. */
const recipientOf = ({ payee }: World) =>
  dice.chance(0.4) ? { id: payee.userId, account: dice.pick(payee.accounts) } : payee.userId

const names = Object.entries({ ...acts, ...dividedActs }).flatMap(([name, [weight]]) =>
  Array.from({ length: weight }, () => name),
)
const seen: Record<string, number> = {}
function count(what: string): void {
  seen[what] = (seen[what] ?? 0) + 1
}

/** The service, in a process that may die soon. */
const mortal = (): Deps =>
  dice.chance(0.3) ? crashing(deps, dice.chance(0.2) ? 'before_commit' : { afterStatements: dice.below(16) }) : deps

/** Refusals and crashes are valid results. */
async function attempt(name: string, work: Promise<unknown>): Promise<void> {
  try {
    await work
    count(name)
  } catch (error) {
    if (isCrash(error)) count('crash')
    else if ((error as { status?: number }).status === undefined) throw error
  }
}

async function takeStep(world: World): Promise<void> {
  if (dice.chance(0.2)) return passTime(world)
  const name = dice.pick(names)
  const own = { ...mortal(), clock: await deps.clocks.of(world.id) }
  const divided = dividedActs[name]?.[1](own, world)
  await attempt(name, divided ?? runAction(own, (tx) => (acts[name] as [number, Act])[1](tx, world)))
}

async function passTime(world: World): Promise<void> {
  await world.owner.put('/v3/sandbox/clock', { advance: `PT${dice.pick([1, 8, 24, 100, 400])}H` })
  for (const work of [advanceClocks, doDueWork, applyOutbox]) {
    await attempt(work.name, work({ ...mortal(), failures: createFailures() }))
  }
  failedSteps.length = 0 // of the crashes
  for (const work of [advanceClocks, doDueWork, applyOutbox]) while ((await work(deps)) > 0);
  assert.deepEqual(failedSteps, [])
}

/** Everything that must hold between two steps, and that both platforms agree once their messages have arrived. */
async function check(worlds: readonly World[]): Promise<void> {
  await checkLedger()
  for (const world of worlds) await checkPlatform(world)
  while ((await applyOutbox(deps)) > 0);
  await checkLedger()
  const ids = worlds.map(({ id }) => id)
  const differing = await deps.sql`
    with s as materialized (select * from invoices),
    r as materialized (select * from invoices)
    select s.id, s.status, s.payment_id, r.status as other_status, r.payment_id as other_payment_id
    from s
    left join r on r.platform_id = s.recipient_platform_id and r.id = s.id
    where s.platform_id = any (${ids}) and s.recipient_platform_id is not null
      and (s.status, s.payment_id, s.amount_cents) is distinct from (r.status, r.payment_id, r.amount_cents)
  `
  assert.deepEqual([...differing], [])
  const outdated = await deps.sql`
    with s as materialized (select * from subscriptions),
    c as materialized (
      select s.*, exists (
        select from autopay_authorizations t
        where t.platform_id = s.platform_id and t.subscription_id = s.id and t.revoked_at is null
      ) as has_autopay
      from subscriptions s
    )
    select s.id
    from s
    left join c on c.platform_id = s.recipient_platform_id and c.id = s.id
    where s.platform_id = any (${ids}) and s.recipient_platform_id is not null
      and (s.state, s.next_run, s.skipped, s.amount_cents, s.has_autopay_elsewhere) is distinct from (
        c.state, c.next_run, c.skipped, c.amount_cents, c.has_autopay
      )
  `
  assert.deepEqual([...outdated], [])
}

async function checkLedger(): Promise<void> {
  const verification = await verifyLedger(deps)
  assert.ok(isClean(verification), JSON.stringify(verification, null, 1))
}

async function checkPlatform(world: World): Promise<void> {
  const [row] = await deps.sql<Record<string, number>[]>`
    select
      (
        select count(*)
        from approvals a
        left join payments p on p.platform_id = a.platform_id and p.id = a.payment_id and p.amount_cents = a.amount_cents
        where a.platform_id = ${world.id} and (a.status = 'APPROVED') <> (p.id is not null)
      ) as wrong_approvals,
      (
        select count(*)
        from approvals a
        where a.platform_id = ${world.id} and a.status = 'APPROVED' and a.payment_id is null
      ) as approvals_without_payment,
      (
        select count(*)
        from approvals a
        join payments p on p.platform_id = a.platform_id and p.id = a.payment_id
        where a.platform_id = ${world.id} and p.invoice_id is distinct from a.invoice_id
      ) as wrong_approvals_of_invoices,
      (
        select count(*)
        from subscriptions s
        where s.platform_id = ${world.id} and s.next_run - 1 <> (
          select count(*)
          from subscription_runs r
          where r.platform_id = s.platform_id and r.subscription_id = s.id and r.number < s.next_run
        )
      ) as subscriptions_with_lost_runs,
      (
        select count(*)
        from subscription_runs r
        left join payments p on p.platform_id = r.platform_id and p.id = r.payment_id
        left join approvals a on a.platform_id = r.platform_id and a.id = r.approval_id
        where r.platform_id = ${world.id}
          and ((r.outcome = 'INVOICED') <> (r.invoice_id is not null) or (r.outcome = 'PAID') <> (p.id is not null) or (r.outcome = 'PREPARED') <> (a.id is not null))
      ) as wrong_runs,
      (
        select count(*)
        from invoices i
        join payments p on p.platform_id = i.platform_id and p.id = i.payment_id
        where i.platform_id = ${world.id} and p.invoice_id is distinct from i.id
      ) as wrong_invoices,
      (
        select count(*)
        from payments p
        where p.platform_id = ${world.id} and p.sender_id = ${world.id} and p.invoice_id is null
      ) - (
        select count(distinct payment_id)
        from (
          select payment_id from approvals where platform_id = ${world.id} and invoice_id is null
          union all
          select payment_id from subscription_runs where platform_id = ${world.id}
        ) made
      ) - ${world.sentCount} as payments_of_nothing
  `
  const problems = Object.entries(row ?? {}).filter(([, value]) => Number(value) !== 0)
  assert.deepEqual(problems, [])
}

test(`${STEPS} random steps of approvals, subscriptions and invoices, with crashes (STANDING_SEED=${SEED})`, async (t) => {
  let worlds = await newWorlds()
  for (let step = 1; step <= STEPS; step++) {
    await takeStep(dice.pick(worlds) as World)
    if (step % STEPS_PER_CHECK === 0) await check(worlds)
    if (step % STEPS_PER_PAIR === 0) worlds = await newWorlds()
  }
  const invoices = await deps.sql`
    select status, count(*)
    from invoices
    where sender_platform_id is not null
    group by status
    order by status
  `
  const runs = await deps.sql`select outcome, count(*) from subscription_runs group by outcome order by outcome`
  t.diagnostic(JSON.stringify({ ...seen, runs, invoices }))
})
