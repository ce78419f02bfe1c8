import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import { bankFile } from './support/ach.ts'
import type { Answer } from './support/api.ts'
import { DAY, startFileService, statusOf } from './support/file-service.ts'
import { newEmail } from './support/login.ts'
import { mailedToken, mailsTo, newBank, openLink } from './support/recipients.ts'
import { addBank, addVerifiedBank, type TestUser } from './support/service.ts'

// Payments to several recipients with files of the bank: one of the recipients is paid, once, after every kind of
// return.

const service = await startFileService({ after }, { settings: { showsMail: true, trustsProxy: true } })

async function newSender(): Promise<TestUser> {
  const sender = await service.newUser()
  await addVerifiedBank(sender)
  return sender
}

const refusalOf = ({ status, body }: Answer) => [status, body.code]
const depositBy = async (user: TestUser, id: string) =>
  user.post(`/v3/check/deposit/${id}`, { account: await addBank(user) })
const endorse = (user: TestUser, id: string) => user.post(`/v3/check/endorse/${id}`, { name: 'Signed Name' })

/** A payment to two users. The second one has endorsed it. */
async function newMulti(amount: number) {
  const sender = await newSender()
  const users = [await service.newUser(), await service.newUser()] as const
  const recipients = users.map(({ userId }, index) => ({ name: `Payee ${index + 1}`, recipient: userId }))
  const { status, body, text } = await sender.post('/v3/check/multi', { amount, recipients })
  assert.equal(status, 201, text)
  const id = body.id as string
  assert.equal((await endorse(users[1], id)).status, 201)
  return { id, sender, first: users[0], second: users[1], cents: Math.round(amount * 100) }
}

const entriesOf = async (cents: number) => (await service.sent()).filter((entry) => entry.cents === cents)
const codesOf = async (cents: number) => (await entriesOf(cents)).map(({ code }) => code)

async function untilStatus({ id, sender }: { id: string; sender: TestUser }, status: string) {
  for (let window = 0; window < 20 && (await statusOf(sender, id)) !== status; window++) await service.openWindow()
  assert.equal(await statusOf(sender, id), status)
}

async function giveBack(code: string, cents: number, own: '22' | '27') {
  const entry = (await entriesOf(cents)).findLast((one) => one.code === own)
  assert.ok(entry)
  const direction = own === '22' ? 'credit' : 'debit'
  await service.receive(`${code}-${entry.trace}.ach`, bankFile([{ code, trace: entry.trace, direction, cents }]))
}

async function newReturned(amount: number) {
  const made = await newMulti(amount)
  assert.equal((await depositBy(made.first, made.id)).status, 201)
  await untilStatus(made, 'PAID')
  await giveBack('R03', made.cents, '22')
  assert.equal(await statusOf(made.sender, made.id), 'FAILED')
  return made
}

test('a returned payout is deposited again by the first depositor, and paid once more', async () => {
  const { id, sender, first, second, cents } = await newReturned(71.01)
  assert.deepEqual(refusalOf(await depositBy(second, id)), [403, 'not_the_recipient'])
  assert.deepEqual(refusalOf(await endorse(first, id)), [400, 'not_endorsable'])
  const both = await Promise.all([depositBy(first, id), depositBy(first, id), depositBy(second, id)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 400, 403])
  await untilStatus({ id, sender }, 'PAID')
  for (let window = 0; window < 8; window++) await service.openWindow()
  assert.deepEqual(await codesOf(cents), ['27', '22', '22'])
  for (const user of [first, second]) assert.equal(await statusOf(user, id), 'PAID')
  await service.assertLedger()
})

for (const [amount, what, end] of [
  [72.01, 'is voided', 'VOID'],
  [73.01, 'is left for five days', 'REFUNDED'],
] as const) {
  test(`a returned payout and ${what} refund the sender once, and no recipient can deposit it afterward`, async () => {
    const { id, sender, first, second, cents } = await newReturned(amount)
    if (end === 'VOID') assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
    await untilStatus({ id, sender }, end)
    for (let window = 0; window < 8; window++) await service.openWindow()
    assert.deepEqual(refusalOf(await depositBy(first, id)), [400, 'not_depositable'])
    assert.deepEqual(refusalOf(await depositBy(second, id)), [403, 'not_the_recipient'])
    const [pull, , refund, ...more] = await entriesOf(cents)
    assert.deepEqual([pull?.code, refund?.code, refund?.account, more], ['27', '22', pull?.account, []])
    for (const user of [first, second]) assert.equal(await statusOf(user, id), end)
    await service.assertLedger()
  })
}

