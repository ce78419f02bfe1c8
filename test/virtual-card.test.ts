import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { doDueWork } from '../src/operation/scheduler/due-work.ts'
import { assertLedger, newWallet } from './support/money.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { rowCounts, webhookBodies } from './support/rows.ts'
import { startTestService, type TestUser } from './support/service.ts'

// Virtual cards: issued, paid into, spent.

const service = await startTestService({ after })
const { clock, deps, newUser, newOwner, owner } = service
const URL = '/v3/account/vcc'

async function issue(user: TestUser, body: object = {}): Promise<{ id: string; card_number: string; cvv: string }> {
  const { body: card, status, text } = await user.post(URL, body)
  assert.equal(status, 201, text)
  return card
}

/** A sender whose wallet holds money, a card and its holder. */
async function newPair() {
  const [sender, holder] = [await newUser(), await newUser()]
  return { sender, holder, account: await newWallet(sender), card: (await issue(holder)).id }
}

type Pair = Awaited<ReturnType<typeof newPair>>

const pay = ({ sender, holder, account, card }: Pair, amount: number) =>
  sendPayment(sender, { amount, account, description: 'Reward', recipient: { id: holder.userId, account: card } })

async function settle(): Promise<void> {
  await service.applyOutbox()
  clock.advance(60)
  await service.doDueWork()
  await service.applyOutbox()
}

const spend = (user: TestUser, card: string, amount: number, more: object = {}) =>
  user.post(`/v3/sandbox/vcc/${card}/spend`, { amount, ...more })

const balanceOf = async (user: TestUser, card: string): Promise<string> =>
  (await user.get(URL)).body.vccs.find(({ id }: { id: string }) => id === card).balance

const transactionsOf = async (user: TestUser, card: string) =>
  (await user.get(`${URL}/${card}/transaction`)).body.transactions.map(
    ({ type, amount, balance, description }: Record<string, unknown>) => [type, amount, balance, description],
  )

