import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { matchRecipients } from '../src/payments/recipient/recipient-match-worker.ts'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import type { Browser } from './support/browser.ts'
import { newEmail, signUp } from './support/login.ts'
import { assertLedger } from './support/money.ts'
import { triggerStatus } from './support/payments.ts'
import { mailedToken, mailsTo, newBank, openLink } from './support/recipients.ts'
import { addVerifiedBank, startTestService } from './support/service.ts'

// Recipients without an account in a payment to several: each has its own mail, link and PIN.

const service = await startTestService({ after }, { settings: { trustsProxy: true } })
const { baseUrl, clock, deps, doDueWork, newUser, secrets } = service
const sender = await newUser()
await addVerifiedBank(sender)
const PIN = 'green donkey 4'
secrets.add(PIN)

const statusOf = async (id: string): Promise<string> => (await sender.get(`/v3/check/${id}`)).body.status

/** A payment to two people without an account. */
async function newOutside(given: [object, object] = [{}, {}]) {
  const emails = [newEmail(), newEmail()] as const
  const recipients = emails.map((recipient, index) => ({ name: `Person ${index + 1}`, recipient, ...given[index] }))
  const { status, body, text } = await sender.post('/v3/check/multi', { amount: 50, recipients })
  assert.equal(status, 201, text)
  while ((await mailsTo(service, emails[1])).length === 0) await inviteRecipients(deps, baseUrl)
  const [one, two] = [await mailedToken(service, emails[0]), await mailedToken(service, emails[1])]
  return { id: body.id as string, emails, one: openLink(service, one), two: openLink(service, two) }
}

const endorse = (page: ReturnType<typeof openLink>, body: object = {}) =>
  page.endorse({ name: 'Full Name', signature: null, ...body })

test('each gets a mail with its own link, one endorses there, and the other one is paid', async () => {
  const { id, emails, one, two } = await newOutside()
  assert.notEqual(one.token, two.token)
  const before = (await one.read()).body
  assert.deepEqual(before.options, [])
  assert.deepEqual(before.endorsement, {
    can_endorse: true,
    is_endorsed: false,
    can_deposit: true,
    missing: ['Person 2'],
  })
  const early = await one.deposit('bank', newBank())
  assert.deepEqual([early.status, early.body.code], [400, 'endorsements_missing'])
  const endorsed = await endorse(two)
  assert.deepEqual([endorsed.status, endorsed.body.endorsement.is_endorsed], [200, true])
  assert.ok((await one.read()).body.options.includes('BANK'))
  const deposited = await one.deposit('bank', newBank())
  assert.deepEqual([deposited.status, deposited.body.status], [200, 'IN_PROCESS'])
  const late = await two.deposit('bank', newBank())
  assert.deepEqual([late.status, late.body.code], [403, 'not_the_recipient'])
  assert.equal((await two.read()).body.destination, null)
  for (let day = 0; day < 9; day++) {
    clock.advance(24 * 3_600)
    await doDueWork()
  }
  assert.equal(await statusOf(id), 'PAID')
  await inviteRecipients(deps, baseUrl)
  for (const email of emails) assert.ok((await mailsTo(service, email)).length >= 2, 'everybody is told')
  await assertLedger(service)
})

test('each PIN opens its own link only', async () => {
  const { one, two } = await newOutside([{ pin: { description: 'Animal', value: PIN } }, {}])
  const refused = await endorse(one)
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [400, ['pin']])
  const wrong = await endorse(one, { pin: 'another' })
  assert.equal(wrong.body.code, 'wrong_pin')
  assert.equal((await endorse(one, { pin: PIN })).status, 200)
  assert.equal((await two.read()).body.pin, null)
})

test('a recipient who may only endorse has no option to be paid, and an endorsement is made once', async () => {
  const { one, two } = await newOutside([{ endorse_only: true }, {}])
  await endorse(two)
  assert.deepEqual((await one.read()).body.options, [])
  const refused = await one.deposit('bank', newBank())
  assert.deepEqual([refused.status, refused.body.code], [403, 'endorse_only'])
  assert.equal((await endorse(one)).status, 200)
  assert.equal((await endorse(one)).body.code, 'not_endorsable')
  assert.equal((await two.deposit('bank', newBank())).body.status, 'IN_PROCESS')
})

