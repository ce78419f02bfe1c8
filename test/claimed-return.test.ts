import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { matchRecipients } from '../src/payments/recipient/recipient-match-worker.ts'
import { bankFile } from './support/ach.ts'
import type { Browser } from './support/browser.ts'
import { type FileService, startFileService, statusOf } from './support/file-service.ts'
import { newEmail, signUp } from './support/login.ts'
import { newBank, payNewRecipient } from './support/recipients.ts'
import { addVerifiedBank, newAccountNumber, type TestUser } from './support/service.ts'

// A payee without an account was paid, the payout was returned, and then the payee opened an account: the money arrives
// once.

const service = await startFileService({ after }, { settings: { showsMail: true, trustsProxy: true } })
const { deps } = service
const match = async () => {
  while ((await matchRecipients(deps)) > 0);
  await service.applyOutbox()
}

async function newSender(): Promise<TestUser> {
  const sender = await service.newUser()
  await addVerifiedBank(sender)
  return sender
}

const entriesOf = async ({ sent }: FileService, cents: number) =>
  (await sent()).flatMap((entry) => (entry.cents === cents ? [entry] : []))
const codesOf = async (cents: number) => (await entriesOf(service, cents)).map(({ code }) => code)

async function untilStatus(sender: TestUser, id: string, status: string) {
  for (let window = 0; window < 20 && (await statusOf(sender, id)) !== status; window++) await service.openWindow()
  assert.equal(await statusOf(sender, id), status)
}

async function giveBack(code: string, cents: number, own: '22' | '27') {
  const entry = (await entriesOf(service, cents)).findLast((one) => one.code === own)
  assert.ok(entry)
  const direction = own === '22' ? 'credit' : 'debit'
  await service.receive(`${code}-${entry.trace}.ach`, bankFile([{ code, trace: entry.trace, direction, cents }]))
}

/** Paid by the link, and the payout was returned. */
async function newReturned(amount: number) {
  const cents = Math.round(amount * 100)
  const sender = await newSender()
  const payment = await payNewRecipient(service, sender, { amount })
  assert.equal((await payment.page.deposit('bank', newBank())).status, 200)
  await untilStatus(sender, payment.id, 'PAID')
  await giveBack('R03', cents, '22')
  assert.equal(await statusOf(sender, payment.id), 'FAILED')
  return { ...payment, sender, cents }
}

async function signUpAs(email: string): Promise<Browser> {
  const browser = await signUp(service, email)
  await match()
  return browser
}
const depositBy = async (by: Browser, id: string) => {
  const bank = await by.post('/v3/bank', newBank())
  assert.equal(bank.status, 201, bank.text)
  return by.post(`/v3/check/deposit/${id}`, { account: bank.body.id })
}

test('a person who signs up with the address deposits it, and the link no longer can', async () => {
  const { id, email, page, sender, cents } = await newReturned(61.01)
  const browser = await signUpAs(email)
  const listed = (await browser.get('/v3/check?direction=INCOMING')).body.checks
  assert.deepEqual(
    listed.map((one: { id: string; status: string }) => [one.id, one.status]),
    [[id, 'FAILED']],
  )
  const byLink = await page.deposit('bank', newBank())
  assert.deepEqual([byLink.status, byLink.body.code], [400, 'not_depositable'])
  assert.deepEqual((await page.read()).body.options, [])
  const both = await Promise.all([depositBy(browser, id), depositBy(browser, id)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 400])
  await untilStatus(sender, id, 'PAID')
  for (let window = 0; window < 12; window++) await service.openWindow()
  assert.deepEqual(await codesOf(cents), ['27', '22', '22'])
  await service.assertLedger()
})

test('a person who deposits it again by the link and then signs up sees it, and can deposit it only when it is returned again', async () => {
  const { id, email, page, sender, cents } = await newReturned(62.01)
  const again = await page.deposit('bank', newBank())
  assert.deepEqual([again.status, again.body.status], [200, 'IN_PROCESS'])
  const browser = await signUpAs(email)
  const early = await depositBy(browser, id)
  assert.deepEqual([early.status, early.body.code], [400, 'not_depositable'])
  await untilStatus(sender, id, 'PAID')
  const late = await depositBy(browser, id)
  assert.deepEqual([late.status, late.body.code], [400, 'not_depositable'])
  await giveBack('R04', cents, '22')
  assert.equal((await page.deposit('bank', newBank())).body.code, 'not_depositable')
  assert.equal((await depositBy(browser, id)).status, 201)
  await untilStatus(sender, id, 'PAID')
  assert.deepEqual(await codesOf(cents), ['27', '22', '22', '22'])
  await service.assertLedger()
})

