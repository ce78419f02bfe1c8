import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError } from '../src/foundation/core/errors.ts'
import { EVERY_PERMISSION } from '../src/foundation/core/permission-rules.ts'
import { connect } from '../src/foundation/db/connect.ts'
import type { Caller } from '../src/foundation/http/caller.ts'
import { acceptanceOrders, acceptPayment } from '../src/payments/payment/accept/accept-actions.ts'
import { type Order, senderOf } from '../src/payments/payment/accept/prepare-actions.ts'
import { watchGroups } from './support/groups.ts'
import { lockRow } from './support/locks.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { startTestService } from './support/service.ts'
import { assertNumbersInOrder } from './support/truth.ts'
import { newPayee, newSender } from './support/webhooks.ts'

// Payments accepted by one database call: each gets the same result as on its own.

const service = await startTestService({ after })
const { sql } = service.deps
const groups = watchGroups({ after }, service)
const platformId: string = (await service.owner.get('/v3/user')).body.user.id

const callerOf = (userId: string, own: Partial<Caller> = {}): Caller => ({
  platformId,
  userId,
  isOwner: false,
  permissions: EVERY_PERMISSION,
  credential: { kind: 'api_key', id: '0'.repeat(32) },
  origin: { address: '127.0.0.1', userAgent: null },
  ...own,
})

type Asked = { caller: Caller; order: Partial<Order> }

/** Accepts all in one group. @returns ids and refusal codes, in the order of `asked` */
async function acceptGroup(asked: readonly Asked[]): Promise<string[]> {
  groups.sizes.length = 0
  groups.gather(asked.length)
  const results = await Promise.allSettled(
    asked.map(({ caller, order }) => {
      const whole = { amount: 10, name: 'Customer', recipient: 'recipient@example.com', ...order }
      return acceptPayment({ how: 'withOthers', deps: groups.acceptDeps }, { sender: senderOf(caller), order: whole })
    }),
  )
  // On a cluster, the payments of a group are of one platform, and all use wallets or none does.
  const byGroup = Map.groupBy(asked, ({ caller, order }) =>
    service.deps.isDistributed ? `${caller.platformId} ${order.account !== undefined}` : 'any',
  )
  const sizes = [...byGroup.values()].map(({ length }) => length)
  assert.deepEqual(groups.sizes.toSorted(), sizes.toSorted(), 'they did not share one transaction')
  return results.map((result) => {
    if (result.status === 'fulfilled') return JSON.parse(result.value.text).id
    assert.ok(result.reason instanceof ApiError, String(result.reason))
    return result.reason.code
  })
}