test('the sender mails all of them again, and voided payments notify them', async () => {
  const { id, emails, one } = await newOutside()
  assert.equal((await sender.post(`/v3/check/notify/${id}`)).status, 204)
  assert.equal((await one.read()).body.code, 'link_not_found')
  for (const email of emails) assert.equal((await mailsTo(service, email)).length, 2)
  await sender.del(`/v3/check/${id}`)
  await inviteRecipients(deps, baseUrl)
  const again = openLink(service, await mailedToken(service, emails[0]))
  assert.equal((await again.read()).body.status, 'VOID')
  assert.equal((await endorse(again)).body.code, 'not_endorsable')
})

const match = async () => {
  while ((await matchRecipients(deps)) > 0);
  await service.applyOutbox()
}

/** Signs up with an address and finds the payments sent to it. */
async function signUpAs(email: string) {
  const browser = await signUp(service, email)
  await match()
  const incoming = async () =>
    (await browser.get('/v3/check?direction=INCOMING')).body.checks.map(({ id, status }: Record<string, string>) => [
      id,
      status,
    ])
  return { browser, incoming }
}

test('a person who signs up with the address finds the payment, and endorses it there and no longer by the link', async () => {
  const { id, emails, one, two } = await newOutside()
  const { browser, incoming } = await signUpAs(emails[0])
  assert.deepEqual(await incoming(), [[id, 'UNPAID']])
  const byLink = await endorse(one)
  assert.deepEqual([byLink.status, byLink.body.code], [400, 'not_endorsable'])
  const page = (await one.read()).body
  assert.deepEqual([page.claimed, page.options, page.endorsement.can_endorse], [true, [], false])
  const endorsed = await browser.post(`/v3/check/endorse/${id}`, { name: 'Person One', signature: null })
  assert.equal(endorsed.status, 201, endorsed.text)
  assert.equal((await two.deposit('bank', newBank())).body.status, 'IN_PROCESS')
  await triggerStatus(sender, id, 'PAID')
  await service.applyOutbox()
  assert.deepEqual(await incoming(), [[id, 'PAID']])
  const mails = (await mailsTo(service, emails[0])).length
  await inviteRecipients(deps, baseUrl)
  assert.equal((await mailsTo(service, emails[0])).length, mails, 'the account shows it')
  assert.equal((await browser.get('/v3/audit?q=payment_claimed')).body.audit.length, 1)
  await assertLedger(service)
})

test('a person who was paid by the link and signs up later sees the payment, and deposits it again after a return', async () => {
  const { id, emails, one, two } = await newOutside()
  await endorse(two)
  assert.equal((await one.deposit('bank', newBank())).status, 200)
  const { browser, incoming } = await signUpAs(emails[0])
  assert.deepEqual(await incoming(), [[id, 'IN_PROCESS']])
  for (const status of ['PAID', 'FAILED']) await triggerStatus(sender, id, status)
  await service.applyOutbox()
  assert.deepEqual(await incoming(), [[id, 'FAILED']])
  assert.equal((await one.read()).body.claimed, true)
  const other = await signUpAs(emails[1])
  assert.deepEqual(await other.incoming(), [[id, 'FAILED']])
  const depositBy = async (by: Browser) =>
    by.post(`/v3/check/deposit/${id}`, { account: (await by.post('/v3/bank', newBank())).body.id })
  const refused = await depositBy(other.browser)
  assert.deepEqual([refused.status, refused.body.code], [403, 'not_the_recipient'])
  const again = await depositBy(browser)
  assert.equal(again.status, 201, again.text)
  await triggerStatus(sender, id, 'PAID')
  await service.applyOutbox()
  for (const list of [incoming, other.incoming]) assert.deepEqual(await list(), [[id, 'PAID']])
  await assertLedger(service)
})

test('a PIN keeps the payment for its link, and no person becomes two of its recipients', async () => {
  const withPin = await newOutside([{ pin: { description: 'Animal', value: PIN } }, {}])
  assert.deepEqual(await (await signUpAs(withPin.emails[0])).incoming(), [])
  assert.equal((await endorse(withPin.one, { pin: PIN })).status, 200)
  const { id, emails, two } = await newOutside()
  const { incoming } = await signUpAs(emails[0])
  await deps.sql`
    update receiving_addresses set email_hash = sha256(convert_to(${emails[1]}, 'UTF8')), is_new = true
    where email_hash = sha256(convert_to(${emails[0]}, 'UTF8'))
  `
  await match()
  assert.deepEqual(await incoming(), [[id, 'UNPAID']])
  assert.equal((await endorse(two)).status, 200)
})
