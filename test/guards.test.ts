import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { type EnvironmentSettings, environmentDefaults } from '../src/foundation/core/environment.ts'
import { ApiError } from '../src/foundation/core/errors.ts'
import { EVERY_PERMISSION } from '../src/foundation/core/permission-rules.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import type { Caller } from '../src/foundation/http/caller.ts'
import type { IdempotencyClaim } from '../src/foundation/http/idempotency/idempotency-store.ts'
import { acceptPayment } from '../src/payments/payment/accept/accept-actions.ts'
import { type Order, senderOf } from '../src/payments/payment/accept/prepare-actions.ts'
import type { UserLimits } from '../src/people/user/limit/limit-rules.ts'
import { changeLimits, decideUser } from '../src/people/user/operator-actions.ts'
import { watchGroups } from './support/groups.ts'
import { newWallet } from './support/money.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { allRows } from './support/rows.ts'
import { addBank, addVerifiedBank, startTestService, type TestUser } from './support/service.ts'
import { newPayee, newSender, type Sender } from './support/webhooks.ts'

// Each reason to refuse a payment, alone and in a group. A refusal changes no row of any table.

const service = await startTestService({ after })
const groups = watchGroups({ after }, service)
const platformId: string = (await service.owner.get('/v3/user')).body.user.id
const others = await Promise.all(Array.from({ length: 4 }, () => newSender(service)))
for (const { id: userId } of others) {
  await inTransaction(service.deps, (tx) => decideUser(tx, { platformId, userId }, 'verify'))
}

type By = { id: string; platformId?: string }

const callerOf = (user: By): Caller => ({
  platformId: user.platformId ?? platformId,
  userId: user.id,
  isOwner: user.id === user.platformId,
  permissions: EVERY_PERMISSION,
  credential: { kind: 'api_key', id: '0'.repeat(32) },
  origin: { address: '127.0.0.1', userAgent: null },
})

type Refused = {
  sender: By
  order?: Partial<Order>
  claim?: IdempotencyClaim
  /** Settings of an environment with stricter rules for senders. */
  settings?: Partial<EnvironmentSettings>
  end?: () => Promise<unknown>
}

const baseOrder: Order = { amount: 12.5, name: 'Recipient', recipient: 'recipient@example.com' }

const accept = (sender: By, order: Partial<Order> = {}, claim: IdempotencyClaim | null = null) =>
  acceptPayment(
    { how: 'withOthers', deps: groups.acceptDeps },
    { sender: senderOf(callerOf(sender)), order: { ...baseOrder, ...order }, claim },
  )

const newClaim = (): IdempotencyClaim => ({
  platformId,
  digests: { [service.keyRing.ids[0]]: { key: randomBytes(32).toString('hex'), fingerprint: 'aa' } },
  now: new Date(),
})

const ofAnotherBody = ({ digests }: IdempotencyClaim) =>
  Object.fromEntries(Object.entries(digests).map(([id, { key }]) => [id, { key, fingerprint: 'bb' }]))

async function withStatus(user: TestUser, status: string): Promise<TestUser> {
  const answer = await user.put('/v3/user/webhook', { status })
  assert.equal(answer.status, 204, answer.text)
  return user
}

async function withLimits(user: Sender, limits: Partial<UserLimits>): Promise<Sender> {
  await inTransaction(service.deps, (tx) => changeLimits(tx, { platformId, userId: user.id }, limits))
  return user
}

/** A user whose only bank is blocked, because a debit was returned with R02. */
async function newBlocked(): Promise<Sender> {
  const [user, payee] = [await service.newUser(), await newPayee(service)]
  const bankId = await addBank(user, '9999999902')
  await user.post('/v3/bank/release', { account: bankId })
  await user.post('/v3/bank/verify', { account: bankId, amount_1: 0.07, amount_2: 0.15 })
  await sendPayment(user, { recipient: { id: payee.userId, account: payee.bankId } })
  for (let day = 0; day < 5; day++) {
    service.clock.advance(24 * 3_600)
    await service.doDueWork()
  }
  return { ...user, bankId }
}

