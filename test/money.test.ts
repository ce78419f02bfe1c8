import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Api } from './support/api.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { webhookBodies } from './support/rows.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

// The money of a payment: legs on their rails over time, and the ledger.

const service = await startTestService({ after })
const { clock, deps, doDueWork, newUser } = service

const HOUR = 3_600
const DAY = 24 * HOUR

const statusOf = async (user: Api, id: string): Promise<string> => (await user.get(`/v3/check/${id}`)).body.status

async function passTime(seconds: number): Promise<void> {
  clock.advance(seconds)
  await doDueWork()
}

suite('a payment from a bank', () => {
  test('is pulled, trusted, pushed and PAID after some banking days, and its ledger balances at every step', async () => {
    const [sender, recipient] = [await newUser(), await newUser()]
    await addVerifiedBank(sender)
    const account = await addBank(recipient)
    const { id } = await sendPayment(sender, { amount: 40, recipient: { id: recipient.userId, account } })
    const seen: string[] = []
    for (let hour = 0; hour < 10 * 24; hour += 6) {
      await passTime(6 * HOUR)
      await assertLedger(service)
      seen.push(await statusOf(sender, id))
    }
    assert.equal(seen.at(-1), 'PAID')
    const daysUntilPaid = (seen.indexOf('PAID') * 6) / 24
    assert.ok(daysUntilPaid >= 3 && daysUntilPaid <= 8, `paid after ${daysUntilPaid} days`)
    assert.deepEqual(
      (await webhookBodies(deps.sql, id)).map((body) => (body as { status: string }).status),
      ['IN_PROCESS', 'PAID'],
    )
  })

  for (const [what, cents, expected] of [
    ['insufficient funds', 61, { statuses: ['IN_PROCESS', 'FAILED'], code: 'R01' }],
    ['a closed account of the recipient', 62, { statuses: ['IN_PROCESS', 'PAID', 'FAILED', 'REFUNDED'] }],
    ['a pull that is returned late', 64, { statuses: ['IN_PROCESS', 'PAID', 'FAILED'], code: 'R10' }],
    ['a push that comes back late', 65, { statuses: ['IN_PROCESS', 'PAID', 'FAILED', 'REFUNDED'] }],
    ['a slow push', 66, { statuses: ['IN_PROCESS', 'PAID'] }],
  ] as const) {
    test(`with ${cents} cents: ${what}`, async () => {
      const [sender, recipient] = [await newUser(), await newUser()]
      await addVerifiedBank(sender)
      const account = await addBank(recipient)
      const order = { amount: 40 + cents / 100, recipient: { id: recipient.userId, account } }
      const { id } = await sendPayment(sender, order)
      for (let day = 0; day < 60; day++) {
        await passTime(DAY)
        await assertLedger(service)
      }
      const statuses = (await webhookBodies(deps.sql, id)).map((body) => (body as { status: string }).status)
      assert.deepEqual(statuses, expected.statuses)
      if ('code' in expected) assert.equal((await sender.get(`/v3/check/${id}/fail`)).body.code, expected.code)
    })
  }

  test('can be deposited again after an early return of its pull. After a late return, the sender owes it, and it can be neither deposited nor refunded', async () => {
    const [sender, debtor, recipient] = [await newUser(), await newUser(), await newUser()]
    for (const user of [sender, debtor]) await addVerifiedBank(user)
    const account = await addBank(recipient)
    const send = async (user: Api, amount: number) =>
      (await sendPayment(user, { amount, recipient: { id: recipient.userId, account } })).id
    const [early, late] = [await send(sender, 40.61), await send(debtor, 40.64)]
    for (let day = 0; day < 45; day++) await passTime(DAY)
    assert.deepEqual([await statusOf(sender, early), await statusOf(debtor, late)], ['FAILED', 'FAILED'])
    assert.equal((await recipient.post(`/v3/check/deposit/${early}`, { account })).status, 201)
    assert.equal((await recipient.post(`/v3/check/deposit/${late}`, { account })).body.code, 'not_depositable')
    const refund = await debtor.put(`/v3/check/webhook/${late}`, { status: 'REFUNDED' })
    assert.deepEqual([refund.status, refund.body.code], [400, 'status_not_reachable'])
    await assertLedger(service)
  })

  test('printed or mailed is cashed in time; voided before, it is stopped and refunded', async () => {
    const sender = await newUser()
    await addVerifiedBank(sender)
    for (const status of ['PRINTED', 'MAILED']) {
      const [cashed, stopped] = [(await sendPayment(sender)).id, (await sendPayment(sender)).id]
      for (const id of [cashed, stopped]) await triggerStatus(sender, id, status)
      await passTime(status === 'PRINTED' ? DAY : 5 * DAY - HOUR)
      assert.equal(await statusOf(sender, stopped), status)
      assert.equal((await sender.del(`/v3/check/${stopped}`)).status, 200)
      await assertLedger(service)
      for (let day = 0; day < 20; day++) await passTime(DAY)
      await assertLedger(service)
      assert.deepEqual([await statusOf(sender, cashed), await statusOf(sender, stopped)], ['PAID', 'VOID'])
    }
  })
})

