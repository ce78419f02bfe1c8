import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import { RAILS } from '../src/money/rail/rail-rules.ts'
import { advanceClocks } from '../src/operation/scheduler/due-work.ts'
import { PAYMENT_STATUSES } from '../src/payments/payment/payment-status.ts'
import type { Api } from './support/api.ts'
import { refuseSecondPlatform } from './support/one-platform.ts'
import { startReceiver } from './support/receiver.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'
import { setWebhook } from './support/webhooks.ts'

// A week of one platform by the sandbox's clock, with all rails and outcomes. SIMULATED_PAYMENTS=1000 and
// SIMULATED_MOMENTS=100 are the long run.

const COUNT = Number(process.env.SIMULATED_PAYMENTS ?? 120)
const MOMENTS = Number(process.env.SIMULATED_MOMENTS ?? 50)

const service = await startTestService({ after })
const { deps } = service
await refuseSecondPlatform(service.ownerSql)

type Platform = Awaited<ReturnType<typeof newPlatform>>

async function newPlatform() {
  const { api: owner, id } = await service.newOwner()
  const sender = await service.newUser(undefined, owner)
  await sender.put('/v3/user', { payment: { expiration: 10 } })
  await addVerifiedBank(sender)
  const user = await service.newUser(undefined, owner)
  const elsewhere = await service.newOwner()
  return {
    id,
    owner,
    sender,
    wallet: await fundedWallet(sender, 10_000_000),
    recipient: { name: user.userId, api: user, accounts: await accountsOf(user) },
    recipientElsewhere: { name: elsewhere.email, api: elsewhere.api, accounts: await accountsOf(elsewhere.api) },
  }
}

/** An account of each kind. */
async function accountsOf(recipient: Api): Promise<Record<string, string>> {
  const accounts: Record<string, string> = { bank: await addBank(recipient), wallet: await fundedWallet(recipient, 0) }
  for (const [kind, body] of Object.entries({
    card: { card_number: '4242424242424242', expiration_date: '2099-12' },
    paypal: { username: 'payee@example.com' },
    venmo: { username: '+14155552671' },
    interac: { username: 'payee@example.ca' },
    wire: { name: 'Payee', routing: '021000021', account: '12345678', type: 'CHECKING' },
  })) {
    accounts[kind] = await idOf(recipient, kind, body)
  }
  const abroad = {
    name: 'Payee',
    routing: 'DEUTDEFF',
    account: 'DE89370400440532013000',
    country: 'DE',
    type: 'CHECKING',
  }
  accounts.abroad = await idOf(recipient, 'wire', abroad)
  return accounts
}

async function fundedWallet(user: Api, amount: number): Promise<string> {
  const { body } = await user.post('/v3/account/wallet', { name: 'Cash' })
  if (amount > 0) await user.post(`/v3/sandbox/wallet/${body.id}/fund`, { amount })
  return body.id
}

const idOf = async (user: Api, kind: string, body: object): Promise<string> =>
  (await user.post(`/v3/account/${kind}`, body)).body.id

/**
 * The variant of payment number `n`: every forty payments include each rail and each outcome, and some recipients are on another
 * platform. @returns its deposit
 */
async function makePayment({ sender, wallet, ...recipients }: Platform, n: number): Promise<() => Promise<void>> {
  const recipient = n % 4 === 1 ? recipients.recipientElsewhere : recipients.recipient
  const cents = [0, 0, 0, 0, 61, 62, 63, 64, 65, 66, 81, 82][n % 12] as number
  const order = { amount: 10 + (n % 50) + cents / 100, name: 'Recipient', recipient: recipient.name }
  const kinds = [
    'bank',
    'bank',
    'card',
    'paypal',
    'venmo',
    'interac',
    'wire',
    'abroad',
    'wallet',
    'bank',
    'RTP',
    'print',
    'mail',
    'void',
    'none',
  ]
  const kind = kinds[n % kinds.length] as string
  const isFromWallet = !['bank', 'print', 'mail', 'none'].includes(kind) || n % 2 === 0
  const more = {
    ...(isFromWallet && { account: wallet }),
    ...(kind === 'RTP' && { account: wallet, deposit_options: ['RTP'] }),
  }
  const { body, status, text } = await sender.post('/v3/check/digital', { ...order, ...more })
  assert.equal(status, 201, text)
  const { id } = body
  if (kind === 'none') return async () => {}
  if (kind === 'void') return async () => assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
  if (kind === 'print' || kind === 'mail') {
    const wanted = kind === 'print' ? 'PRINTED' : 'MAILED'
    return async () => assert.equal((await sender.put(`/v3/check/webhook/${id}`, { status: wanted })).status, 204)
  }
  return async () => {
    const { api, accounts } = recipient
    const answer = await api.post(`/v3/check/deposit/${id}`, { account: accounts[kind] ?? accounts.bank })
    assert.equal(answer.status, 201, answer.text)
  }
}