test('payments of all kinds in one group do not affect each other', async () => {
  const holder = await newAccountHolder(service)
  const maker = await newAccountHolder(service)
  const application = await registerApplication(maker.browser)
  await obtainTokens(service, holder.browser, application, 'single-use')
  const [grant] = await sql<{ platformId: string; id: string }[]>`select platform_id, id from grants`
  assert.ok(grant)
  const payee = await newPayee(service)
  const [mailing, bank, wallet, guest] = await Promise.all(Array.from({ length: 4 }, () => newSender(service)))
  assert.ok(mailing && bank && wallet && guest)
  const address = { line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' }
  const from = await newWallet(wallet, 50)
  const into = await newWallet(payee, 0)
  const token = { kind: 'token', id: grant.id, applicationId: application.id, scope: 'single-use' } as const

  const ids = await acceptGroup([
    // Sorted by sender id, as in a group: the grant comes first.
    { caller: callerOf(grant.platformId, { platformId: grant.platformId, credential: token }), order: {} },
    { caller: callerOf(mailing.id), order: { recipient: address, mail_type: 'OVERNIGHT' } },
    { caller: callerOf(bank.id), order: { recipient: { id: payee.userId, account: payee.bankId }, number: 'A-7' } },
    { caller: callerOf(wallet.id), order: { account: from, recipient: { id: payee.userId, account: into } } },
    {
      caller: callerOf(guest.id),
      order: { pin: { value: '1234' }, attachment: { content: PDF, filename: 'bill.pdf' } },
    },
  ])

  const rows = await sql`
    select
      p.number, p.application_id is not null and p.grant_id is not null as is_granted, p.invitation, p.status, p.rail,
      p.recipient_id is not null as is_known, p.address is not null as is_mailed, p.mail_type,
      p.pin_sealed is not null as has_pin, p.deposited_at is not null as is_deposited,
      (select count(*) from attachments a where a.platform_id = p.platform_id and a.payment_id = p.id) as attachments,
      (select count(*) from received_payments r where r.platform_id = p.platform_id and r.payment_id = p.id) as copies,
      (select string_agg(purpose, ' ') from legs l where l.platform_id = p.platform_id and l.subject_id = p.id) as legs,
      (select count(*) from events e where e.platform_id = p.platform_id and e.subject_id = p.id) as events,
      (select count(*) from transfers t where t.platform_id = p.platform_id and t.payment_id = p.id) as transfers
    from payments p
    where p.id = any (${ids}::uuid[])
    order by array_position(${ids}::uuid[], p.id)
  `
  const plain = {
    number: '1',
    isGranted: false,
    invitation: null,
    status: 'UNPAID',
    rail: null,
    isKnown: false,
    isMailed: false,
    mailType: null,
    hasPin: false,
    isDeposited: false,
    attachments: 0,
    copies: 0,
    legs: null,
    events: 0,
    transfers: 0,
  }
  const deposited = { status: 'IN_PROCESS', isDeposited: true, legs: 'payment_pull', events: 1 }
  const known = { isKnown: true }
  assert.deepEqual(
    [...rows],
    [
      { ...plain, isGranted: true, invitation: 'DUE' },
      { ...plain, ...deposited, rail: 'MAIL', isMailed: true, mailType: 'OVERNIGHT' },
      { ...plain, ...deposited, ...known, number: 'A-7', rail: 'ACH' },
      { ...plain, ...known, status: 'PAID', rail: 'WALLET', events: 1, transfers: 2 },
      { ...plain, invitation: 'DUE', hasPin: true, attachments: 1 },
    ],
  )
  const [spent] = await sql<{ isSpent: boolean }[]>`select spent_at is not null as is_spent from grants`
  assert.equal(spent?.isSpent, true)
  await assertLedger(service)
})

test('payments of one sender in one group: each sees the effects of the earlier ones', async () => {
  const sender = await newSender(service)
  await sql`
    insert into user_limits (platform_id, user_id, day_cents) values (${platformId}, ${sender.id}, 3050)
  `
  const caller = callerOf(sender.id)
  const outcomes = await acceptGroup(Array.from({ length: 5 }, () => ({ caller, order: {} })))
  assert.equal(outcomes.filter((outcome) => outcome === 'day_limit_reached').length, 2)
  await assertNumbersInOrder(sql, [sender.id])
  const [{ count }] = (await sql`select count(*) from payments where sender_id = ${sender.id}`) as [{ count: number }]
  assert.equal(count, 3)
})

test('payments from one wallet in one group are accepted until its money is used up', async () => {
  const sender = await newSender(service)
  const account = await newWallet(sender, 25)
  const caller = callerOf(sender.id)
  const outcomes = await acceptGroup(Array.from({ length: 4 }, () => ({ caller, order: { account } })))
  assert.equal(outcomes.filter((outcome) => outcome === 'insufficient_funds').length, 2)
  assert.equal(await balanceOf(sender, account), 5)
  await assertLedger(service)
})

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n').toString('base64')

test('a repeated request gets the answer of the version that created the payment, byte for byte', async () => {
  const sender = await newSender(service)
  const order = {
    amount: 10,
    name: 'Zoë',
    recipient: 'recipient@example.com',
    number: '0042',
    description: 'Line 1\nLine 2',
    remittance_advice: [{ id: 'INV-1', date: '2026-01-31', amount: 10, description: 'One' }],
  }
  const options = { idempotencyKey: 'kept by version 1' }
  const first = await sender.post('/v3/check/digital', order, options)
  const { id, date } = first.body
  const text = `{"id":"${id}","number":"0042","amount":10,"date":"${date}","status":"UNPAID","name":"Zoë","recipient":"recipient@example.com","description":"Line 1\\nLine 2","comment":null,"image_uri":null,"remittance_advice":[["INV-1","2026-01-31","10.00","One"]]}`
  assert.equal(first.text, text)
  assert.equal((await sql`select from payments where id = ${id} and answer_version = 1`).length, 1)
  assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
  const again = await sender.post('/v3/check/digital', order, options)
  assert.deepEqual([again.status, again.text, again.headers.get('idempotent-replayed')], [201, text, 'true'])
})

test('the key of an order is in use while another process holds the sender', async (t) => {
  const sender = await newSender(service)
  const impatient = connect(service.databaseUrl, { max: 1, applicationName: 'test', lockTimeoutMs: 50 })
  t.after(() => impatient.end({ timeout: 5 }))
  const { runAlone: acceptTogether } = acceptanceOrders({ ...service.deps, sql: impatient }, impatient)
  const digest = { key: '00'.repeat(40), fingerprint: '00'.repeat(40) }
  const claim = {
    platformId,
    digests: Object.fromEntries(service.deps.keyRing.ids.map((id) => [id, digest])),
    now: new Date(),
  }
  const order = { amount: 10, name: 'Customer', recipient: 'recipient@example.com' }
  const accept = () =>
    acceptPayment(
      { how: 'withOthers', deps: { ...service.deps, acceptTogether } },
      { sender: senderOf(callerOf(sender.id)), order, claim },
    )
  await service.ownerSql.begin(async (tx) => {
    await lockRow(tx, 'user_counters', sender.id)
    await assert.rejects(accept(), { code: 'idempotency_key_in_use' })
  })
  const { id, text } = await accept()
  assert.deepEqual(await accept(), { id, text, isReplayed: true, result: null })
})
