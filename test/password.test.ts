import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Browser, newAddress, openBrowserAt, signedInAs, signIn } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { waitUntilWaiting } from './support/locks.ts'
import { auditActions, lastMail, mailedCode, newEmail, otherCode, tenTimes } from './support/login.ts'
import { rowCounts } from './support/rows.ts'
import { PASSWORD, startTestService } from './support/service.ts'

const realClock = fakeClock()
const service = await startTestService({ after }, { settings: { trustsProxy: true }, realClock })
const { deps, newOwner } = service
const NEW_PASSWORD = 'staple battery horse'
service.secrets.add(NEW_PASSWORD)

const newBrowser = () => openBrowserAt(service)

const signInStatus = async (email: string, password: string) =>
  (await newBrowser().post('/web/v1/sign-in', { email, password })).status

async function forget(email: string, browser = newBrowser()): Promise<{ browser: Browser; verification: string }> {
  const { status, body, text } = await browser.post('/web/v1/password/forgot', { email })
  assert.deepEqual([status, Object.keys(body)], [201, ['verification']], text)
  return { browser, verification: body.verification }
}

const reset = (browser: Browser, verification: string, code: string, password = NEW_PASSWORD) =>
  browser.post('/web/v1/password/reset', { verification, code, password })

test('a forgotten password is replaced with the mailed code: all sessions end, and no session starts', async () => {
  const owner = await newOwner()
  const signedIn = await signIn(service, owner)
  const { browser, verification } = await forget(owner.email.toUpperCase())
  const { status, body } = await reset(browser, verification, await mailedCode(browser, owner.email))
  assert.deepEqual([status, body], [201, {}])
  assert.equal(await signedInAs(signedIn), null)
  assert.equal(await signedInAs(browser), null)
  assert.match((await lastMail(browser, owner.email)).subject, /password was changed/)
  assert.deepEqual(
    [await signInStatus(owner.email, PASSWORD), await signInStatus(owner.email, NEW_PASSWORD)],
    [401, 200],
  )
  const actions = await auditActions(service, owner.email)
  assert.deepEqual(
    actions.filter((action) => action.startsWith('password')),
    ['password_reset'],
  )
})

test('the fixed code of a sandbox resets no password', async () => {
  const { email } = await newOwner()
  const { browser, verification } = await forget(email)
  assert.notEqual(await mailedCode(browser, email), '123123')
  const { status, body } = await reset(browser, verification, '123123')
  assert.deepEqual([status, body.code], [400, 'wrong_code'])
  assert.equal(await signInStatus(email, PASSWORD), 200)
})

test('an unknown email gets the same answer, no mail, and no code that works', async () => {
  const [unknown, { email }] = [newEmail(), await newOwner()]
  const before = await rowCounts(deps.sql)
  const { browser, verification } = await forget(unknown)
  assert.equal((await rowCounts(deps.sql)).mails, before.mails)
  const known = await forget(email)
  const other = otherCode(await mailedCode(known.browser, email))
  const answers = [await reset(browser, verification, '123123'), await reset(known.browser, known.verification, other)]
  assert.deepEqual(answers[0]?.body, answers[1]?.body)
  assert.deepEqual([answers[0]?.status, answers[0]?.body.code], [400, 'wrong_code'])
})

test('one email gets five codes for a new password in a row, registered or not, then one after a pause', async () => {
  for (const email of [newEmail(), (await newOwner()).email]) {
    for (let count = 0; count < 5; count++) await forget(email)
    const { status, body, headers } = await newBrowser().post('/web/v1/password/forgot', { email })
    assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'too_many_tries', '30'])
  }
})

test('a password can be reset while sign-ins are delayed, by address and by email', async () => {
  const { email } = await newOwner()
  const address = newAddress()
  const neighbor = openBrowserAt(service, address)
  const wrong = (name: string) => neighbor.post('/web/v1/sign-in', { email: name, password: 'wrong one' })
  for (let count = 0; count < 50; count++) await wrong(newEmail())
  for (let count = 0; count < 6; count++) await signInStatus(email, 'wrong one')
  for (let count = 0; count < 6; count++) {
    await newBrowser().post('/web/v1/sign-up', { email, password: 'a password for nobody', name: 'Eve' })
  }
  assert.equal((await wrong(email)).status, 429)
  const { browser, verification } = await forget(email, openBrowserAt(service, address))
  assert.equal((await reset(browser, verification, await mailedCode(browser, email))).status, 201)
})

