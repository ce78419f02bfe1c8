import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { EVERY_PERMISSION } from '../src/foundation/core/permission-rules.ts'
import type { Deps } from '../src/foundation/db/deps.ts'
import { createFailures } from '../src/foundation/db/step-failures.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import type { Caller } from '../src/foundation/http/caller.ts'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import { SANDBOX_RETURN_CODES } from '../src/money/rail/return-code-rules.ts'
import { fundWallet } from '../src/money/wallet/wallet-actions.ts'
import { triggerPayment } from '../src/operation/sandbox/sandbox-actions.ts'
import { advanceClocks, doDueWork } from '../src/operation/scheduler/due-work.ts'
import { applyOutbox } from '../src/operation/scheduler/outbox-work.ts'
import {
  depositPayment,
  prepareDepositFromOtherPlatform,
  voidPayment,
} from '../src/payments/payment/deposit/deposit-actions.ts'
import { PAYMENT_STATUSES } from '../src/payments/payment/payment-status.ts'
import { crashing, isCrash } from './support/crash.ts'
import { refuseSecondPlatform } from './support/one-platform.ts'
import { runAction } from './support/run-action.ts'
import { seedFrom } from './support/seed.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

// Random operations in random order, with crashes between statements. The ledger balances after each one.
// PROPERTY_RUNS=1000 TEST_TIMEOUT_MS=3600000 makes a long run. PROPERTY_SEED repeats a run.

const RUNS = Number(process.env.PROPERTY_RUNS ?? 15)
const SEED = seedFrom('PROPERTY_SEED')

const service = await startTestService({ after })
const { deps } = service
await refuseSecondPlatform(service.ownerSql)

/** A payment that one user sent to the other, or to the owner of another platform. */
type Sent = { id: string; sender: 0 | 1; isElsewhere: boolean }

type World = Awaited<ReturnType<typeof newWorld>>

async function newWorld() {
  const { api: owner, id: platformId } = await service.newOwner()
  const users = [await service.newUser(undefined, owner), await service.newUser(undefined, owner)] as const
  const accounts: { bank: string; wallet: string }[] = []
  for (const user of users) {
    const bank = await addVerifiedBank(user)
    const { body } = await user.post('/v3/account/wallet', { name: 'Cash' })
    accounts.push({ bank, wallet: body.id })
  }
  const other = await service.newOwner()
  const { body } = await other.api.post('/v3/account/wallet', { name: 'Cash' })
  const elsewhere = { ...other, accounts: { bank: await addBank(other.api), wallet: body.id as string } }
  return { owner, platformId, users, accounts, elsewhere, payments: [] as Sent[] }
}

const CALLER = {
  isOwner: false,
  permissions: EVERY_PERMISSION,
  credential: { kind: 'api_key', id: '0'.repeat(32) },
  origin: { address: '127.0.0.1', userAgent: null },
} as const

const callerOf = ({ platformId, users }: World, index: 0 | 1): Caller => ({
  ...CALLER,
  platformId,
  userId: users[index].id,
})

/** Refusals are valid results. Crashes are deliberate. */
async function attempt(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isCrash(error) && (error as { status?: number }).status === undefined) throw error
  }
}

type Operation =
  | { kind: 'fund'; user: 0 | 1; amount: number }
  | { kind: 'send'; user: 0 | 1; cents: number; from: 'bank' | 'wallet'; into: 'bank' | 'wallet' | 'elsewhere' | null }
  | { kind: 'deposit'; payment: number; into: 'bank' | 'wallet' }
  | { kind: 'void'; payment: number }
  | {
      kind: 'trigger'
      payment: number
      status: (typeof PAYMENT_STATUSES)[number]
      code: (typeof SANDBOX_RETURN_CODES)[number] | null
    }
  | { kind: 'advance'; hours: number }
  | { kind: 'apply' }

type Step = { operation: Operation; diesAfter: number | null }