const { limits, mustBeVerified, signatureAboveCents } = environmentDefaults.production

type Guard = { code: string; arrange: () => Promise<Refused> }

const guards: Record<string, Guard> = {
  'a deleted sender': {
    code: 'unauthorized',
    arrange: async () => {
      const sender = await newSender(service)
      assert.equal((await service.owner.del(`/v3/user/${sender.id}`)).status, 200)
      return { sender }
    },
  },
  'a suspended sender': {
    code: 'user_not_active',
    arrange: async () => ({ sender: await withStatus(await newSender(service), 'SUSPENDED') }),
  },
  'a closed sender': {
    code: 'user_not_active',
    arrange: async () => ({ sender: await withStatus(await newSender(service), 'CLOSED') }),
  },
  'a sender that is not VERIFIED, where this is required': {
    code: 'user_not_verified',
    arrange: async () => ({ sender: await newSender(service), settings: { mustBeVerified } }),
  },
  'an amount above the limit of a payment': {
    code: 'payment_limit_reached',
    arrange: async () => ({ sender: await newSender(service), order: { amount: 2_000.01 }, settings: { limits } }),
  },
  'an amount above the sender’s own limit of a payment': {
    code: 'payment_limit_reached',
    arrange: async () => ({ sender: await withLimits(await newSender(service), { paymentCents: 1_249 }) }),
  },
  'an amount above the rest of the daily limit': {
    code: 'day_limit_reached',
    arrange: async () => {
      const sender = await withLimits(await newSender(service), { dayCents: 2_000 })
      await sendPayment(sender, { amount: 7.51 })
      return { sender }
    },
  },
  'an amount above the rest of the monthly limit': {
    code: 'month_limit_reached',
    arrange: async () => {
      const sender = await withLimits(await newSender(service), { monthCents: 2_000 })
      await sendPayment(sender, { amount: 7.51 })
      return { sender }
    },
  },
  'an amount that requires a signature, without one': {
    code: 'signature_needed',
    arrange: async () => ({
      sender: await newSender(service),
      order: { amount: 2_000.01 },
      settings: { signatureAboveCents },
    }),
  },
  'a wallet that holds a cent too little': {
    code: 'insufficient_funds',
    arrange: async () => {
      const sender = await newSender(service)
      return { sender, order: { account: await newWallet(sender, 12.49) } }
    },
  },
  'a wallet whose money is reserved for another payment': {
    code: 'insufficient_funds',
    arrange: async () => {
      const sender = await newSender(service)
      const account = await newWallet(sender, 20)
      await sendPayment(sender, { amount: 10, account })
      return { sender, order: { account } }
    },
  },
  'a wallet of another user': {
    code: 'bank_not_found',
    arrange: async () => ({
      sender: await newSender(service),
      order: { account: await newWallet(await newSender(service)) },
    }),
  },
  'a deleted wallet': {
    code: 'bank_not_found',
    arrange: async () => {
      const sender = await newSender(service)
      const account = await newWallet(sender, 0)
      assert.equal((await sender.del(`/v3/account/wallet/${account}`)).status, 200)
      return { sender, order: { account } }
    },
  },
  'from a wallet into a wallet of somebody else': {
    code: 'bank_not_found',
    arrange: async () => {
      const [sender, payee, other] = [await newSender(service), await newPayee(service), await newPayee(service)]
      const recipient = { id: payee.userId, account: await newWallet(other) }
      return { sender, order: { account: await newWallet(sender), recipient } }
    },
  },
  'from a wallet into a wallet that was deleted': {
    code: 'bank_not_found',
    arrange: async () => {
      const [sender, payee] = [await newSender(service), await newPayee(service)]
      const account = await newWallet(payee, 0)
      assert.equal((await payee.del(`/v3/account/wallet/${account}`)).status, 200)
      return { sender, order: { account: await newWallet(sender), recipient: { id: payee.userId, account } } }
    },
  },
  'from a wallet to a card that was deleted': {
    code: 'bank_not_found',
    arrange: async () => {
      const [sender, payee] = [await newSender(service), await newPayee(service)]
      const card = { card_number: '4242424242424242', expiration_date: '2099-12' }
      const account = (await payee.post('/v3/account/card', card)).body.id
      assert.equal((await payee.del(`/v3/account/card/${account}`)).status, 200)
      return { sender, order: { account: await newWallet(sender), recipient: { id: payee.userId, account } } }
    },
  },
  'a bank of another user': {
    code: 'bank_not_found',
    arrange: async () => ({
      sender: await newSender(service),
      order: { account: (await newSender(service)).bankId },
    }),
  },
  'an unknown bank': {
    code: 'bank_not_found',
    arrange: async () => ({ sender: await newSender(service), order: { account: 'f'.repeat(32) } }),
  },
  'a deleted bank': {
    code: 'bank_not_found',
    arrange: async () => {
      const sender = await newSender(service)
      const account = await addVerifiedBank(sender)
      assert.equal((await sender.del(`/v3/bank/${account}`)).status, 200)
      return { sender, order: { account } }
    },
  },
  'a bank that is DEPOSIT_ONLY': {
    code: 'bank_not_verified',
    arrange: async () => {
      const sender = await newSender(service)
      return { sender, order: { account: await addBank(sender) } }
    },
  },
  'a bank that is PENDING': {
    code: 'bank_not_verified',
    arrange: async () => {
      const sender = await newSender(service)
      const account = await addBank(sender)
      assert.equal((await sender.post('/v3/bank/release', { account })).status, 201)
      return { sender, order: { account } }
    },
  },
  'a sender without a bank': {
    code: 'no_verified_bank',
    arrange: async () => ({ sender: await service.newUser() }),
  },
  'a sender whose default bank is not verified': {
    code: 'no_verified_bank',
    arrange: async () => ({ sender: await newPayee(service) }),
  },
  'an unknown recipient.id': {
    code: 'recipient_not_found',
    arrange: async () => ({
      sender: await newSender(service),
      order: { recipient: { id: 'nobody', account: (await newPayee(service)).bankId } },
    }),
  },
  'a recipient.id of another platform': {
    code: 'recipient_not_found',
    arrange: async () => {
      const elsewhere = (await service.newOwner()).api
      const payee = await service.newUser(undefined, elsewhere)
      return { sender: await newSender(service), order: { recipient: { id: payee.id, account: await addBank(payee) } } }
    },
  },
  'a recipient.account of another user': {
    code: 'bank_not_found',
    arrange: async () => ({
      sender: await newSender(service),
      order: { recipient: { id: (await newPayee(service)).userId, account: (await newPayee(service)).bankId } },
    }),
  },
  'a recipient.account of the sender': {
    code: 'bank_not_found',
    arrange: async () => {
      const sender = await newSender(service)
      return { sender, order: { recipient: { id: (await newPayee(service)).userId, account: sender.bankId } } }
    },
  },
  'a deleted recipient.account': {
    code: 'bank_not_found',
    arrange: async () => {
      const payee = await newPayee(service)
      assert.equal((await payee.del(`/v3/bank/${payee.bankId}`)).status, 200)
      return { sender: await newSender(service), order: { recipient: { id: payee.userId, account: payee.bankId } } }
    },
  },
  'the sender itself by its user_id': {
    code: 'own_recipient',
    arrange: async () => {
      const sender = await newSender(service)
      return { sender, order: { recipient: sender.userId } }
    },
  },
  'the sender itself by its system id': {
    code: 'own_recipient',
    arrange: async () => {
      const sender = await newSender(service)
      return { sender, order: { recipient: { id: sender.id, account: await addBank(sender) } } }
    },
  },
  'the sender itself by its email as an owner': {
    code: 'own_recipient',
    arrange: async () => {
      const { api, id, email } = await service.newOwner()
      await addVerifiedBank(api)
      return { sender: { id, platformId: id }, order: { recipient: email.toUpperCase() } }
    },
  },
  'the sender itself by its phone number': {
    code: 'own_recipient',
    arrange: async () => {
      const sender = await newSender(service)
      await sender.put('/v3/user', { user: { phone: '+14155552671' } })
      return { sender, order: { recipient: '(415) 555-2671' } }
    },
  },
  'a sender with a debt': {
    code: 'debt_open',
    arrange: async () => {
      const [sender, payee] = [await newSender(service), await newPayee(service)]
      await sendPayment(sender, { amount: 40.64, recipient: { id: payee.userId, account: payee.bankId } })
      for (let day = 0; day < 40; day++) {
        service.clock.advance(24 * 3_600)
        await service.doDueWork()
      }
      return { sender }
    },
  },
  'a suspended recipient': {
    code: 'recipient_not_active',
    arrange: async () => ({
      sender: await newSender(service),
      order: { recipient: (await withStatus(await newPayee(service), 'SUSPENDED')).userId },
    }),
  },
  'a closed recipient, into its bank': {
    code: 'recipient_not_active',
    arrange: async () => {
      const payee = await newPayee(service)
      await withStatus(payee, 'CLOSED')
      return { sender: await newSender(service), order: { recipient: { id: payee.userId, account: payee.bankId } } }
    },
  },
  'a nonexistent recipient': {
    code: 'invalid_recipient',
    arrange: async () => ({ sender: await newSender(service), order: { recipient: 'nobody' } }),
  },
  'a deleted recipient': {
    code: 'invalid_recipient',
    arrange: async () => {
      const payee = await newPayee(service)
      assert.equal((await service.owner.del(`/v3/user/${payee.id}`)).status, 200)
      return { sender: await newSender(service), order: { recipient: payee.userId } }
    },
  },
  'a bank whose account is blocked': {
    code: 'bank_blocked',
    arrange: async () => ({ sender: await newBlocked() }),
  },
  'a blocked account of the recipient': {
    code: 'bank_blocked',
    arrange: async () => {
      const { userId, bankId } = await newBlocked()
      return { sender: await newSender(service), order: { recipient: { id: userId, account: bankId } } }
    },
  },
  'an Idempotency-Key of another body': {
    code: 'idempotency_key_reused',
    arrange: async () => {
      const sender = await newSender(service)
      const claim = newClaim()
      await accept(sender, {}, claim)
      return { sender, claim: { ...claim, digests: ofAnotherBody(claim) } }
    },
  },
}