test('a browser in which the owner signed in before gets a code when others have used up those of the email', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  for (let count = 0; count < 5; count++) await forget(owner.email)
  assert.equal((await newBrowser().post('/web/v1/password/forgot', { email: owner.email })).status, 429)
  for (let count = 0; count < 5; count++) await forget(owner.email, browser)
  assert.equal((await browser.post('/web/v1/password/forgot', { email: owner.email })).status, 429)
})

test('a new password is checked against the name of its owner', async () => {
  const owner = await newOwner('Wilhelmina Qvistgaardt')
  const browser = await signIn(service, owner)
  const password = 'qvistgaardt7'
  const { status, body } = await browser.put('/web/v1/password', { current: PASSWORD, password })
  assert.deepEqual([status, body.code], [400, 'weak_password'])
  const forgotten = await forget(owner.email)
  const code = await mailedCode(forgotten.browser, owner.email)
  const answer = await reset(forgotten.browser, forgotten.verification, otherCode(code), password)
  assert.equal(answer.body.code, 'wrong_code', 'a caller without the mail learns nothing about the name')
  assert.equal((await reset(forgotten.browser, forgotten.verification, code, password)).body.code, 'weak_password')
})

test('a reset clears the attempts of the login', async () => {
  const { email } = await newOwner()
  for (let count = 0; count < 5; count++) assert.equal(await signInStatus(email, 'wrong one'), 401)
  assert.equal(await signInStatus(email, PASSWORD), 429)
  const { browser, verification } = await forget(email)
  assert.equal((await reset(browser, verification, await mailedCode(browser, email))).status, 201)
  assert.equal(await signInStatus(email, NEW_PASSWORD), 200)
})

test('five wrong codes end a reset, concurrent or not, and so do 15 minutes', async () => {
  const { email } = await newOwner()
  const first = await forget(email)
  const wrong = otherCode(await mailedCode(first.browser, email))
  const outcomes = await tenTimes(() => reset(newBrowser(), first.verification, wrong))
  assert.deepEqual(outcomes, { '400 wrong_code': 5, '400 code_expired': 5 })
  const second = await forget(email)
  const code = await mailedCode(second.browser, email)
  realClock.advance(15 * 60)
  assert.equal((await reset(second.browser, second.verification, code)).body.code, 'code_expired')
  assert.equal(await signInStatus(email, PASSWORD), 200)
})

test('of ten concurrent resets with one code, one succeeds', async () => {
  const { email } = await newOwner()
  const { browser, verification } = await forget(email)
  const code = await mailedCode(browser, email)
  const outcomes = await tenTimes(() => reset(newBrowser(), verification, code))
  assert.deepEqual(outcomes, { '201': 1, '400 code_expired': 9 })
})

test('of five concurrent codes of one owner, one succeeds and invalidates the others', async () => {
  const { email } = await newOwner()
  const resets: [Browser, string, string][] = []
  for (let count = 0; count < 5; count++) {
    const { browser, verification } = await forget(email)
    resets.push([browser, verification, await mailedCode(browser, email)])
  }
  const answers = await Promise.all(resets.map(([browser, verification, code]) => reset(browser, verification, code)))
  assert.deepEqual(answers.map(({ status, body }) => body.code ?? status).sort(), [
    201,
    ...Array(4).fill('code_expired'),
  ])
})

test('a code for one purpose does not work for another', async () => {
  const { email } = await newOwner()
  const { browser, verification } = await forget(email)
  const code = await mailedCode(browser, email)
  const { body } = await browser.post('/web/v1/sign-up/confirm', { verification, code })
  assert.equal(body.code, 'code_expired')
  const signUp = await browser.post('/web/v1/sign-up', { email: newEmail(), password: PASSWORD, name: 'Ada' })
  assert.equal((await reset(browser, signUp.body.verification, '123123')).body.code, 'code_expired')
})

