import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inviteRecipients } from '../src/recipient/recipient-worker.ts'
import { newEmail } from './support/login.ts'
import { assertLedger } from './support/money.ts'
import { mailedToken, mailsTo, newBank, openLink } from './support/recipients.ts'
import { addVerifiedBank, startTestService } from './support/service.ts'

// People without an account among several recipients: each has a mail, a link and a PIN of its own.

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

test('who may only endorse has no option to be paid, and an endorsement is made once', async () => {
  const { one, two } = await newOutside([{ endorse_only: true }, {}])
  await endorse(two)
  assert.deepEqual((await one.read()).body.options, [])
  const refused = await one.deposit('bank', newBank())
  assert.deepEqual([refused.status, refused.body.code], [403, 'endorse_only'])
  assert.equal((await endorse(one)).status, 200)
  assert.equal((await endorse(one)).body.code, 'not_endorsable')
  assert.equal((await two.deposit('bank', newBank())).body.status, 'IN_PROCESS')
})

test('the sender has all of them mailed again, and voided payments tell them', async () => {
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