test('the bank of its first payout can still be corrected after the person deposited it into another bank', async () => {
  const { id, email, cents } = await newReturned(71.01)
  const [first] = (await entriesOf(service, cents)).filter(({ code }) => code === '22')
  assert.ok(first)
  assert.equal((await depositBy(await signUpAs(email), id)).status, 201)
  const corrected = newAccountNumber()
  service.secrets.add(corrected)
  const change = { code: 'C01', trace: first.trace, direction: 'credit', cents: 0, corrected } as const
  await service.receive('change.ach', bankFile([change]))
  await service.applyOutbox()
  assert.deepEqual(
    (await getBankCases(deps)).map(({ note }) => note),
    [],
  )
  const { audit } = (await service.owner.get('/v3/audit')).body
  assert.equal(audit.filter(({ action }: { action: string }) => action === 'bank_corrected').length, 1)
})

test('an account with another address gains nothing from the link, which deposits it again', async () => {
  const { id, page, sender, cents } = await newReturned(63.01)
  const browser = await signUp(service, newEmail())
  const claimed = await browser.post('/web/v1/pay/claim', { token: page.token })
  assert.deepEqual([claimed.status, claimed.body.code], [400, 'not_claimable'])
  const strange = await depositBy(browser, id)
  assert.deepEqual([strange.status, strange.body.code], [404, 'payment_not_found'])
  assert.equal((await page.deposit('bank', newBank())).status, 200)
  await untilStatus(sender, id, 'PAID')
  assert.deepEqual(await codesOf(cents), ['27', '22', '22'])
})

for (const [amount, what, end] of [
  [64.01, 'is voided by its sender', 'VOID'],
  [65.01, 'is left for five days', 'REFUNDED'],
] as const) {
  test(`that ${what} is refunded once, and neither the link nor the account can deposit it afterward`, async () => {
    const { id, email, page, sender, cents } = await newReturned(amount)
    const browser = await signUpAs(email)
    if (end === 'VOID') assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
    await untilStatus(sender, id, end)
    for (let window = 0; window < 8; window++) await service.openWindow()
    for (const answer of [await depositBy(browser, id), await page.deposit('bank', newBank())]) {
      assert.deepEqual([answer.status, answer.body.code], [400, 'not_depositable'])
    }
    assert.deepEqual((await page.read()).body.options, [])
    const late = await sender.del(`/v3/check/${id}`)
    assert.deepEqual([late.status, late.body.code], [400, 'not_voidable'])
    assert.equal((await browser.get(`/v3/check/${id}`)).body.status, end)
    assert.deepEqual(await codesOf(cents), ['27', '22', '22'])
    const [pull, , refund] = await entriesOf(service, cents)
    assert.equal(refund?.account, pull?.account)
    await service.assertLedger()
  })
}

test('of a concurrent void and a deposit by the account, one succeeds, and one credit follows', async () => {
  const { id, email, sender, cents } = await newReturned(66.01)
  const browser = await signUpAs(email)
  const [voided, deposited] = await Promise.all([sender.del(`/v3/check/${id}`), depositBy(browser, id)])
  assert.equal(Number(voided.status === 200) + Number(deposited.status === 201), 1, `${voided.text} ${deposited.text}`)
  for (let window = 0; window < 12; window++) await service.openWindow()
  assert.equal(await statusOf(sender, id), voided.status === 200 ? 'VOID' : 'PAID')
  assert.deepEqual(await codesOf(cents), ['27', '22', '22'])
  await service.assertLedger()
})

test('a payment whose debit was returned is debited and paid once more, by link or account', async () => {
  const sender = await newSender()
  const { id, email, page } = await payNewRecipient(service, sender, { amount: 67.01 })
  assert.equal((await page.deposit('bank', newBank())).status, 200)
  while ((await codesOf(6_701)).length === 0) await service.openWindow()
  await giveBack('R01', 6_701, '27')
  assert.equal(await statusOf(sender, id), 'FAILED')
  const browser = await signUpAs(email)
  const both = await Promise.all([depositBy(browser, id), page.deposit('bank', newBank())])
  assert.deepEqual(
    both.map(({ status }) => status),
    [201, 400],
  )
  await untilStatus(sender, id, 'PAID')
  for (let window = 0; window < 8; window++) await service.openWindow()
  assert.deepEqual(await codesOf(6_701), ['27', '27', '22'])
  await service.assertLedger()
})