test('a weak new password is refused, and the code stays valid', async () => {
  const { email } = await newOwner()
  const { browser, verification } = await forget(email)
  const code = await mailedCode(browser, email)
  for (const password of ['password123', email]) {
    const { status, body } = await reset(browser, verification, code, password)
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'weak_password', ['password']])
  }
  assert.equal((await reset(browser, verification, code)).status, 201)
})

test('the password is changed with the current one: other sessions end, this one stays', async () => {
  const owner = await newOwner()
  const [browser, other] = [await signIn(service, owner), await signIn(service, owner)]
  const forgotten = await forget(owner.email)
  const code = await mailedCode(forgotten.browser, owner.email)
  const { status, body } = await browser.put('/web/v1/password', { current: PASSWORD, password: NEW_PASSWORD })
  assert.deepEqual([status, body], [200, {}])
  assert.deepEqual([await signedInAs(browser), await signedInAs(other)], [owner.email, null])
  assert.deepEqual(
    [await signInStatus(owner.email, PASSWORD), await signInStatus(owner.email, NEW_PASSWORD)],
    [401, 200],
  )
  assert.match((await lastMail(browser, owner.email)).subject, /password was changed/)
  const late = await reset(forgotten.browser, forgotten.verification, code)
  assert.equal(late.body.code, 'code_expired', 'a code that was sent before is invalid')
  assert.ok((await auditActions(service, owner.email)).includes('password_changed'))
})

test('a wrong current password changes nothing and is delayed, also for ten concurrent requests', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  const before = await rowCounts(deps.sql)
  const change = () => browser.put('/web/v1/password', { current: 'not this one', password: NEW_PASSWORD })
  const { status, body } = await change()
  assert.deepEqual([status, body.code, body.errors], [400, 'wrong_password', { current: ['is incorrect'] }])
  assert.deepEqual(await tenTimes(change), { '400 wrong_password': 4, '429 too_many_tries': 6 })
  const tries = (before.tries ?? 0) + 1
  assert.deepEqual(await rowCounts(deps.sql), { ...before, tries })
})

test('attempts by strangers do not keep a signed-in owner from changing the password', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  for (let count = 0; count < 6; count++) await signInStatus(owner.email, 'wrong one')
  const { status } = await browser.put('/web/v1/password', { current: PASSWORD, password: NEW_PASSWORD })
  assert.equal(status, 200)
})

for (const [what, password, code] of [
  ['short', '1234567', 'invalid_request'],
  ['common', 'qwertyuiop', 'weak_password'],
] as const) {
  test(`a ${what} new password is refused`, async () => {
    const owner = await newOwner()
    const browser = await signIn(service, owner)
    const { status, body } = await browser.put('/web/v1/password', { current: PASSWORD, password })
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, code, ['password']])
    assert.equal(await signInStatus(owner.email, PASSWORD), 200)
  })
}

test('a password can be in any script, and in any Unicode form of its accents', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  const password = 'Crème brûlée 🍮'
  const { status } = await browser.put('/web/v1/password', { current: PASSWORD, password: password.normalize('NFC') })
  assert.equal(status, 200)
  assert.equal(await signInStatus(owner.email, password.normalize('NFD')), 200)
})

test('a sign-in in progress when the password changes starts no session', async () => {
  const owner = await newOwner()
  const { signingIn } = await deps.sql.begin(async (sql) => {
    await sql`select 1 from logins where email = ${owner.email} for update`
    const signingIn = newBrowser().post('/web/v1/sign-in', { email: owner.email, password: PASSWORD })
    await waitUntilWaiting(deps.sql, 1) // the password was right, and the login is locked after that
    await sql`update logins set password_hash = 'another' where email = ${owner.email}`
    return { signingIn }
  })
  const { status, body } = await signingIn
  assert.deepEqual([status, body.code], [401, 'wrong_login'])
})
