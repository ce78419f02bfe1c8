import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Sql } from '../src/foundation/db/connect.ts'
import { inSavepoint, inUndoneTransaction } from '../src/foundation/db/transaction.ts'
import { acceptPlainPaymentRows } from '../src/payments/payment/accept/accept-plain-store.ts'
import { type Acceptance, acceptPaymentRows, type Requirements } from '../src/payments/payment/accept/accept-store.ts'
import { prepareOrder } from '../src/payments/payment/accept/prepare-actions.ts'
import { seedFrom } from './support/seed.ts'
import { addVerifiedBank, startTestService } from './support/service.ts'
import { newSender } from './support/webhooks.ts'

// `accept_plain_payments_v1` accepts the payments of a sender exactly when `accept_payments_v1` accepts all of them,
// and writes the same rows. Payments with features that it does not support are left to the other function.
// PROPERTY_RUNS=5000 TEST_TIMEOUT_MS=3600000 makes a long run.

const RUNS = Number(process.env.PROPERTY_RUNS ?? 150)
const SEED = seedFrom('PROPERTY_SEED')

const service = await startTestService({ after })
const { deps } = service
const owner = { ...deps, sql: service.ownerSql }
const { api, id: platformId } = await service.newOwner()
const users = await Promise.all(Array.from({ length: 4 }, () => newSender(service, api)))
const secondBanks = await Promise.all(users.map((user) => addVerifiedBank(user)))
const elsewhere = await service.newOwner()

/** The properties of a sender, besides its orders, that affect the decision. Most senders are plain. */
const rarely = (sql: string) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constant(sql) })
const sender = fc.record({
  counter: fc.constantFrom(
    'sent_on = null',
    'sent_on = null, next_check_number = 99999998',
    'sent_on = today, sent_day_cents = 3000, sent_month_cents = 4000',
    'sent_on = today - 1, sent_day_cents = 3000, sent_month_cents = 4000',
    'sent_on = today - 40, sent_day_cents = 3000, sent_month_cents = 4000',
  ),
  debt: rarely('debt_cents = 5'),
  /** Features that the plain function does not support. */
  numbers: rarely(`reserved_numbers = '{[1,10)}'`),
  approval: rarely('dual_control = true'),
  status: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('VERIFIED', 'UNVERIFIED') },
    { weight: 1, arbitrary: fc.constantFrom('SUSPENDED', 'CLOSED') },
  ),
  name: fc.constantFrom('business_name = null', `business_name = 'Business'`, `phone = '+15005550006'`),
  isDeleted: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  bank: rarely(`status = 'PENDING'`),
  hasSignature: fc.boolean(),
  limit: fc.option(
    fc.record({
      name: fc.constantFrom(
        'payment_cents',
        'day_cents',
        'month_cents',
        'owner_payment_cents',
        'owner_day_cents',
        'owner_month_cents',
      ),
      cents: fc.constantFrom(600, 1500, 3500, 4500),
    }),
    { freq: 1 },
  ),
})
type SenderState = typeof sender extends fc.Arbitrary<infer State> ? State : never

const order = fc.record({
  sender: fc.nat({ max: 3 }),
  cents: fc.constantFrom(100, 100, 500, 1000, 2000),
  recipient: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('guest@example.com', 'Name Only Ltd', '+12025550123') },
    { weight: 6, arbitrary: fc.constantFrom('user 0', 'user 1', 'user 2', 'user 3') },
    { weight: 1, arbitrary: fc.constantFrom('owner elsewhere', '+15005550006', 'own user') },
  ),
  number: fc.option(fc.constantFrom<number | string>(7, '0042', 'A-7'), { freq: 3 }),
  account: fc.constantFrom('default', 'default', 'first', 'second'),
  key: fc.option(fc.nat({ max: 30 })),
  pin: fc.boolean(),
})
type GroupOrder = typeof order extends fc.Arbitrary<infer Made> ? Made : never

const requirements: fc.Arbitrary<Requirements> = fc.record({
  limits: fc.option(
    fc.constantFrom(
      { paymentCents: 1500, dayCents: 90_000, monthCents: 90_000 },
      { paymentCents: 9000, dayCents: 4500, monthCents: 90_000 },
      { paymentCents: 9000, dayCents: 90_000, monthCents: 4500 },
    ),
  ),
  mustBeVerified: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  signatureAboveCents: fc.option(fc.constant(1500), { freq: 1 }),
}) as fc.Arbitrary<Requirements>

const recipientOf = ({ recipient, sender }: GroupOrder): string => {
  if (recipient === 'owner elsewhere') return elsewhere.email
  if (recipient === 'own user') return users[sender]?.userId as string
  const place = /^user (\d)$/.exec(recipient)?.[1]
  return place ? (users[Number(place)]?.userId as string) : recipient
}

async function prepare(group: readonly GroupOrder[]): Promise<Acceptance[]> {
  const acceptances = await Promise.all(
    group.map((one, index) => {
      const user = users[one.sender] as (typeof users)[number]
      const account = { default: null, first: user.bankId, second: secondBanks[one.sender] as string }[one.account]
      return prepareOrder(deps, {
        sender: { platformId, userId: user.id, grantId: null },
        order: {
          amount: one.cents / 100,
          name: 'Customer',
          recipient: recipientOf(one),
          number: one.number,
          account,
          description: `Order ${index}`,
          pin: one.pin ? { value: '1234' } : null,
        },
        claim: one.key === null ? null : claimOf(one.key, one.cents),
      })
    }),
  )
  return acceptances.toSorted((a, b) => (a.senderId < b.senderId ? -1 : a.senderId > b.senderId ? 1 : 0))
}