async function makePayments(platform: Platform): Promise<void> {
  for (let n = 0; n < COUNT; n += 20) {
    const numbers = Array.from({ length: Math.min(20, COUNT - n) }, (_, index) => n + index)
    const deposits = await Promise.all(numbers.map((number) => makePayment(platform, number)))
    await service.applyOutbox()
    await Promise.all(deposits.map((deposit) => deposit()))
  }
}

async function advance({ owner }: Platform, duration: string): Promise<void> {
  assert.equal((await owner.put('/v3/sandbox/clock', { advance: duration })).status, 200)
  while ((await advanceClocks(deps)) > 0);
  await service.applyOutbox()
}

/** An attempt that did not reach the receiver is repeated when its delivery is due again. */
async function deliverAll(platform: Platform): Promise<void> {
  for (let retries = 0; retries < 12; retries++) {
    while ((await service.deliverWebhooks()) > 0);
    const [left] = await deps.sql`select from deliveries where platform_id = ${platform.id} and status = 'PENDING'`
    if (!left) return
    await advance(platform, 'PT10H')
  }
}

test(`${COUNT} payments: every status and rail, each webhook once and in order, a balanced ledger at ${MOMENTS} moments`, async (t) => {
  const platform = await newPlatform()
  const receiver = await startReceiver(t)
  await setWebhook(platform.sender, receiver.url)
  await makePayments(platform)
  for (let moment = 0; moment < MOMENTS; moment++) {
    await advance(platform, 'PT12H')
    const verification = await verifyLedger(deps)
    assert.ok(isClean(verification), `at moment ${moment}: ${JSON.stringify(verification, null, 1)}`)
  }
  await advance(platform, 'P30D')
  await deliverAll(platform)

  const events = await deps.sql<{ subjectId: string; body: string }[]>`
    select e.subject_id, e.body
    from deliveries d
    join events e on e.platform_id = d.platform_id and e.id = d.event_id
    join endpoints p on p.platform_id = d.platform_id and p.id = d.endpoint_id
    where p.user_id = ${platform.sender.id}
    order by d.position
  `
  const received = Object.groupBy(
    receiver.received.map(({ body }) => body),
    (body) => JSON.parse(body).id,
  )
  const sent = Object.groupBy(events, ({ subjectId }) => subjectId)
  assert.equal(receiver.received.length, events.length)
  for (const [id, bodies] of Object.entries(sent))
    assert.deepEqual(
      received[id],
      bodies?.map(({ body }) => body),
    )

  const met = receiver.events()
  const statuses = new Set(met.map(({ status }) => status))
  assert.deepEqual(
    PAYMENT_STATUSES.filter((status) => status !== 'UNPAID' && !statuses.has(status)),
    [],
  )
  const rails = new Set(met.map((event) => event.deposit_option))
  assert.deepEqual(
    RAILS.filter((rail) => !rails.has(rail)),
    [],
  )
  const unfinished =
    await deps.sql`select id, status from payments where status in ('UNPAID', 'IN_PROCESS', 'PRINTED', 'MAILED')`
  assert.deepEqual([...unfinished], [])
  const copies = await deps.sql<{ isRight: boolean }[]>`
    with r as materialized (select payment_id, sender_platform_id, status, updated_at from received_payments),
    p as materialized (select platform_id, id, status, updated_at from payments)
    select r.status = p.status and r.updated_at = p.updated_at as is_right
    from r
    join p on p.platform_id = r.sender_platform_id and p.id = r.payment_id
  `
  assert.ok(copies.length > COUNT / 5 && copies.every(({ isRight }) => isRight), 'each copy is like its payment')
  t.diagnostic(`${events.length} webhooks of ${COUNT} payments`)
})

test('a week passes in seconds', async (t) => {
  const platform = await newPlatform()
  await makePayments(platform)
  const begin = performance.now()
  await advance(platform, 'P7D')
  t.diagnostic(`a week with ${COUNT} payments: ${Math.round(performance.now() - begin)} ms`)
  assert.ok(isClean(await verifyLedger(deps)))
})
