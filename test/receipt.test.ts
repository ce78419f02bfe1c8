import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { businessDate } from '../src/foundation/lib/clock.ts'
import { readPages } from './support/check-pdf.ts'
import { DAY, newPair, pay, startFileService, untilPaid } from './support/file-service.ts'
import { newAccountHolder } from './support/oauth.ts'
import { ACCOUNT, startPaidService } from './support/paid-lists.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { addBank, addVerifiedBank, startTestService, type TestUser } from './support/service.ts'

// Receipts of payments, and the progress of their money.

const service = await startTestService({ after })

/** The texts of a receipt, from the top to the bottom of its only page. */
async function readReceipt(baseUrl: string, { credential }: { credential: string }, id: string): Promise<string[]> {
  const answer = await fetch(`${baseUrl}/v3/payment/${id}/receipt.pdf`, { headers: { authorization: credential } })
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/pdf'])
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="?receipt-/)
  const pages = readPages(Buffer.from(await answer.arrayBuffer()))
  assert.equal(pages.length, 1)
  return pages[0]?.texts.map(({ text }) => text) ?? []
}

async function newSender(): Promise<TestUser> {
  const user = await service.newUser()
  await addVerifiedBank(user)
  return user
}

const last4 = async (user: TestUser, id: string): Promise<string> => (await user.get(`/v3/bank/${id}`)).body.account

suite('a receipt', () => {
  test('shows payer, payee, method and time to both sides, each with its own account, and changes nothing', async () => {
    const [sender, recipient] = [await newSender(), await service.newUser()]
    const account = await addBank(recipient)
    const { id } = await sendPayment(sender, {
      ...{ name: 'José Müller', amount: 1_234.5, description: 'Roof of the barn' },
      recipient: recipient.userId,
    })
    const before = await readReceipt(service.baseUrl, sender, id)
    for (const text of [
      'Payment receipt',
      '$1,234.50',
      'Unpaid',
      'This payment is not final. The payee has not been paid.',
      'José Müller',
      'Not chosen yet',
      'Roof of the barn',
    ])
      assert.ok(before.includes(text), `${text}: ${before.join(' | ')}`)
    assert.deepEqual(await readReceipt(service.baseUrl, sender, id), before)

    assert.equal((await recipient.post(`/v3/check/deposit/${id}`, { account })).status, 201)
    const [own] = (await sender.get('/v3/bank')).body.banks
    const [sent, received] = [
      await readReceipt(service.baseUrl, sender, id),
      await readReceipt(service.baseUrl, recipient, id),
    ]
    assert.ok(sent.includes(`Bank account •••• ${own.account}`))
    assert.ok(received.includes(`Bank account •••• ${await last4(recipient, account)}`))
    for (const [texts, other] of [
      [sent, await last4(recipient, account)],
      [received, own.account],
    ])
      assert.ok(!texts.some((text: string) => text.includes(other)), 'the account of the other side is not shown')
    for (const texts of [sent, received, await readReceipt(service.baseUrl, service.owner, id)])
      for (const text of ['ACH', 'Expected', 'In process', 'A test payment: no real money moves.'])
        assert.ok(texts.includes(text), text)
    assert.ok(sent.includes('This payment is not final. The money is on its way and has not arrived yet.'))
  })

  test('is final when the payee has the money, or can no longer get it', async () => {
    const sender = await newSender()
    const { id } = await sendPayment(sender)
    await sender.del(`/v3/check/${id}`)
    const voided = await readReceipt(service.baseUrl, sender, id)
    assert.ok(voided.includes('The sender voided this payment. The payee was not paid.'))
    assert.ok(!voided.includes('Expected'))
    const failed = await sendPayment(sender)
    await triggerStatus(sender, failed.id, 'FAILED', { return_code: 'R03' })
    const texts = await readReceipt(service.baseUrl, sender, failed.id)
    assert.ok(texts.includes('This payment is not final. The money did not arrive, and the payee was not paid.'))
    assert.ok(texts.some((text) => text.startsWith('R03: ')))
  })

  test('says that the payee was paid if the debit came back after the payout', async () => {
    const sender = await newAccountHolder(service)
    const recipient = await service.newUser(undefined, sender.api)
    const account = await addBank(recipient)
    // .64: the debit is returned with R10, 20 days after it was trusted.
    const { id } = await sendPayment(sender.api, { amount: 20.64, recipient: { id: recipient.userId, account } })
    for (let day = 0; day < 45; day++) {
      service.clock.advance(DAY)
      await service.doDueWork()
    }
    assert.equal((await sender.api.get(`/v3/check/${id}`)).body.status, 'FAILED')
    for (const reader of [sender.api, recipient]) {
      const texts = await readReceipt(service.baseUrl, reader, id)
      for (const text of ['This payment failed, but the payee was paid.', 'Arrived'])
        assert.ok(texts.includes(text), texts.join(' | '))
    }
    assert.notEqual((await sender.browser.get(`/web/v1/payments/${id}`)).body.arrived, null)
  })

  test('of a voided check says that the bank can still pay it, and later that the payee was paid', async (t) => {
    const checks = await startPaidService(t)
    const [id] = (await checks.issue([10])) as [string]
    assert.equal((await checks.user.del(`/v3/check/${id}`)).status, 200)
    const stopping = await readReceipt(checks.baseUrl, checks.user, id)
    const still = 'This payment is not final. The sender voided this payment, but the bank can still pay the check.'
    assert.ok(stopping.includes(still), stopping.join(' | '))
    await checks.receive('paid-1.csv', `account,number,amount,date\n${ACCOUNT},1001,10.00,2026-03-02\n`)
    await checks.passDays(5)
    const paid = await readReceipt(checks.baseUrl, checks.user, id)
    for (const text of ['The sender voided this payment, but the payee was paid.', 'Cashed'])
      assert.ok(paid.includes(text), paid.join(' | '))
  })

  test('fits on its page with hostile names and a long memo, in any script', async () => {
    const sender = await newSender()
    const { id } = await sendPayment(sender, {
      ...{ name: `${'王'.repeat(60)} O'Neil`, amount: 99_999_999.99, recipient: 'wang@example.com' },
      ...{
        description: 'Lorem ipsum <b>dolor</b> sit. '.repeat(30),
        deposit_options: ['BANK'],
      },
    })
    const texts = await readReceipt(service.baseUrl, sender, id)
    assert.ok(texts.includes('$99,999,999.99'))
    assert.ok(texts.includes('wang@example.com'), 'the payee is identified without those letters')
    assert.ok(texts.includes('…'), 'the memo is cut')
    assert.ok(texts.includes('This receipt is not a check. It cannot be cashed or deposited.'))
  })

  test('of another platform is available to its recipient', async () => {
    const [sender, recipient] = [await newAccountHolder(service), await newAccountHolder(service)]
    const { id } = await sendPayment(sender.api, { recipient: recipient.email, amount: 42 })
    await service.applyOutbox()
    const answer = await recipient.api.get(`/v3/payment/${id}/receipt.pdf`)
    assert.equal(answer.status, 200)
    const stranger = await newAccountHolder(service)
    assert.equal((await stranger.api.get(`/v3/payment/${id}/receipt.pdf`)).body.code, 'payment_not_found')
  })
})