const user = fc.constantFrom(0 as const, 1 as const)
const payment = fc.nat({ max: 20 })
const kind = fc.constantFrom('bank' as const, 'wallet' as const)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('fund' as const), user, amount: fc.integer({ min: 1, max: 90 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      user,
      cents: fc.constantFrom(1000, 2500, 1061, 1062, 1064, 1065, 1066, 1071),
      from: kind,
      into: fc.option(fc.oneof(kind, fc.constant('elsewhere' as const))),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('deposit' as const), payment, into: kind }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('apply' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('void' as const), payment }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('trigger' as const),
      payment,
      status: fc.constantFrom(...PAYMENT_STATUSES),
      code: fc.option(fc.constantFrom(...SANDBOX_RETURN_CODES)),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('advance' as const), hours: fc.integer({ min: 1, max: 400 }) }),
  },
)
const step: fc.Arbitrary<Step> = fc.record({
  operation,
  diesAfter: fc.option(fc.integer({ min: 0, max: 25 }), { freq: 2 }),
})

async function run(world: World, { operation, diesAfter }: Step): Promise<void> {
  const own = diesAfter === null ? deps : crashing(deps, { afterStatements: diesAfter })
  const clock = await deps.clocks.of(world.platformId)
  const inOne = (work: Parameters<typeof inTransaction<Deps, unknown>>[1]) =>
    attempt(inTransaction({ ...own, clock }, work))
  const chosen =
    'payment' in operation ? world.payments[operation.payment % Math.max(1, world.payments.length)] : undefined
  if ('payment' in operation && !chosen) return
  switch (operation.kind) {
    case 'fund': {
      const id = world.accounts[operation.user]?.wallet as string
      return inOne((tx) => fundWallet(tx, callerOf(world, operation.user), { id, amount: operation.amount }))
    }
    case 'send':
      return send(world, operation)
    case 'deposit': {
      if (chosen?.isElsewhere) return depositOnOther(own, world, { paymentId: chosen.id, into: operation.into })
      const to = chosen?.sender === 0 ? 1 : 0
      const accountId = world.accounts[to]?.[operation.into] as string
      return inOne((tx) => depositPayment(tx, callerOf(world, to), { paymentId: chosen?.id as string, accountId }))
    }
    case 'void':
      return inOne((tx) => voidPayment(tx, callerOf(world, chosen?.sender ?? 0), chosen?.id as string))
    case 'trigger': {
      const { status, code } = operation
      const wanted = { paymentId: chosen?.id as string, status, returnCode: code ?? undefined }
      return inOne((tx) => triggerPayment(tx, callerOf(world, chosen?.sender ?? 0), wanted))
    }
    case 'apply':
      return attempt(applyOutbox({ ...own, failures: createFailures() }))
    case 'advance':
      await world.owner.put('/v3/sandbox/clock', { advance: `PT${operation.hours}H` })
      await attempt(advanceClocks(own))
      await attempt(doDueWork(own))
      while ((await advanceClocks(deps)) > 0);
  }
}

function depositOnOther(
  own: Deps,
  { elsewhere: { id, accounts } }: World,
  { paymentId, into }: { paymentId: string; into: 'bank' | 'wallet' },
): Promise<void> {
  const caller = { ...CALLER, platformId: id, userId: id, isOwner: true }
  const given = { paymentId, accountId: accounts[into] }
  return attempt(
    runAction(
      own,
      async (tx, deposited: object | null) => deposited ?? depositPayment(tx, caller, given),
      (outside) => prepareDepositFromOtherPlatform(outside, caller, given),
    ),
  )
}

async function send(world: World, { user, cents, from, into }: Operation & { kind: 'send' }): Promise<void> {
  const to = user === 0 ? 1 : 0
  const { userId } = world.users[to]
  const isElsewhere = into === 'elsewhere'
  const here = into && !isElsewhere ? { id: userId, account: world.accounts[to]?.[into] } : userId
  const recipient = isElsewhere ? world.elsewhere.email : here
  const order = { amount: cents / 100, name: 'Recipient', account: world.accounts[user]?.[from], recipient }
  const { status, body, text } = await world.users[user].post('/v3/check/digital', order)
  assert.ok([201, 400].includes(status), text)
  if (status === 201) world.payments.push({ id: body.id, sender: user, isElsewhere })
}

test(`${RUNS} random histories of a platform, with crashes, keep the ledger balanced (PROPERTY_SEED=${SEED})`, async (t) => {
  let steps = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (life) => {
      const world = await newWorld()
      for (const one of life) {
        await run(world, one)
        steps++
        const verification = await verifyLedger(deps)
        assert.ok(isClean(verification), JSON.stringify({ one, verification }, null, 1))
      }
    }),
    { numRuns: RUNS, seed: SEED, verbose: 1 },
  )
  t.diagnostic(`${steps} operations`)
})
