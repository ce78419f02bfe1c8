import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Browser, openBrowser, signedInAs, signIn } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { auditActions, lastMail, mailedCode, newEmail, otherCode, tenTimes } from './support/login.ts'
import { rowCounts } from './support/rows.ts'
import { PASSWORD, startTestService } from './support/service.ts'

const realClock = fakeClock()
const service = await startTestService({ after }, { settings: { fixedCode: null }, realClock })
const { deps, newOwner } = service

async function begin(browser: Browser, email = newEmail()) {
  const { status, body, text } = await browser.post('/web/v1/email', { email, password: PASSWORD })
  assert.deepEqual([status, Object.keys(body)], [201, ['verification']], text)
  return { email, verification: body.verification as string }
}

const confirm = (browser: Browser, verification: string, code: string) =>
  browser.post('/web/v1/email/confirm', { verification, code })

test('the email is changed with a code sent to the new address; the old address is notified and no longer signs in', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  const { email, verification } = await begin(browser)
  assert.equal(await signedInAs(browser), owner.email, 'nothing is changed yet')
  const { status, body } = await confirm(browser, verification, await mailedCode(browser, email))
  assert.deepEqual([status, body], [201, {}])
  assert.equal(await signedInAs(browser), email)
  const told = await lastMail(browser, owner.email)
  assert.ok(told.subject.includes('was changed') && told.text.includes(email))
  const old = await openBrowser(service).post('/web/v1/sign-in', { email: owner.email, password: PASSWORD })
  assert.equal(old.status, 401)
  await signIn(service, { email })
  assert.deepEqual(await auditActions(service, email), ['sign_in', 'email_changed', 'sign_in'])
})

test('a wrong password changes nothing and sends nothing', async () => {
  const browser = await signIn(service, await newOwner())
  const before = await rowCounts(deps.sql)
  const { status, body } = await browser.post('/web/v1/email', { email: newEmail(), password: 'wrong one' })
  assert.deepEqual([status, body.code, body.errors], [400, 'wrong_password', { password: ['is incorrect'] }])
  const { mails, verifications } = await rowCounts(deps.sql)
  assert.deepEqual([mails, verifications], [before.mails, before.verifications])
})

test('a taken address gets the same answer; its owner is notified, and no code finishes the change', async () => {
  const [owner, other] = [await newOwner(), await newOwner()]
  const browser = await signIn(service, owner)
  const { verification } = await begin(browser, other.email.toUpperCase())
  assert.doesNotMatch((await lastMail(browser, other.email)).text, /\d{6}/)
  const { status, body } = await confirm(browser, verification, '123123')
  assert.deepEqual([status, body.code], [400, 'wrong_code'])
  assert.equal(await signedInAs(browser), owner.email)
})

test('one address gets at most five codes in a row, from all requesters together', async () => {
  const [email, browser] = [newEmail(), await signIn(service, await newOwner())]
  for (let count = 0; count < 5; count++) await begin(browser, email)
  for (const asking of [browser, await signIn(service, await newOwner())]) {
    const { status, body } = await asking.post('/web/v1/email', { email, password: PASSWORD })
    assert.deepEqual([status, body.code], [429, 'too_many_tries'])
  }
})

test('a code is bound to the owner who asked for it', async () => {
  const [browser, thief] = [await signIn(service, await newOwner()), await signIn(service, await newOwner())]
  const { email, verification } = await begin(browser)
  const { status, body } = await confirm(thief, verification, await mailedCode(browser, email))
  assert.deepEqual([status, body.code], [400, 'wrong_code'])
  assert.notEqual(await signedInAs(thief), email)
})

test('if another owner takes the address first, the change fails like a wrong code: one of two concurrent changes succeeds', async () => {
  const email = newEmail()
  const browsers = [await signIn(service, await newOwner()), await signIn(service, await newOwner())]
  const answers: Promise<{ body: { code?: string } }>[] = []
  const begun: [Browser, string, string][] = []
  for (const browser of browsers) {
    const { verification } = await begin(browser, email)
    begun.push([browser, verification, await mailedCode(browser, email)])
  }
  for (const [browser, verification, code] of begun) answers.push(confirm(browser, verification, code))
  const codes = (await Promise.all(answers)).map(({ body }) => body.code ?? 'done')
  assert.deepEqual(codes.sort(), ['done', 'wrong_code'])
})

test('wrong codes are counted, and only one of ten concurrent right codes is accepted', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  const first = await begin(browser)
  const wrong = otherCode(await mailedCode(browser, first.email))
  const wrongOutcomes = await tenTimes(() => confirm(browser, first.verification, wrong))
  assert.deepEqual(wrongOutcomes, { '400 wrong_code': 5, '400 code_expired': 5 })
  const second = await begin(browser)
  const code = await mailedCode(browser, second.email)
  const outcomes = await tenTimes(() => confirm(browser, second.verification, code))
  assert.deepEqual(outcomes, { '201': 1, '400 code_expired': 9 })
})

test('a change of the email invalidates codes that were sent before', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  const forgotten = await openBrowser(service).post('/web/v1/password/forgot', { email: owner.email })
  const resetCode = await mailedCode(browser, owner.email)
  const other = await begin(browser)
  const otherMailed = await mailedCode(browser, other.email)
  const { email, verification } = await begin(browser)
  assert.equal((await confirm(browser, verification, await mailedCode(browser, email))).status, 201)
  const { body } = await openBrowser(service).post('/web/v1/password/reset', {
    ...forgotten.body,
    code: resetCode,
    password: 'staple battery horse',
  })
  assert.equal(body.code, 'code_expired')
  assert.equal((await confirm(browser, other.verification, otherMailed)).body.code, 'code_expired')
})