suite('the progress of a payment', () => {
  test('has the expected day, and the trace numbers of the entries in bank files, of which a recipient sees only its own', async (t) => {
    const files = await startFileService(t)
    const pair = await newPair(files)
    const id = await pay(pair, 40.25)
    const push = await untilPaid(files, pair.sender, id, 4_025)
    const pull = (await files.sent()).find(({ cents, code }) => cents === 4_025 && code === '27')
    assert.ok(pull)
    const texts = await readReceipt(files.baseUrl, pair.sender, id)
    for (const { trace, movement } of [
      { ...pull, movement: 'Debit' },
      { ...push, movement: 'Credit' },
    ])
      assert.ok(
        texts.some((text) => text.startsWith(`${trace} (${movement}, `)),
        texts.join(' | '),
      )
    for (const text of ['Arrived', 'The payee was paid.']) assert.ok(texts.includes(text), text)
    assert.ok(!texts.includes('A test payment: no real money moves.'))
    const seen = await readReceipt(files.baseUrl, pair.recipient, id)
    assert.ok(seen.some((text) => text.startsWith(push.trace)))
    assert.ok(!seen.some((text) => text.startsWith(pull.trace)), 'only the sender can see the debit')
  })

  test('is an internal call of the page, for both sides', async () => {
    const [sender, recipient] = [await newAccountHolder(service), await newAccountHolder(service)]
    const { id } = await sendPayment(sender.api, { recipient: recipient.email })
    await service.applyOutbox()
    const read = async ({ browser }: typeof sender) => (await browser.get(`/web/v1/payments/${id}`)).body
    const nothing = { expected: null, arrived: null, check_number: null, traces: [] }
    assert.deepEqual(await read(sender), nothing)
    await triggerStatus(sender.api, id, 'PAID')
    const { expected, arrived } = await read(sender)
    const today = businessDate(service.clock.now(), service.deps.settings.timeZone)
    assert.ok(arrived !== null || expected >= today)
    assert.deepEqual(await read(recipient), await read(sender))
    const stranger = await newAccountHolder(service)
    assert.equal((await stranger.browser.get(`/web/v1/payments/${id}`)).body.code, 'payment_not_found')
    assert.equal((await stranger.browser.get(`/web/v1/payments/nonsense`)).status, 404)
  })
})
