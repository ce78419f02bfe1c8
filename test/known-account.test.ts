import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { allRows, rowCounts, webhookBodies } from './support/rows.ts'
import { addBank, addVerifiedBank, newAccountNumber, startTestService, type TestUser } from './support/service.ts'

// Payments to the known account of a payee without a user: an account of a saved payee, or an account number in the request.

const service = await startTestService({ after }, { settings: { blockScope: 'platform' } })
const { clock, deps, doDueWork, newUser } = service
const DAY = 24 * 3_600
const UNKNOWN_ID = '0'.repeat(32)
const NO_ACCOUNT = '9999999903' // R03: blocks debits and credits
const order = { amount: 10, name: 'Dana Payee' }

const sender = await newUser()
await addVerifiedBank(sender)
const wallet = await newWallet(sender, 1_000)

async function savedPayee(
  user: TestUser,
  { email, account = newAccountNumber() }: { email?: string; account?: string } = {},
) {
  const { body: entry } = await user.post('/v3/directory', { name: 'Saved Payee', ...(email && { email }) })
  const url = `/v3/directory/${entry.id}/account`
  const { body: bank } = await user.post(`${url}/bank`, { routing: '021000021', account, type: 'CHECKING' })
  const card = { card_number: '4242424242424242', expiration_date: '2099-12' }
  const { body: saved } = await user.post(`${url}/card`, card)
  return { id: entry.id as string, account, bank: bank.id as string, card: saved.id as string }
}

const direct = (given: object = {}) => ({
  ...order,
  recipient: 'dana@example.com',
  account_number: newAccountNumber(),
  routing_number: '021000021',
  account_type: 'CHECKING',
  ...given,
})

const statusOf = async (id: string): Promise<string> => (await sender.get(`/v3/check/${id}`)).body.status

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.advance(DAY)
    await doDueWork()
  }
}

const copiedBanks = (paymentId: string) => deps.sql<
  { accountSealed: Buffer; status: string; isDeleted: boolean; type: string }[]
>`
  select account_sealed, status, deleted_at is not null as is_deleted, type
  from banks
  where user_id = ${paymentId}
`

test('a payment to a saved payee is deposited at creation into a copy of its account, and is paid', async () => {
  const payee = await savedPayee(sender, { email: 'dana@example.com' })
  const sent = await sendPayment(sender, { ...order, recipient: { id: payee.id, account: payee.bank } })
  assert.deepEqual([sent.status, sent.recipient, sent.name], ['IN_PROCESS', 'dana@example.com', 'Dana Payee'])
  assert.deepEqual(await webhookBodies(deps.sql, sent.id), [
    { id: sent.id, status: 'IN_PROCESS', type: 'CHECK', deposit_option: 'ACH' },
  ])
  const [bank, ...others] = await copiedBanks(sent.id)
  assert.equal(deps.keyRing.openText(bank?.accountSealed as Buffer, 'bank account'), payee.account)
  assert.deepEqual([bank?.status, bank?.isDeleted, others], ['DEPOSIT_ONLY', true, []])
  await sender.del(`/v3/directory/${payee.id}`)
  await passDays(9)
  assert.equal(await statusOf(sent.id), 'PAID')
  await assertLedger(service)
})

test('a card of a saved payee is paid from a wallet, and a bank cannot pay it', async () => {
  const payee = await savedPayee(sender)
  const recipient = { id: payee.id, account: payee.card }
  const before = await balanceOf(sender, wallet)
  const sent = await sendPayment(sender, { ...order, recipient, account: wallet })
  assert.deepEqual([sent.status, sent.recipient], ['IN_PROCESS', 'Saved Payee'])
  const [card] = await deps.sql`select kind, details, account_sealed from destinations where user_id = ${sent.id}`
  assert.deepEqual(card, {
    kind: 'card',
    details: { card_number: '4242', expiration_date: '2099-12' },
    accountSealed: null,
  })
  assert.equal((await sender.get(`/v3/check/${sent.id}/deposit`)).body.check_type, 'INSTANT')
  await passDays(2)
  assert.deepEqual([await statusOf(sent.id), await balanceOf(sender, wallet)], ['PAID', before - 10])
  const refused = await sender.post('/v3/check/digital', { ...order, recipient })
  assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_deposit_option'])
  await assertLedger(service)
})

test('an account of another user’s saved payee is unknown, and nothing is written', async () => {
  const other = await newUser()
  const [theirs, mine] = [await savedPayee(other), await savedPayee(sender)]
  const rows = await rowCounts(deps.sql)
  for (const recipient of [
    { id: theirs.id, account: theirs.bank },
    { id: mine.id, account: theirs.bank },
    { id: theirs.id, account: mine.bank },
    { id: mine.id, account: UNKNOWN_ID },
    { id: UNKNOWN_ID, account: mine.bank },
    { id: sender.id, account: mine.bank },
  ]) {
    const { status, body } = await sender.post('/v3/check/digital', { ...order, recipient })
    const isOwn = recipient.id === sender.id
    assert.deepEqual([status, body.code], isOwn ? [400, 'own_recipient'] : [404, 'recipient_not_found'])
  }
  assert.deepEqual(await rowCounts(deps.sql), rows)
})

test('a repeated key gets the first answer, even after the saved payee was deleted', async () => {
  const payee = await savedPayee(sender)
  for (const [account, funding] of [
    [payee.bank, {}],
    [payee.card, { account: wallet, deposit_options: ['CARD'] }],
  ] as const) {
    const body = { ...order, recipient: { id: payee.id, account }, ...funding }
    const send = () => sender.post('/v3/check/digital', body, { idempotencyKey: `saved ${account}` })
    const first = await send()
    await sender.del(`/v3/directory/${payee.id}/account/${account}`)
    const again = await send()
    assert.deepEqual([first.status, again.text], [201, first.text])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal((await copiedBanks(first.body.id)).length, account === payee.bank ? 1 : 0)
  }
})