test('a returned debit is sent again by the deposit of the same recipient, and the payee is paid once', async () => {
  const { id, sender, first, second, cents } = await newMulti(74.01)
  assert.equal((await depositBy(first, id)).status, 201)
  await service.openWindow()
  await giveBack('R01', cents, '27')
  assert.equal(await statusOf(sender, id), 'FAILED')
  assert.deepEqual(refusalOf(await depositBy(second, id)), [403, 'not_the_recipient'])
  assert.equal((await depositBy(first, id)).status, 201)
  await untilStatus({ id, sender }, 'PAID')
  assert.deepEqual(await codesOf(cents), ['27', '27', '22'])
  await giveBack('R10', cents, '27')
  assert.equal(await statusOf(sender, id), 'FAILED')
  assert.deepEqual(refusalOf(await depositBy(first, id)), [400, 'not_depositable'])
  assert.deepEqual(refusalOf(await sender.del(`/v3/check/${id}`)), [400, 'not_voidable'])
  for (let window = 0; window < 12; window++) await service.openWindow()
  assert.deepEqual(await codesOf(cents), ['27', '27', '22'], 'the payee keeps the money, and nothing is refunded')
  await service.assertLedger()
})

test('a payment without a deposit expires, and one that is voided before its deposit moves no money', async () => {
  const [expiring, voided] = [await newMulti(75.01), await newMulti(75.01)]
  assert.equal((await voided.sender.del(`/v3/check/${voided.id}`)).status, 200)
  service.clock.advance(91 * DAY)
  await service.openWindow()
  for (const { id, first, second } of [expiring, voided]) {
    assert.deepEqual(refusalOf(await depositBy(first, id)), [400, 'not_depositable'])
    assert.equal((await depositBy(second, id)).status, 400)
    assert.equal((await endorse(first, id)).status, 400)
  }
  assert.deepEqual(
    [await statusOf(expiring.sender, expiring.id), await statusOf(voided.sender, voided.id)],
    ['EXPIRED', 'VOID'],
  )
  await service.openWindow()
  assert.deepEqual(await codesOf(7_501), [])
})

test('recipients without an account: one is paid by link, its return is deposited again there, and the other link pays nothing', async () => {
  const emails = [newEmail(), newEmail()] as const
  const recipients = emails.map((recipient, index) => ({ name: `Person ${index + 1}`, recipient }))
  const sender = await newSender()
  const { status, body, text } = await sender.post('/v3/check/multi', { amount: 76.01, recipients })
  assert.equal(status, 201, text)
  while ((await mailsTo(service, emails[1])).length === 0) await inviteRecipients(service.deps, service.baseUrl)
  const [one, two] = [
    openLink(service, await mailedToken(service, emails[0])),
    openLink(service, await mailedToken(service, emails[1])),
  ]
  for (const page of [one, two]) {
    assert.equal((await page.endorse({ name: 'Full Name', signature: null })).status, 200)
  }
  const both = await Promise.all([one.deposit('bank', newBank()), two.deposit('bank', newBank())])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 403])
  const [winner, loser] = both[0].status === 200 ? [one, two] : [two, one]
  await untilStatus({ id: body.id, sender }, 'PAID')
  await giveBack('R03', 7_601, '22')
  assert.deepEqual(refusalOf(await loser.deposit('bank', newBank())), [403, 'not_the_recipient'])
  assert.equal((await winner.deposit('bank', newBank())).status, 200)
  await untilStatus({ id: body.id, sender }, 'PAID')
  assert.deepEqual(await codesOf(7_601), ['27', '22', '22'])
  await service.assertLedger()
})