suite('a wallet', () => {
  test('is created, funded, named, listed, and deleted when empty', async () => {
    const user = await newUser()
    const made = await user.post('/v3/account/wallet', { name: 'Cash' })
    assert.equal(made.status, 201)
    assert.deepEqual(Object.keys(made.body).sort(), ['date', 'id', 'name', 'numbers'])
    const { id } = made.body
    assert.equal((await user.post(`/v3/sandbox/wallet/${id}/fund`, { amount: 12.34 })).body.balance, 12.34)
    assert.deepEqual((await user.put(`/v3/account/wallet/${id}`, { name: 'Till' })).body, {})
    assert.deepEqual(
      (await user.get('/v3/account/wallet')).body.wallets.map((wallet: { name: string }) => wallet.name),
      ['Till'],
    )
    assert.equal((await user.del(`/v3/account/wallet/${id}`)).body.code, 'wallet_busy')
    const empty = await newWallet(user, 0)
    assert.equal((await user.del(`/v3/account/wallet/${empty}`)).status, 200)
    assert.equal((await user.get(`/v3/account/wallet/${empty}`)).body.code, 'wallet_not_found')
    const { transactions, total } = (await user.get(`/v3/account/wallet/${id}/transaction`)).body
    assert.deepEqual([total, transactions[0].amount, transactions[0].reason], [1, 12.34, 'fund'])
  })

  test('pays into another wallet immediately and exactly once, and holds the amount of an unpaid payment', async () => {
    const [sender, recipient] = [await newUser(), await newUser()]
    const [from, to] = [await newWallet(sender), await newWallet(recipient, 0)]
    const direct = await sendPayment(sender, {
      amount: 30,
      account: from,
      recipient: { id: recipient.userId, account: to },
    })
    assert.equal(direct.status, 'PAID')
    assert.deepEqual([await balanceOf(sender, from), await balanceOf(recipient, to)], [70, 30])
    const unpaid = await sendPayment(sender, { amount: 20, account: from, recipient: recipient.userId })
    assert.equal(await balanceOf(sender, from), 50)
    await assertLedger(service)
    const deposited = await recipient.post(`/v3/check/deposit/${unpaid.id}`, { account: to })
    assert.deepEqual([deposited.status, deposited.body.status], [201, 'PAID'])
    const voided = await sendPayment(sender, { amount: 50, account: from, recipient: recipient.userId })
    assert.equal((await sender.del(`/v3/check/${voided.id}`)).status, 200)
    assert.deepEqual([await balanceOf(sender, from), await balanceOf(recipient, to)], [50, 50])
    await assertLedger(service)
  })

  test('with money for ten of 50 parallel payments pays ten, and its balance is 0.00', async () => {
    const [sender, recipient] = [await newUser(), await newUser()]
    const [from, to] = [await newWallet(sender, 100), await newWallet(recipient, 0)]
    const order = { amount: 10, name: 'Recipient', account: from, recipient: { id: recipient.userId, account: to } }
    const answers = await Promise.all(Array.from({ length: 50 }, () => sender.post('/v3/check/digital', order)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 10)
    for (const { body } of answers.filter(({ status }) => status !== 201)) assert.equal(body.code, 'insufficient_funds')
    assert.deepEqual([await balanceOf(sender, from), await balanceOf(recipient, to)], [0, 100])
    await assertLedger(service)
  })

  test('of two users that pay each other in a hundred races loses nothing', async () => {
    const users = [await newUser(), await newUser()] as const
    const wallets = [await newWallet(users[0]), await newWallet(users[1])] as const
    const pay = (from: 0 | 1) => {
      const to = from === 0 ? 1 : 0
      const recipient = { id: users[to].userId, account: wallets[to] }
      return users[from].post('/v3/check/digital', { amount: 1, name: 'Other', account: wallets[from], recipient })
    }
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => pay(index % 2 === 0 ? 0 : 1)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal((await balanceOf(users[0], wallets[0])) + (await balanceOf(users[1], wallets[1])), 200)
    await assertLedger(service)
  })

  for (const [kind, body, rail] of [
    ['card', { card_number: '4242424242424242', expiration_date: '2099-12' }, 'INSTANT'],
    ['paypal', { username: 'payee@example.com' }, 'PAYPAL'],
    ['venmo', { username: '+14155552671' }, 'VENMO'],
    ['interac', { username: 'payee@example.ca' }, 'INTERAC'],
    ['wire', { name: 'Payee', routing: '021000021', account: '12345678', type: 'CHECKING' }, 'WIRE'],
    [
      'wire',
      { name: 'Payee', routing: 'DEUTDEFF', account: 'DE89370400440532013000', country: 'DE', type: 'CHECKING' },
      'SWIFT',
    ],
  ] as const) {
    test(`reaches a ${kind} over ${rail}, and is refunded if it is undeliverable`, async () => {
      const [sender, recipient] = [await newUser(), await newUser()]
      const from = await newWallet(sender)
      const added = await recipient.post(`/v3/account/${kind}`, body)
      assert.equal(added.status, 201, added.text)
      assert.ok(!added.text.includes('4242424242424242'))
      const send = async (amount: number) => {
        const { id } = await sendPayment(sender, { amount, account: from, recipient: recipient.userId })
        assert.equal((await recipient.post(`/v3/check/deposit/${id}`, { account: added.body.id })).status, 201)
        return id
      }
      const [paid, failed] = [await send(10), await send(20.81)]
      await passTime(60)
      assert.equal(await statusOf(sender, paid), 'PAID')
      for (let day = 0; day < 14; day++) await passTime(DAY)
      assert.equal(await statusOf(sender, failed), 'REFUNDED')
      assert.equal(await balanceOf(sender, from), 90)
      const rails = (await webhookBodies(deps.sql, paid)).map(
        (event) => (event as { deposit_option: string }).deposit_option,
      )
      assert.deepEqual(new Set(rails), new Set([rail]))
      await assertLedger(service)
    })
  }
})

test('a notification of change corrects the bank, and the payment succeeds', async () => {
  const [sender, recipient] = [await newUser(), await newUser()]
  await addVerifiedBank(sender)
  const account = await addBank(recipient, '9999999940')
  const { id } = await sendPayment(sender, { recipient: { id: recipient.userId, account } })
  for (let day = 0; day < 12; day++) await passTime(DAY)
  assert.equal(await statusOf(sender, id), 'PAID')
  const { banks } = (await recipient.get('/v3/bank')).body
  assert.deepEqual([banks[0].account, banks[0].status], ['9941', 'DEPOSIT_ONLY'])
  await assertLedger(service)
})

test('micro-deposits are legs with balanced postings, and an unreachable bank becomes DEPOSIT_ONLY again', async () => {
  const user = await newUser()
  const [good, bad, fast] = [
    await addBank(user),
    await addBank(user, '9999999950'),
    (await user.post('/v3/bank', { routing: '021200339', account: '12345678901', type: 'CHECKING' })).body.id,
  ]
  for (const account of [good, bad, fast]) assert.equal((await user.post('/v3/bank/release', { account })).status, 201)
  await passTime(60)
  await assertLedger(service)
  const fastLegs = await deps.sql<
    { rail: string; status: string }[]
  >`select rail, status from legs where subject_id = ${fast}`
  assert.deepEqual(
    [...fastLegs],
    [
      { rail: 'RTP', status: 'SETTLED' },
      { rail: 'RTP', status: 'SETTLED' },
    ],
  )
  for (let day = 0; day < 7; day++) await passTime(DAY)
  await assertLedger(service)
  const { banks } = (await user.get('/v3/bank')).body
  assert.deepEqual(
    banks.map(({ status }: { status: string }) => status),
    ['PENDING', 'DEPOSIT_ONLY', 'PENDING'],
  )
})