/** On a cluster there are no groups of plain payments. */
const waysToGroup = service.deps.isDistributed ? ['all'] : ['all', 'plain']

/** The sizes that groups can have. On a cluster, a sender of another platform or with a wallet has a group of its own. */
function groupsOf(way: string): string[] {
  if (service.deps.isDistributed) return ['5', '4,1', '1,4']
  return way === 'plain' ? ['4,1'] : ['5']
}

for (const [what, guard] of Object.entries(guards)) {
  for (const way of waysToGroup) {
    test(`${what} is refused and changes nothing, alone and in a group (${way})`, refusing(way, guard))
  }
}

function refusing(way: string, { code, arrange }: Guard) {
  return async () => {
    const { sender, order, claim, settings: asked, end } = await arrange()
    const { sql } = service.deps
    groups.ask(asked ?? {})
    groups.keepPlainApart(way === 'plain')
    const acceptRefused = () => accept(sender, order, claim)
    const isRefusal = (error: unknown) => error instanceof ApiError && error.code === code

    const rows = await allRows(sql)
    await assert.rejects(acceptRefused(), isRefusal)
    assert.deepEqual(await allRows(sql), rows)

    groups.sizes.length = 0
    groups.gather(5)
    const [first, second, refused, third, fourth] = await Promise.allSettled([
      accept(others[0] as Sender, {}, newClaim()),
      accept(others[1] as Sender),
      acceptRefused(),
      accept(others[2] as Sender, {}, newClaim()),
      accept(others[3] as Sender),
    ])
    await end?.()
    assert.ok(groupsOf(way).includes(groups.sizes.join()), `they did not share one transaction: ${groups.sizes}`)
    assert.ok(refused.status === 'rejected' && isRefusal(refused.reason))

    const made = [first, second, third, fourth].map((result) => {
      if (result.status === 'rejected') throw result.reason
      return JSON.parse(result.value.text).id as string
    })
    const rowsNow = await allRows(sql)
    const newRows = [...rowsNow.difference(rows)]
    const goneRows = [...rows.difference(rowsNow)]
    const kinds = (list: string[]) => list.map((row) => row.split(' ', 1)[0]).sort()
    assert.deepEqual(kinds(goneRows), Array(4).fill('user_counters'))
    assert.deepEqual(kinds(newRows), [...Array(4).fill('payments'), ...Array(4).fill('user_counters')])
    const newPayments = newRows.filter((row) => row.startsWith('payments ')).map((row) => row.replaceAll('-', ''))
    for (const id of made) assert.equal(newPayments.filter((row) => row.includes(id)).length, 1)
  }
}

