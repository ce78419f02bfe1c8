import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBrowser, openBrowserAt, signedInAs, signIn } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { auditActions, lastMail, mailedCode, newEmail, otherCode, tenTimes } from './support/login.ts'
import { rowCounts } from './support/rows.ts'
import { addVerifiedBank, PASSWORD, startTestService } from './support/service.ts'

const realClock = fakeClock()
// As in production, each mail has its own code. The tests can read the mails.
const service = await startTestService({ after }, { settings: { fixedCode: null, trustsProxy: true }, realClock })
const { deps } = service

const newBrowser = () => openBrowserAt(service)

async function begin(email = newEmail(), browser = newBrowser()) {
  const { status, body, text } = await browser.post('/web/v1/sign-up', { email, password: PASSWORD, name: 'Ada' })
  assert.deepEqual([status, Object.keys(body)], [201, ['verification']], text)
  return { browser, email, verification: body.verification as string }
}

test('an owner signs up with the code that was mailed, and is signed in', async () => {
  const { browser, email, verification } = await begin()
  assert.equal(await signedInAs(browser), null)
  const code = await mailedCode(browser, email)
  const { status, body, headers } = await browser.post('/web/v1/sign-up/confirm', { verification, code })
  assert.deepEqual([status, body], [201, {}])
  assert.equal(headers.get('cache-control'), 'no-store')
  const { owner } = (await browser.get('/web/v1/context')).body
  const { permissions, ...rest } = owner
  assert.deepEqual(rest, {
    id: owner.id,
    email,
    name: 'Ada',
    platform: 'Ada',
    is_payee: false,
    role: 'owner',
    has_two_factor: false,
    must_enroll: false,
    has_old_codes: false,
    session_seconds: rest.session_seconds,
  })
  assert.ok(rest.session_seconds > 23 * 3_600)
  assert.equal(permissions.length, 13)
  assert.deepEqual(await auditActions(service, email), ['sign_up'])
  await signIn(service, { email })
})

test('a new owner has no API key with an unknown secret, and can create one', async () => {
  const { browser, email, verification } = await begin()
  await browser.post('/web/v1/sign-up/confirm', { verification, code: await mailedCode(browser, email) })
  assert.deepEqual((await browser.get('/v3/user/api_key')).body.api_keys, [])
  assert.equal((await browser.post('/v3/user/api_key', {})).status, 201)
})

test('an email has one owner, in any notation', async () => {
  const { browser, email, verification } = await begin()
  await browser.post('/web/v1/sign-up/confirm', { verification, code: await mailedCode(browser, email) })
  await begin(email.toUpperCase())
  assert.match((await lastMail(browser, email)).subject, /You already have a Remit/)
  await signIn(service, { email: email.toUpperCase() })
})

test('a taken email gets the same answer; its owner is notified, and no code finishes the sign-up', async () => {
  const { email } = await service.newOwner()
  const { browser, verification } = await begin(email)
  const { text, subject } = await lastMail(browser, email)
  assert.match(subject, /You already have a Remit/)
  assert.doesNotMatch(text, /\d{6}/)
  const before = await rowCounts(deps.sql)
  const free = await begin()
  const other = otherCode(await mailedCode(free.browser, free.email))
  const answers = [
    await browser.post('/web/v1/sign-up/confirm', { verification, code: '123123' }),
    await free.browser.post('/web/v1/sign-up/confirm', { verification: free.verification, code: other }),
  ]
  assert.deepEqual(answers[0]?.body, answers[1]?.body)
  assert.deepEqual([answers[0]?.status, answers[0]?.body.code], [400, 'wrong_code'])
  const now = await rowCounts(deps.sql)
  assert.deepEqual([now.users, now.logins], [before.users, before.logins])
})

test('a wrong code shows the number of remaining attempts, and the fifth ends the sign-up', async () => {
  const { browser, email, verification } = await begin()
  const code = await mailedCode(browser, email)
  const confirm = (text: string) => browser.post('/web/v1/sign-up/confirm', { verification, code: text })
  for (const left of ['4 attempts left', '3 attempts left', '2 attempts left', '1 attempt left', 'Request a new one']) {
    const { status, body } = await confirm(otherCode(code))
    assert.deepEqual([status, body.code, body.message.includes(left)], [400, 'wrong_code', true], body.message)
  }
  const { status, body } = await confirm(code)
  assert.deepEqual([status, body.code], [400, 'code_expired'])
})

test('a code is valid for 15 minutes, even with spaces', async () => {
  const [early, late] = [await begin(), await begin()]
  const codes = [await mailedCode(early.browser, early.email), await mailedCode(late.browser, late.email)]
  realClock.advance(15 * 60 - 1)
  const spaced = codes[0]?.replace(/(...)/, '$1 ')
  const inTime = await early.browser.post('/web/v1/sign-up/confirm', { verification: early.verification, code: spaced })
  assert.equal(inTime.status, 201)
  realClock.advance(1)
  const tooLate = await late.browser.post('/web/v1/sign-up/confirm', {
    verification: late.verification,
    code: codes[1],
  })
  assert.deepEqual([tooLate.status, tooLate.body.code], [400, 'code_expired'])
})

test('a code does not work without the token of the browser that started, nor with that of another sign-up', async () => {
  const [mine, other] = [await begin(), await begin()]
  const code = await mailedCode(mine.browser, mine.email)
  for (const [verification, expected] of [
    ['made up', 'code_expired'],
    [other.verification, 'wrong_code'],
  ]) {
    const { body } = await mine.browser.post('/web/v1/sign-up/confirm', { verification, code })
    assert.equal(body.code, expected)
  }
})

