import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Answer, Api } from './support/api.ts'
import { assertLedger } from './support/money.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { newBank, payNewRecipient, type RecipientPage } from './support/recipients.ts'
import { allRows } from './support/rows.ts'
import { addBank, addVerifiedBank, startTestService, type TestUser } from './support/service.ts'

// The bank of a payment must be VERIFIED each time the payment's money starts to move.

const service = await startTestService({ after })
const { clock, deps, doDueWork, newUser } = service

const HOUR = 3_600
const DAY = 24 * HOUR

/** An account whose micro-deposits are returned two banking days after their release. */
const RETURNED_MICRO_DEPOSITS = '9999999950'

async function passTime(seconds: number): Promise<void> {
  clock.advance(seconds)
  await doDueWork()
}

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) await passTime(DAY)
}

/** Moves the clock to a time of the next day. */
async function passUntil(utcHour: number): Promise<void> {
  const now = clock.now()
  const target = new Date(now)
  target.setUTCHours(utcHour, 0, 0, 0)
  if (target <= now) target.setUTCDate(target.getUTCDate() + 1)
  await passTime((target.getTime() - now.getTime()) / 1000)
}

const paymentOf = async (user: Api, id: string) => (await user.get(`/v3/check/${id}`)).body
const statusOf = async (user: Api, id: string): Promise<string> => (await paymentOf(user, id)).status

/** A sender whose bank is VERIFIED until its micro-deposits are returned. */
async function newDoubtfulSender(): Promise<TestUser & { bankId: string }> {
  const sender = await newUser()
  const bankId = await addBank(sender, RETURNED_MICRO_DEPOSITS)
  assert.equal((await sender.post('/v3/bank/release', { account: bankId })).status, 201)
  const amounts = { account: bankId, amount_1: 0.07, amount_2: 0.15 }
  assert.equal((await sender.post('/v3/bank/verify', amounts)).status, 200)
  return { ...sender, bankId }
}

const bankStatus = async (user: TestUser & { bankId: string }): Promise<string> =>
  (await user.get(`/v3/bank/${user.bankId}`)).body.status