/** Refusals of the other calls that change a payment, each with its payment. */
const movements: Record<
  string,
  { code: string; act: (world: World) => Promise<{ status: number; body: { code: string } }> }
> = {
  'voiding a PAID payment': {
    code: 'not_voidable',
    act: async ({ sender, payment }) => {
      await triggerStatus(sender, payment.id, 'PAID')
      return refusedBy(() => sender.del(`/v3/check/${payment.id}`))
    },
  },
  'voiding twice': {
    code: 'not_voidable',
    act: async ({ sender, payment }) => {
      assert.equal((await sender.del(`/v3/check/${payment.id}`)).status, 200)
      return refusedBy(() => sender.del(`/v3/check/${payment.id}`))
    },
  },
  'voiding by the recipient': {
    code: 'not_the_sender',
    act: ({ payee, payment }) => refusedBy(() => payee.del(`/v3/check/${payment.id}`)),
  },
  'voiding by another user': {
    code: 'payment_not_found',
    act: ({ stranger, payment }) => refusedBy(() => stranger.del(`/v3/check/${payment.id}`)),
  },
  'depositing by the sender': {
    code: 'not_the_recipient',
    act: ({ sender, payment }) =>
      refusedBy(() => sender.post(`/v3/check/deposit/${payment.id}`, { account: sender.bankId }, withKey())),
  },
  'depositing by another user': {
    code: 'payment_not_found',
    act: ({ stranger, payment }) =>
      refusedBy(() => stranger.post(`/v3/check/deposit/${payment.id}`, { account: stranger.bankId }, withKey())),
  },
  'depositing into a bank of another user': {
    code: 'bank_not_found',
    act: ({ payee, stranger, payment }) =>
      refusedBy(() => payee.post(`/v3/check/deposit/${payment.id}`, { account: stranger.bankId }, withKey())),
  },
  'depositing with an option that a bank does not have': {
    code: 'invalid_deposit_option',
    act: async ({ sender, payee }) => {
      const payment = await sendPayment(sender, { recipient: payee.userId, deposit_options: ['PRINT'] })
      return refusedBy(() => payee.post(`/v3/check/deposit/${payment.id}`, { account: payee.bankId }, withKey()))
    },
  },
  'depositing into a nonexistent account': {
    code: 'bank_not_found',
    act: ({ payee, payment }) =>
      refusedBy(() => payee.post(`/v3/check/deposit/${payment.id}`, { account: '0'.repeat(32) }, withKey())),
  },
  'depositing into a deleted bank': {
    code: 'bank_not_found',
    act: async ({ payee, payment }) => {
      assert.equal((await payee.del(`/v3/bank/${payee.bankId}`)).status, 200)
      return refusedBy(() => payee.post(`/v3/check/deposit/${payment.id}`, { account: payee.bankId }, withKey()))
    },
  },
  'depositing into a blocked account': {
    code: 'bank_blocked',
    act: async ({ sender }) => {
      const holder = await newBlocked()
      const payment = await sendPayment(sender, { recipient: holder.userId })
      return refusedBy(() => holder.post(`/v3/check/deposit/${payment.id}`, { account: holder.bankId }, withKey()))
    },
  },
  'depositing a payment from a bank into a wallet': {
    code: 'invalid_deposit_option',
    act: async ({ payee, payment }) => {
      const account = await newWallet(payee, 0)
      return refusedBy(() => payee.post(`/v3/check/deposit/${payment.id}`, { account }, withKey()))
    },
  },
  'depositing after the sender was suspended': {
    code: 'not_depositable',
    act: async ({ sender, payee, payment }) => {
      await withStatus(sender, 'SUSPENDED')
      return refusedBy(() => payee.post(`/v3/check/deposit/${payment.id}`, { account: payee.bankId }, withKey()))
    },
  },
  'depositing twice': {
    code: 'not_depositable',
    act: async ({ payee, payment }) => {
      const deposit = () => payee.post(`/v3/check/deposit/${payment.id}`, { account: payee.bankId })
      assert.equal((await deposit()).status, 201)
      return refusedBy(deposit)
    },
  },
  'depositing a voided payment': {
    code: 'not_depositable',
    act: async ({ sender, payee, payment }) => {
      await sender.del(`/v3/check/${payment.id}`)
      return refusedBy(() => payee.post(`/v3/check/deposit/${payment.id}`, { account: payee.bankId }, withKey()))
    },
  },
  'depositing by a suspended recipient': {
    code: 'user_not_active',
    act: async ({ payee, payment }) => {
      await withStatus(payee, 'SUSPENDED')
      return refusedBy(() => payee.post(`/v3/check/deposit/${payment.id}`, { account: payee.bankId }, withKey()))
    },
  },
  'triggering a status that is not in the table': {
    code: 'status_not_reachable',
    act: async ({ sender, payment }) => {
      await triggerStatus(sender, payment.id, 'PAID')
      return refusedBy(() => sender.put(`/v3/check/webhook/${payment.id}`, { status: 'VOID' }))
    },
  },
  'triggering a return code with a status that does not fail': {
    code: 'status_not_reachable',
    act: ({ sender, payment }) =>
      refusedBy(() =>
        sender.put(`/v3/check/webhook/${payment.id}`, { status: 'PAID', options: { return_code: 'R01' } }),
      ),
  },
  'triggering by another user': {
    code: 'payment_not_found',
    act: ({ stranger, payment }) =>
      refusedBy(() => stranger.put(`/v3/check/webhook/${payment.id}`, { status: 'PAID' })),
  },
}

type World = { sender: Sender; payee: Sender; stranger: Sender; payment: { id: string } }

const withKey = () => ({ idempotencyKey: randomBytes(8).toString('hex') })

async function refusedBy<A>(ask: () => Promise<A>): Promise<A> {
  const rows = await allRows(service.deps.sql)
  const answer = await ask()
  assert.deepEqual(await allRows(service.deps.sql), rows)
  return answer
}

for (const [what, { code, act }] of Object.entries(movements)) {
  test(`${what} is refused and changes nothing`, async () => {
    const [sender, payee, stranger] = await Promise.all([newSender(service), newPayee(service), newPayee(service)])
    const payment = await sendPayment(sender, { recipient: payee.userId })
    const { status, body } = await act({ sender, payee, stranger, payment })
    assert.deepEqual([body.code, status < 500], [code, true])
  })
}