test('of ten simultaneous confirmations, one creates an owner', async () => {
  const { browser, email, verification } = await begin()
  const code = await mailedCode(browser, email)
  const confirm = () => openBrowser(service).post('/web/v1/sign-up/confirm', { verification, code })
  assert.deepEqual(await tenTimes(confirm), { '201': 1, '400 code_expired': 9 })
})

test('ten wrong codes at the same time count as five attempts', async () => {
  const { browser, email, verification } = await begin()
  const code = otherCode(await mailedCode(browser, email))
  const confirm = () => browser.post('/web/v1/sign-up/confirm', { verification, code })
  assert.deepEqual(await tenTimes(confirm), { '400 wrong_code': 5, '400 code_expired': 5 })
})

test('of two sign-ups with one email, the first to be confirmed succeeds; the other fails like a wrong code', async () => {
  const first = await begin()
  const firstCode = await mailedCode(first.browser, first.email)
  const second = await begin(first.email)
  const secondCode = await mailedCode(first.browser, first.email)
  const confirm = ({ browser, verification }: typeof first, code: string) =>
    browser.post('/web/v1/sign-up/confirm', { verification, code })
  const answers = await Promise.all([confirm(first, firstCode), confirm(second, secondCode)])
  assert.deepEqual(answers.map(({ body }) => body.code ?? 'done').sort(), ['done', 'wrong_code'])
})

const refusedBodies: [what: string, changes: object, code: string, field: string][] = [
  ['no email', { email: undefined }, 'invalid_request', 'email'],
  ['a text that is not an email', { email: 'ada' }, 'invalid_request', 'email'],
  ['a short password', { password: '1234567' }, 'invalid_request', 'password'],
  ['a long password', { password: 'long password '.repeat(15) }, 'invalid_request', 'password'],
  ['a common password', { password: 'Password1' }, 'weak_password', 'password'],
  ['the email as password', { email: 'ada@example.com', password: 'Ada@example.com' }, 'weak_password', 'password'],
  ['a short name', { name: 'A' }, 'invalid_request', 'name'],
  ['a name of spaces', { name: '   ' }, 'invalid_request', 'name'],
  ['an unknown field', { role: 'admin' }, 'invalid_request', 'role'],
]
for (const [what, changes, code, field] of refusedBodies) {
  test(`a sign-up with ${what} is refused and changes nothing`, async () => {
    const before = await rowCounts(deps.sql)
    const body = { email: newEmail(), password: 'not so common', name: 'Ada', ...changes }
    const answer = await newBrowser().post('/web/v1/sign-up', body)
    assert.deepEqual([answer.status, answer.body.code, Object.keys(answer.body.errors)], [400, code, [field]])
    // Scoring a password takes work, so it counts as a try of the address.
    const tries = (before.tries ?? 0) + (code === 'weak_password' ? 1 : 0)
    assert.deepEqual(await rowCounts(deps.sql), { ...before, tries })
  })
}

test('one email gets five codes in a row, then one after a growing pause', async () => {
  const email = newEmail()
  for (let count = 0; count < 5; count++) await begin(email)
  const again = () => newBrowser().post('/web/v1/sign-up', { email, password: PASSWORD, name: 'Ada' })
  const { status, body, headers } = await again()
  assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'too_many_tries', '30'])
  realClock.advance(30)
  assert.equal((await again()).status, 201)
  assert.equal((await again()).headers.get('retry-after'), '60')
})

test('a fixed code works for every sign-up', async (t) => {
  const sandbox = await startTestService(t)
  const browser = openBrowser(sandbox)
  const email = newEmail()
  assert.equal((await browser.get('/web/v1/context')).body.fixed_code, '123123')
  const { body } = await browser.post('/web/v1/sign-up', { email, password: PASSWORD, name: 'Ada' })
  const confirmed = await browser.post('/web/v1/sign-up/confirm', { ...body, code: '123123' })
  assert.equal(confirmed.status, 201)
  assert.equal(await signedInAs(browser), email)
  const taken = await openBrowser(sandbox).post('/web/v1/sign-up', { email, password: PASSWORD, name: 'Eve' })
  const refused = await browser.post('/web/v1/sign-up/confirm', { ...taken.body, code: '123123' })
  assert.deepEqual([refused.status, refused.body.code], [400, 'wrong_code'])
  for (const one of [newEmail(), newEmail()]) {
    await browser.post('/web/v1/sign-up', { email: one, password: PASSWORD, name: 'Ada' })
  }
  const digests = await sandbox.deps.sql<{ codeDigest: Buffer }[]>`select code_digest from verifications`
  assert.equal(digests.length, 3)
  assert.equal(
    new Set(digests.map(({ codeDigest }) => codeDigest.toString('hex'))).size,
    3,
    'no environment reveals another',
  )
})

test('a payment finds an owner by email after the email is verified, not before', async () => {
  const { browser, email, verification } = await begin()
  await addVerifiedBank(service.owner)
  const send = () => service.owner.post('/v3/check/digital', { amount: 1, name: 'Ada', recipient: email })
  assert.equal((await send()).status, 201)
  await browser.post('/web/v1/sign-up/confirm', { verification, code: await mailedCode(browser, email) })
  assert.deepEqual((await browser.get('/v3/check')).body.checks, [])
  const { body: sent } = await send()
  await service.applyOutbox()
  const { checks } = (await browser.get('/v3/check?direction=INCOMING')).body
  assert.deepEqual(
    checks.map(({ id }: { id: string }) => id),
    [sent.id],
  )
})