suite('after the bank of a payment has lost its verification', async () => {
  const sender = await newDoubtfulSender()
  const payee = await newUser()
  const account = await addBank(payee)
  const address = { line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701' }

  type Attempt = { id: string; ask: () => Promise<Answer> }
  const ofPayee = async (ask: (id: string) => Promise<Answer>): Promise<Attempt> => {
    const { id } = await sendPayment(sender, { recipient: payee.userId })
    return { id, ask: () => ask(id) }
  }
  const ofFailed = async (ask: (id: string) => Promise<Answer>): Promise<Attempt> => {
    const attempt = await ofPayee(ask)
    await triggerStatus(sender, attempt.id, 'FAILED', { return_code: 'R01' })
    return attempt
  }
  const ofPage = async (ask: (page: RecipientPage) => Promise<Answer>): Promise<Attempt> => {
    const { id, page } = await payNewRecipient(service, sender)
    return { id, ask: () => ask(page) }
  }
  const deposit = (id: string) => payee.post(`/v3/check/deposit/${id}`, { account })
  const trigger = (status: string) => (id: string) => sender.put(`/v3/check/webhook/${id}`, { status })

  /** Every way to start moving the money of a payment. The payments were created while the bank was VERIFIED. */
  const ways: Record<string, [code: string, attempt: Attempt]> = {
    'a deposit': ['not_depositable', await ofPayee(deposit)],
    'a second deposit, after the debit came back': ['not_depositable', await ofFailed(deposit)],
    'a printable check for the recipient': [
      'not_printable',
      await ofPayee((id) => payee.post(`/v3/check/print/${id}`, {})),
    ],
    'a printable check for the sender': [
      'not_printable',
      await ofPayee((id) => sender.post(`/v3/check/print/${id}`, {})),
    ],
    'a deposit on the recipient’s page': ['not_depositable', await ofPage((page) => page.deposit('bank', newBank()))],
    'a mailed check from the recipient’s page': [
      'not_depositable',
      await ofPage((page) => page.deposit('mail', address)),
    ],
    'a printable check from the recipient’s page': ['not_printable', await ofPage((page) => page.print())],
    'the sandbox’s IN_PROCESS': ['status_not_reachable', await ofPayee(trigger('IN_PROCESS'))],
    'the sandbox’s PAID': ['status_not_reachable', await ofPayee(trigger('PAID'))],
    'the sandbox’s FAILED': ['status_not_reachable', await ofPayee(trigger('FAILED'))],
    'the sandbox’s REFUNDED': ['status_not_reachable', await ofPayee(trigger('REFUNDED'))],
    'the sandbox’s PRINTED': ['status_not_reachable', await ofPayee(trigger('PRINTED'))],
    'the sandbox’s MAILED': ['status_not_reachable', await ofPayee(trigger('MAILED'))],
    'the sandbox’s IN_PROCESS, after the debit came back': [
      'status_not_reachable',
      await ofFailed(trigger('IN_PROCESS')),
    ],
  }
  const { id: voided } = await ofPayee(deposit)
  const { id: here } = await ofPayee(deposit)
  await triggerStatus(sender, here, 'PAID')
  await triggerStatus(sender, here, 'FAILED', { return_code: 'R03' })
  await passDays(4)

  test('its bank is DEPOSIT_ONLY', async () => assert.equal(await bankStatus(sender), 'DEPOSIT_ONLY'))

  for (const [what, [code, { id, ask }]] of Object.entries(ways)) {
    test(`${what} is refused and changes nothing`, async () => {
      const rows = await allRows(deps.sql)
      const status = await statusOf(sender, id)
      const answer = await ask()
      assert.deepEqual([answer.status, answer.body?.code], [400, code], answer.text)
      assert.equal(await statusOf(sender, id), status)
      const changed = [...(await allRows(deps.sql)).symmetricDifference(rows)].map((row) => row.split(' ', 1)[0])
      assert.deepEqual(
        changed.filter((table) => table !== 'tries'),
        [],
      )
    })
  }

  test('money that has already arrived goes to the recipient without another debit', async () => {
    assert.equal((await deposit(here)).status, 201)
    await passDays(7)
    assert.equal(await statusOf(sender, here), 'PAID')
    await assertLedger(service)
  })

  test('the sender may void it', async () => {
    assert.equal((await sender.del(`/v3/check/${voided}`)).status, 200)
  })
})

test('a waiting debit is not sent if the bank loses its verification before the cut-off', async () => {
  const payee = await newUser()
  const account = await addBank(payee)
  await passUntil(15)
  while (clock.now().getUTCDay() !== 1) await passTime(DAY)
  const sender = await newDoubtfulSender() // Monday: the micro-deposits are returned on Wednesday morning
  await passDays(1)
  await passUntil(3) // Wednesday in UTC, after the last window of Tuesday
  const { id } = await sendPayment(sender, { recipient: { id: payee.userId, account } })
  const printed = (await sendPayment(sender)).id
  assert.equal((await sender.post(`/v3/check/print/${printed}`, {})).status, 200)
  const mailed = (
    await sender.post('/v3/check/physical', {
      amount: 10,
      name: 'Recipient',
      recipient: { line_1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701' },
    })
  ).body.id
  await passUntil(15)
  assert.equal(await bankStatus(sender), 'DEPOSIT_ONLY')
  assert.equal(await statusOf(sender, id), 'IN_PROCESS')
  await passDays(10)
  for (const payment of [id, printed, mailed]) {
    assert.equal(await statusOf(sender, payment), 'FAILED')
    const pulls = await deps.sql<{ status: string; sentAt: Date | null }[]>`
      select status, sent_at from legs where subject_id = ${payment}
    `
    assert.deepEqual([...pulls], [{ status: 'RETURNED', sentAt: null }])
  }
  await assertLedger(service)
})

test('a bank that is deleted and added again does not fund payments from the first one', async () => {
  const [sender, payee] = [await newUser(), await newUser()]
  const account = await addBank(payee)
  const bankId = await addVerifiedBank(sender)
  const { id } = await sendPayment(sender, { recipient: payee.userId })
  assert.equal((await sender.del(`/v3/bank/${bankId}`)).status, 200)
  await addVerifiedBank(sender)
  assert.equal((await payee.post(`/v3/check/deposit/${id}`, { account })).body.code, 'not_depositable')
})