test('a card is issued, listed, changed and deleted, and its number is shown once', async () => {
  const user = await newUser()
  const address = { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' }
  const issued = await user.post(URL, { address, email: 'ann@example.com', phone: '+14155552671' })
  const { id, card_number, cvv, expiration_date, ...rest } = issued.body
  assert.deepEqual([issued.status, rest], [201, {}])
  assert.match(`${card_number} ${cvv} ${expiration_date}`, /^\d{16} \d{3} \d{4}-\d\d$/)
  const [listed] = (await user.get(URL)).body.vccs
  const { date, ...shown } = listed
  const last4 = card_number.slice(-4)
  assert.deepEqual(shown, { id, card_number: last4, expiration_date, balance: '0.00', name: null, default: true })
  assert.match(date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const second = await issue(user)
  assert.equal((await user.put(`${URL}/${second.id}`, { default: true, name: 'Travel' })).text, '{}')
  const { vccs } = (await user.get(URL)).body
  assert.deepEqual(
    vccs.map((card: { default: boolean; name: string | null }) => [card.default, card.name]),
    [
      [false, null],
      [true, 'Travel'],
    ],
  )
  assert.equal((await user.del(`${URL}/${second.id}`)).text, '{}')
  assert.deepEqual((await user.get(URL)).body, { vccs: [{ ...listed, default: true }] })
  assert.equal((await user.del(`${URL}/${second.id}`)).body.code, 'destination_not_found')
})

test('the number of a card is sealed, and its security code is nowhere', async () => {
  const user = await newUser()
  const { id, card_number } = await issue(user)
  const [row] = await deps.sql<{ accountSealed: Buffer; details: object }[]>`
    select account_sealed, details from destinations where id = ${id}
  `
  assert.equal(deps.keyRing.openText(row?.accountSealed as Buffer, 'card number'), card_number)
  assert.deepEqual(Object.keys(row?.details ?? {}), ['card_number', 'expiration_date'])
})

test('a POST with the same Idempotency-Key issues one card and shows it again', async () => {
  const user = await newUser()
  const post = () => user.post(URL, {}, { idempotencyKey: 'card' })
  const first = await post()
  assert.deepEqual([(await post()).text, (await user.get(URL)).body.vccs.length], [first.text, 1])
})

suite('a payment to a card', () => {
  test('moves over INSTANT, is on the card when it settles, and can be spent', async () => {
    const pair = await newPair()
    const { holder, card } = pair
    const { id } = await pay(pair, 40)
    assert.equal(await balanceOf(holder, card), '0.00')
    await settle()
    const [event] = (await webhookBodies(deps.sql, id)) as { deposit_option: string }[]
    assert.equal(event?.deposit_option, 'INSTANT')
    assert.equal(await balanceOf(holder, card), '40.00')
    const spent = await spend(holder, card, 12.5, { description: 'Books' })
    const { id: transactionId, created_ts, ...rest } = spent.body
    assert.deepEqual(
      [spent.status, rest],
      [201, { type: 'SPEND', amount: -12.5, balance: 27.5, status: 'POSTED', description: 'Books' }],
    )
    assert.match(created_ts, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    assert.deepEqual((await holder.get(`${URL}/${card}/transaction/${transactionId}`)).body, spent.body)
    assert.deepEqual(await transactionsOf(holder, card), [
      ['SPEND', -12.5, 27.5, 'Books'],
      ['LOAD', 40, 40, 'Reward'],
    ])
    assert.equal(await balanceOf(holder, card), '27.50')
    await assertLedger(service)
  })

  test('is deposited by its recipient, also from another platform', async () => {
    const { holder, card } = await newPair()
    const elsewhere = await newUser(undefined, (await newOwner()).api)
    const { api: recipient, email } = await newOwner()
    const own = (await recipient.post(URL, {})).body.id
    for (const [sender, to, payee, cardId] of [
      [await newUser(), holder.userId, holder, card],
      [elsewhere, email, recipient, own],
    ] as const) {
      const payment = await sendPayment(sender, { amount: 15, account: await newWallet(sender), recipient: to })
      await service.applyOutbox()
      const deposited = await payee.post(`/v3/check/deposit/${payment.id}`, { account: cardId })
      assert.equal(deposited.status, 201, deposited.text)
      await settle()
      assert.deepEqual(await transactionsOf(payee as TestUser, cardId), [['LOAD', 15, 15, 'Payment']])
    }
    await assertLedger(service)
  })

  test('that is returned is taken from the card, even if it was spent, and the ledger balances', async () => {
    const pair = await newPair()
    const { sender, holder, card } = pair
    const [kept, spent] = [await pay(pair, 20), await pay(pair, 30)]
    await settle()
    assert.equal((await spend(holder, card, 45)).status, 201)
    for (const { id } of [kept, spent]) await triggerStatus(sender, id, 'FAILED', { return_code: 'R03' })
    assert.equal(await balanceOf(holder, card), '-45.00')
    assert.equal((await spend(holder, card, 0.01)).body.code, 'insufficient_funds')
    await assertLedger(service)
  })

  test('that is returned after it was spent and its card deleted goes to the operator', async () => {
    const pair = await newPair()
    const { id } = await pay(pair, 50)
    await settle()
    assert.equal((await spend(pair.holder, pair.card, 50)).status, 201)
    assert.equal((await pair.holder.del(`${URL}/${pair.card}`)).status, 200)
    await triggerStatus(pair.sender, id, 'FAILED', { return_code: 'R03' })
    const exceptions = (await getExceptions(deps, {})).filter(({ paymentId }) => paymentId === id)
    assert.deepEqual(
      exceptions.map(({ kind, cents }) => [kind, cents]),
      [['holder_gone', 5_000]],
    )
    await assertLedger(service)
  })

  test('from another platform that arrives after its card was deleted goes to the operator', async () => {
    const sender = await newUser(undefined, (await newOwner()).api)
    const { api: recipient, email } = await newOwner()
    const card = (await recipient.post(URL, {})).body.id
    const payment = await sendPayment(sender, { amount: 15, account: await newWallet(sender), recipient: email })
    await service.applyOutbox()
    assert.equal((await recipient.post(`/v3/check/deposit/${payment.id}`, { account: card })).status, 201)
    await service.applyOutbox()
    clock.advance(60)
    while ((await doDueWork(deps)) > 0);
    assert.equal((await recipient.del(`${URL}/${card}`)).status, 200)
    await service.applyOutbox()
    const rows = await deps.sql`select kind, cents from exceptions where payment_id = ${payment.id}`
    assert.deepEqual([...rows], [{ kind: 'holder_gone', cents: 1500 }])
    await assertLedger(service)
  })

  test('is refused when it does not offer VCC, or is drawn on a bank', async () => {
    const { sender, holder, account, card } = await newPair()
    const order = { amount: 1, name: 'Holder', recipient: { id: holder.userId, account: card } }
    for (const [more, field] of [
      [{ account, deposit_options: ['CARD'] }, 'account'],
      [{ deposit_options: ['VCC'] }, 'deposit_options'],
    ] as const) {
      const { status, body, text } = await sender.post('/v3/check/digital', { ...order, ...more })
      assert.ok(status === 400 || body.code === 'no_verified_bank', text)
      if (body.errors) assert.deepEqual(Object.keys(body.errors), [field], text)
    }
    const offered = { ...order, account, deposit_options: ['VCC'] }
    assert.equal((await sender.post('/v3/check/digital', offered)).status, 201)
  })
})

suite('spending', () => {
  test('never takes more than the balance, even with concurrent purchases', async () => {
    const pair = await newPair()
    await pay(pair, 10)
    await settle()
    const answers = await Promise.all([1, 2, 3, 4].map(() => spend(pair.holder, pair.card, 4)))
    assert.deepEqual(answers.map(({ body }) => body.code ?? 'spent').sort(), [
      'insufficient_funds',
      'insufficient_funds',
      'spent',
      'spent',
    ])
    assert.equal(await balanceOf(pair.holder, pair.card), '2.00')
    await assertLedger(service)
  })

  test('with malformed fields is refused by field, and nothing is stored', async () => {
    const { holder, card } = await newPair()
    const before = await rowCounts(deps.sql)
    for (const [body, field] of [
      [{ amount: 0 }, 'amount'],
      [{ amount: 0.001 }, 'amount'],
      [{ amount: '1' }, 'amount'],
      [{ amount: 1 }, 'amount'], // more than the balance
      [{ amount: 1, description: '' }, 'description'],
      [{ amount: 1, merchant: 'Books' }, 'merchant'],
    ] as const) {
      const { status, body: error } = await holder.post(`/v3/sandbox/vcc/${card}/spend`, body)
      assert.deepEqual([status, Object.keys(error.errors)], [400, [field]])
    }
    for (const [body, field] of [
      [{ phone: 'none' }, 'phone'],
      [{ email: 'none' }, 'email'],
      [{ address: { line_1: '1' } }, 'address.city'],
      [{ card_number: '4242424242424242' }, 'card_number'],
    ] as const) {
      const { status, body: error } = await holder.post(URL, body)
      assert.equal(status, 400)
      assert.equal(Object.keys(error.errors)[0], field)
    }
    assert.deepEqual(await rowCounts(deps.sql), before)
  })

  test('is listed in pages, by number and by cursor', async () => {
    const pair = await newPair()
    await pay(pair, 50)
    await settle()
    for (let count = 0; count < 11; count++) await spend(pair.holder, pair.card, 1)
    const url = `${URL}/${pair.card}/transaction?per_page=10`
    const { body, headers } = await pair.holder.get(url)
    assert.deepEqual([body.transactions.length, body.page, body.pages, body.total], [10, 1, 2, 12])
    const next = /<[^>]*(\/v3[^>]*)>/.exec(headers.get('link') ?? '')?.[1] as string
    const rest = (await pair.holder.get(next)).body
    assert.deepEqual(
      rest.transactions.map(({ balance }: { balance: number }) => balance),
      [49, 50],
    )
    const missing = await pair.holder.get(`${URL}/${pair.card}/transaction/${'0'.repeat(32)}`)
    assert.deepEqual([missing.status, missing.body.code], [404, 'card_transaction_not_found'])
  })
})

test('a card with money, or with a payment in transit, cannot be deleted, and neither can its user', async () => {
  const pair = await newPair()
  const { holder, card } = pair
  await pay(pair, 5)
  assert.equal((await holder.del(`${URL}/${card}`)).body.code, 'destination_busy')
  await settle()
  assert.equal((await holder.del(`${URL}/${card}`)).body.code, 'card_not_empty')
  assert.equal((await holder.get(URL)).body.vccs.length, 1)
  clock.advance(10 * 24 * 3_600)
  await service.doDueWork()
  const refused = await owner.del(`/v3/user/${holder.id}`)
  assert.deepEqual([refused.status, refused.body.code], [400, 'user_busy'])
  await spend(holder, card, 5)
  assert.equal((await holder.del(`${URL}/${card}`)).status, 200)
  assert.equal((await owner.del(`/v3/user/${holder.id}`)).status, 200)
  await assertLedger(service)
})

test('a card below zero cannot be deleted, and neither can its user, until a payment has covered it', async () => {
  const pair = await newPair()
  const { sender, holder, card } = pair
  const { id } = await pay(pair, 30)
  await settle()
  await spend(holder, card, 30)
  await triggerStatus(sender, id, 'FAILED', { return_code: 'R03' })
  assert.equal(await balanceOf(holder, card), '-30.00')
  const refused = await holder.del(`${URL}/${card}`)
  assert.deepEqual([refused.status, refused.body.code], [400, 'card_overdrawn'])
  clock.advance(10 * 24 * 3_600)
  await service.doDueWork()
  const busy = await owner.del(`/v3/user/${holder.id}`)
  assert.match(busy.body.message, /a virtual card is below zero/)
  assert.equal(await balanceOf(holder, card), '-30.00')
  await pay(pair, 30)
  await settle()
  assert.equal(await balanceOf(holder, card), '0.00')
  assert.equal((await holder.del(`${URL}/${card}`)).status, 200)
  await assertLedger(service)
})

test('virtual cards need a credential, but not that of an application', async () => {
  const holder = await newAccountHolder(service)
  const application = await registerApplication(holder.browser)
  const { access_token } = await obtainTokens(service, holder.browser, application)
  const id = '0'.repeat(32)
  for (const [credential, code] of [
    ['', 'unauthorized'],
    [`Bearer ${access_token}`, 'insufficient_scope'],
  ] as const) {
    const api = service.as(credential)
    for (const answer of [
      await api.get(URL),
      await api.post(URL, {}),
      await api.put(`${URL}/${id}`, {}),
      await api.del(`${URL}/${id}`),
      await api.get(`${URL}/${id}/transaction`),
      await api.get(`${URL}/${id}/transaction/${id}`),
      await api.post(`/v3/sandbox/vcc/${id}/spend`, { amount: 1 }),
    ]) {
      assert.equal(answer.body.code, code, answer.text)
    }
  }
})

test('without an issuer, each call reports that it is not configured', async (t) => {
  const production = await startTestService(t, { environment: 'production' })
  const user = await production.newUser()
  const id = '0'.repeat(32)
  for (const { status, body } of [
    await user.get(URL),
    await user.post(URL, {}),
    await user.put(`${URL}/${id}`, { name: 'Other' }),
    await user.del(`${URL}/${id}`),
    await user.get(`${URL}/${id}/transaction`),
  ]) {
    assert.deepEqual([status, body.code], [400, 'not_configured'])
  }
  assert.equal((await user.post(`/v3/sandbox/vcc/${id}/spend`, { amount: 1 })).status, 404)
})