test('a direct payment goes to the given account, regardless of the name of its recipient', async () => {
  const named = await newUser()
  const body = direct({ recipient: named.userId, account_type: 'SAVINGS', description: 'Refund', number: 77 })
  const { status, body: sent } = await sender.post('/v3/check/direct', body)
  assert.deepEqual(
    [status, sent.status, sent.recipient, sent.number, sent.description],
    [201, 'IN_PROCESS', named.userId, 77, 'Refund'],
  )
  assert.deepEqual((await named.get('/v3/check')).body.checks, [])
  const [bank] = await copiedBanks(sent.id)
  assert.equal(deps.keyRing.openText(bank?.accountSealed as Buffer, 'bank account'), body.account_number)
  assert.equal(bank?.type, 'SAVINGS')
  assert.equal((await deps.sql`select from payments where id = ${sent.id} and invitation is not null`).length, 0)
  await passDays(9)
  assert.equal(await statusOf(sent.id), 'PAID')
})

test('a direct payment from a wallet can use RTP, and one from a bank cannot', async () => {
  const { body: sent } = await sender.post('/v3/check/direct', direct({ account: wallet, deposit_options: ['RTP'] }))
  assert.equal((await sender.get(`/v3/check/${sent.id}/deposit`)).body.check_type, 'RTP')
  await passDays(1)
  assert.equal(await statusOf(sent.id), 'PAID')
  const refused = await sender.post('/v3/check/direct', direct({ deposit_options: ['RTP'] }))
  assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_deposit_option'])
  await assertLedger(service)
})

test('a returned direct payment fails with its code and is refunded', async () => {
  const before = await balanceOf(sender, wallet)
  const { body: sent } = await sender.post('/v3/check/direct', direct({ account: wallet }))
  await triggerStatus(sender, sent.id, 'FAILED', { return_code: 'R01' })
  assert.equal(await statusOf(sent.id), 'FAILED')
  await passDays(7)
  assert.deepEqual([await statusOf(sent.id), await balanceOf(sender, wallet)], ['REFUNDED', before])
  await assertLedger(service)
})

test('an account that a return code blocks is refused in both forms', async () => {
  const payee = await savedPayee(sender, { account: NO_ACCOUNT })
  const body = direct({ account: wallet, account_number: NO_ACCOUNT })
  const first = await sender.post('/v3/check/direct', body)
  await passDays(4)
  assert.equal((await sender.get(`/v3/check/${first.body.id}/fail`)).body.code, 'R03')
  const rows = await rowCounts(deps.sql)
  const recipient = { id: payee.id, account: payee.bank }
  for (const [path, given, field] of [
    ['/v3/check/direct', body, 'account_number'],
    ['/v3/check/digital', { ...order, recipient }, 'recipient.account'],
  ] as const) {
    const { status, body: refused } = await sender.post(path, given)
    assert.deepEqual([status, refused.code, Object.keys(refused.errors)], [400, 'bank_blocked', [field]])
  }
  assert.deepEqual(await rowCounts(deps.sql), rows)
})

test('malformed direct payments are refused with the field, and nothing is stored', async () => {
  const rows = await allRows(deps.sql)
  for (const [given, field] of [
    [{ recipient: undefined }, 'recipient'],
    [{ recipient: 'r'.repeat(81) }, 'recipient'],
    [{ recipient: { id: UNKNOWN_ID, account: UNKNOWN_ID } }, 'recipient'],
    [{ account_number: '123' }, 'account_number'],
    [{ account_number: undefined }, 'account_number'],
    [{ routing_number: '021000022' }, 'routing_number'],
    [{ routing_number: '02100002' }, 'routing_number'],
    [{ account_type: 'LOAN' }, 'account_type'],
    [{ deposit_options: ['MAIL'] }, 'deposit_options.0'],
    [{ deposit_options: [] }, 'deposit_options'],
    [{ amount: 0 }, 'amount'],
    [{ pin: { value: '1' } }, 'pin'],
  ] as const) {
    const { status, body } = await sender.post('/v3/check/direct', direct(given))
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'invalid_request', [field]])
  }
  assert.deepEqual(await allRows(deps.sql), rows)
  await assertLedger(service)
})

test('an account or an address of the sender is refused in each form', async () => {
  const own = await newUser(`self-${Date.now()}@example.com`)
  await addVerifiedBank(own)
  const account = newAccountNumber()
  await addBank(own, account)
  const to = {
    amount: 5,
    name: 'Myself',
    recipient: 'me@example.com',
    account_type: 'CHECKING',
    routing_number: '021000021',
  }
  const mine = await own.post('/v3/check/direct', { ...to, account_number: account })
  assert.deepEqual(
    [mine.status, mine.body.code, Object.keys(mine.body.errors)],
    [400, 'own_recipient', ['account_number']],
  )
  const named = { ...to, account_number: newAccountNumber(), recipient: own.userId.toUpperCase() }
  const address = await own.post('/v3/check/direct', named)
  assert.deepEqual([address.status, Object.keys(address.body.errors)], [400, ['recipient']])
  const file = [
    {
      name: 'Me',
      amount: 5,
      address: { type: 'email', address: 'me@example.com' },
      account_number: account,
      routing_number: '021000021',
    },
  ]
  const row = await own.post('/v3/check/csv', { file })
  assert.deepEqual(
    [row.status, row.body.code, Object.keys(row.body.errors)],
    [400, 'invalid_rows', ['file.0.account_number']],
  )
  assert.equal((await own.get('/v3/check')).body.total, 0)
})