/** A request with the same key and another amount. */
function claimOf(key: number, cents: number) {
  const hex = (value: number) => value.toString(16).padStart(64, '0')
  const digests = { key: hex(key), fingerprint: hex(cents) }
  return { platformId, now: new Date(), digests: Object.fromEntries(deps.keyRing.ids.map((id) => [id, digests])) }
}

async function bring(tx: Sql, index: number, state: SenderState): Promise<void> {
  const id = `'${users[index]?.id}'`
  const today = `(timestamptz '${deps.clock.now().toISOString()}' at time zone 'UTC')::date`
  const changes = [state.counter.replaceAll('today', today), state.debt, state.numbers].filter(Boolean)
  await tx.unsafe(
    `update user_counters set ${changes.join(', ')} where platform_id = '${platformId}' and user_id = ${id}`,
  )
  const own = [`status = '${state.status}'`, state.name, state.approval, state.isDeleted && 'deleted_at = now()']
  await tx.unsafe(
    `update users set ${own.filter(Boolean).join(', ')} where platform_id = '${platformId}' and id = ${id}`,
  )
  if (state.bank) await tx.unsafe(`update banks set ${state.bank} where user_id = ${id} and is_default`)
  if (state.hasSignature)
    await tx.unsafe(`insert into signatures (platform_id, user_id, image_sealed) values ('${platformId}', ${id}, '')`)
  if (state.limit) {
    const { name, cents } = state.limit
    await tx.unsafe(`insert into user_limits (platform_id, user_id, ${name}) values ('${platformId}', ${id}, ${cents})`)
  }
}

/** All tables that accepting a group can write. */
async function written(tx: Sql): Promise<unknown> {
  const tables = ['payments', 'user_counters', 'outbox', 'events', 'legs', 'received_payments']
  const rows = []
  for (const table of tables) {
    const key = { payments: 'id', user_counters: 'user_id', outbox: 'subject_id' }[table] ?? 'platform_id'
    const keys = table === 'outbox' ? `to_jsonb(t) - 'id' - 'position'` : 'to_jsonb(t)'
    rows.push(
      await tx.unsafe(`select ${keys} as row from ${table} t where platform_id = '${platformId}' order by ${key}`),
    )
  }
  return rows
}

/** Accepts a group in one way and rolls it back. */
async function tried<Rows>(tx: Sql, accept: () => Promise<Rows>): Promise<{ rows: Rows; written: unknown }> {
  let result: { rows: Rows; written: unknown } | undefined
  const undo = new Error('undone')
  await inSavepoint(tx, async () => {
    result = { rows: await accept(), written: await written(tx) }
    throw undo
  }).catch((error) => {
    if (error !== undo) throw error
  })
  return result as { rows: Rows; written: unknown }
}

const isKnownToPlain = ({ numbers, approval }: SenderState, orders: readonly GroupOrder[]): boolean =>
  !numbers && !approval && orders.every(({ recipient }) => recipient !== 'owner elsewhere')

/** Two orders of a group never have the same key: the second one runs alone after a unique violation. */
const withoutRepeatedKeys = (group: readonly GroupOrder[]): GroupOrder[] => {
  const keys = new Set<number>()
  return group.map((one) => {
    const isRepeated = one.key !== null && keys.has(one.key)
    if (one.key !== null) keys.add(one.key)
    return isRepeated ? { ...one, key: null } : one
  })
}

test('plain payments are accepted exactly like by the function that has all rules', async () => {
  const counts = { accepted: 0, refused: 0, unknown: 0 }
  const property = fc.asyncProperty(
    fc.tuple(sender, sender, sender, sender),
    fc.array(order, { maxLength: 3 }),
    fc.array(order, { minLength: 1, maxLength: 7 }),
    requirements,
    async (states, earlier, asked, required) => {
      const history = await prepare(withoutRepeatedKeys(earlier))
      const group = await prepare(withoutRepeatedKeys(asked))
      await inUndoneTransaction(owner, async ({ sql: tx }) => {
        if (history.length > 0) await acceptPaymentRows(tx, required, history)
        for (const [index, state] of states.entries()) await bring(tx, index, state)
        const plain = await tried(tx, () => acceptPlainPaymentRows(tx, required, group))
        const accepted = group.filter((_, index) => plain.rows[index] !== null)
        const whole = await tried(tx, () => acceptPaymentRows(tx, required, accepted))
        assert.deepEqual(plain.rows.filter(Boolean), [...whole.rows])
        assert.deepEqual(plain.written, whole.written)
        for (const [index, { id }] of users.entries()) {
          const mine = group.filter(({ senderId }) => senderId === id)
          const own = asked.filter(({ sender }) => sender === index)
          const isKnown = isKnownToPlain(states[index] as SenderState, own)
          const { rows } = await tried(tx, () => acceptPaymentRows(tx, required, mine))
          const isAccepted = isKnown && rows.every(({ outcome }) => outcome === 'accepted')
          for (const one of mine) assert.equal(accepted.includes(one), isAccepted)
          if (mine.length > 0) counts[isAccepted ? 'accepted' : isKnown ? 'refused' : 'unknown']++
        }
      })
    },
  )
  await fc.assert(property, { numRuns: RUNS, seed: SEED })
  for (const [kind, count] of Object.entries(counts)) assert.ok(count > RUNS / 20, `${kind}: only ${count} of ${RUNS}`)
})
