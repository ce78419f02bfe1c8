import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generateSync } from 'otplib'
import { openBrowserAt, signedInAs, signIn } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { auditActions, lastMail, mailedCode, otherCode, tenTimes } from './support/login.ts'
import { rowCounts } from './support/rows.ts'
import { PASSWORD, startTestService } from './support/service.ts'

const realClock = fakeClock()
const service = await startTestService({ after }, { settings: { trustsProxy: true }, realClock })
const { deps, newOwner } = service

const newBrowser = () => openBrowserAt(service)

/** The code in the app, some steps of thirty seconds from now. */
const appCode = (seed: string, steps = 0) =>
  generateSync({ secret: seed, epoch: Math.floor(realClock.now().getTime() / 1000) + 30 * steps })

/** An owner whose app is set up, in a step whose code was not used yet. */
async function protectedOwner() {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  const { body } = await browser.post('/web/v1/two-factor', { password: PASSWORD })
  const seed: string = body.secret
  const confirmed = await browser.post('/web/v1/two-factor/confirm', { code: appCode(seed) })
  assert.equal(confirmed.status, 201, confirmed.text)
  realClock.advance(60)
  return { ...owner, browser, seed, recoveryCodes: confirmed.body.recovery_codes as string[] }
}

const signInWith = (email: string, code?: string, browser = newBrowser()) =>
  browser.post('/web/v1/sign-in', { email, password: PASSWORD, ...(code !== undefined && { code }) })

test('an app is set up with its first code, which returns ten recovery codes', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  const begun = await browser.post('/web/v1/two-factor', { password: PASSWORD })
  assert.deepEqual([begun.status, Object.keys(begun.body)], [201, ['secret', 'uri']])
  const { secret, uri } = begun.body
  assert.match(secret, /^[A-Z2-7]{32}$/)
  const address = new URL(uri)
  assert.deepEqual([address.protocol, address.host, address.searchParams.get('secret')], ['otpauth:', 'totp', secret])
  assert.equal(decodeURIComponent(address.pathname), `/Remit sandbox:${owner.email}`)
  assert.equal((await signInWith(owner.email)).body.second_factor, false, 'it does not count yet')

  const { status, body } = await browser.post('/web/v1/two-factor/confirm', { code: appCode(secret) })
  assert.equal(status, 201)
  assert.equal(new Set(body.recovery_codes).size, 10)
  for (const code of body.recovery_codes) assert.match(code, /^[0-9a-z]{5}-[0-9a-z]{5}$/)
  assert.equal((await browser.get('/web/v1/context')).body.owner.has_two_factor, true)
  assert.deepEqual(await auditActions(service, owner.email), ['sign_in', 'sign_in', 'two_factor_on'])
})

test('setup requires the password, and a wrong code does not turn it on', async () => {
  const browser = await signIn(service, await newOwner())
  const refused = await browser.post('/web/v1/two-factor', { password: 'wrong one' })
  assert.deepEqual(
    [refused.status, refused.body.code, Object.keys(refused.body.errors)],
    [400, 'wrong_password', ['password']],
  )
  const nothingBegun = await browser.post('/web/v1/two-factor/confirm', { code: '123456' })
  assert.deepEqual([nothingBegun.status, nothingBegun.body.code], [400, 'two_factor_is_off'])
  const { body } = await browser.post('/web/v1/two-factor', { password: PASSWORD })
  for (const code of [otherCode(appCode(body.secret)), 'abcdef', '1', appCode(body.secret, 2)]) {
    const wrong = await browser.post('/web/v1/two-factor/confirm', { code })
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'wrong_code'])
  }
  assert.equal((await browser.get('/web/v1/context')).body.owner.has_two_factor, false)
})

test('setup cannot start while it is on, and the current app stays', async () => {
  const { browser, seed, email } = await protectedOwner()
  const { status, body } = await browser.post('/web/v1/two-factor', { password: PASSWORD })
  assert.deepEqual([status, body.code], [400, 'two_factor_is_on'])
  const again = await browser.post('/web/v1/two-factor/confirm', { code: appCode(seed) })
  assert.deepEqual([again.status, again.body.code], [400, 'two_factor_is_on'])
  assert.equal((await signInWith(email, appCode(seed))).body.second_factor, false)
})

test('of ten concurrent first codes, one turns it on', async () => {
  const browser = await signIn(service, await newOwner())
  const { body } = await browser.post('/web/v1/two-factor', { password: PASSWORD })
  const before = await rowCounts(deps.sql)
  const outcomes = await tenTimes(() => browser.post('/web/v1/two-factor/confirm', { code: appCode(body.secret) }))
  assert.equal(outcomes['201'], 1)
  assert.equal((await rowCounts(deps.sql)).recovery_codes, (before.recovery_codes ?? 0) + 10)
})

test('signing in requires a code after the right password, and starts no session before', async () => {
  const { email, seed } = await protectedOwner()
  const browser = newBrowser()
  const before = await rowCounts(deps.sql)
  const { status, body } = await signInWith(email, undefined, browser)
  assert.deepEqual([status, body], [200, { second_factor: true }])
  assert.equal((await rowCounts(deps.sql)).sessions, before.sessions)
  assert.equal(await signedInAs(browser), null)
  const answer = await signInWith(email, appCode(seed), browser)
  assert.deepEqual([answer.status, answer.body], [200, { second_factor: false }])
  assert.equal(await signedInAs(browser), email)
})

test('a wrong password is a wrong login, with any code', async () => {
  const { email, seed } = await protectedOwner()
  for (const code of [undefined, appCode(seed), '000000']) {
    const { status, body } = await newBrowser().post('/web/v1/sign-in', { email, password: 'wrong one', code })
    assert.deepEqual([status, body.code], [401, 'wrong_login'])
  }
  assert.equal((await signInWith(email, appCode(seed))).status, 200, 'the code was not used up')
})

for (const [steps, isGood] of [
  [-2, false],
  [-1, true],
  [0, true],
  [1, true],
  [2, false],
] as const) {
  test(`a code ${steps} steps from now is ${isGood ? 'accepted' : 'refused'}`, async () => {
    const { email, seed } = await protectedOwner()
    const { status, body } = await signInWith(email, appCode(seed, steps))
    assert.deepEqual([status, body.code], isGood ? [200, undefined] : [401, 'wrong_code'])
  })
}

test('a code is accepted once, and codes of earlier steps are refused afterward', async () => {
  const { email, seed } = await protectedOwner()
  assert.equal((await signInWith(email, appCode(seed))).status, 200)
  for (const steps of [0, -1]) {
    const { status, body } = await signInWith(email, appCode(seed, steps))
    assert.deepEqual([status, body.code], [401, 'wrong_code'])
  }
  assert.equal((await signInWith(email, appCode(seed, 1))).status, 200)
})

test('the code that turned it on is used up', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  const { body } = await browser.post('/web/v1/two-factor', { password: PASSWORD })
  const code = appCode(body.secret)
  await browser.post('/web/v1/two-factor/confirm', { code })
  assert.equal((await signInWith(owner.email, code)).body.code, 'wrong_code')
})

test('a recovery code can be used instead, once, in any notation', async () => {
  const { email, recoveryCodes } = await protectedOwner()
  const [first, second] = recoveryCodes as [string, string]
  assert.equal((await signInWith(email, first)).status, 200)
  assert.equal((await signInWith(email, first)).body.code, 'wrong_code')
  assert.equal((await signInWith(email, ` ${second.toUpperCase().replace('-', ' ')} `)).status, 200)
  const actions = await auditActions(service, email)
  assert.equal(actions.filter((action) => action === 'recovery_code_used').length, 2)
})

test('a recovery code of another owner does not work', async () => {
  const [mine, other] = [await protectedOwner(), await protectedOwner()]
  assert.equal((await signInWith(mine.email, other.recoveryCodes[0])).body.code, 'wrong_code')
  assert.equal((await signInWith(other.email, other.recoveryCodes[0])).status, 200)
})

for (const kind of ['app', 'recovery'] as const) {
  test(`of ten concurrent sign-ins with one ${kind} code, one succeeds`, async () => {
    const { email, seed, recoveryCodes } = await protectedOwner()
    const code = kind === 'app' ? appCode(seed) : (recoveryCodes[0] as string)
    const before = await rowCounts(deps.sql)
    const outcomes = await tenTimes(() => signInWith(email, code))
    assert.equal(outcomes['200'], 1)
    assert.equal((outcomes['401 wrong_code'] ?? 0) + (outcomes['429 too_many_tries'] ?? 0), 9)
    assert.equal((await rowCounts(deps.sql)).sessions, (before.sessions ?? 0) + 1)
  })
}

test('wrong codes are delayed like wrong passwords, and the right password does not clear them', async () => {
  const { email, seed } = await protectedOwner()
  for (let count = 0; count < 5; count++) {
    assert.equal((await signInWith(email, otherCode(appCode(seed)))).status, 401)
    assert.equal((await signInWith(email)).body.second_factor, true)
  }
  const { status, body, headers } = await signInWith(email, appCode(seed))
  assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'too_many_tries', '30'])
  realClock.advance(30)
  assert.equal((await signInWith(email, otherCode(appCode(seed)))).status, 401)
  assert.equal((await signInWith(email, appCode(seed))).headers.get('retry-after'), '60')
  realClock.advance(60)
  assert.equal((await signInWith(email, appCode(seed))).status, 200)
  realClock.advance(30)
  for (let count = 0; count < 5; count++) {
    assert.equal((await signInWith(email, otherCode(appCode(seed)))).status, 401, 'a success has cleared them')
  }
})

test('ten concurrent wrong codes count as ten attempts', async () => {
  const { email, seed } = await protectedOwner()
  const code = otherCode(appCode(seed))
  assert.deepEqual(await tenTimes(() => signInWith(email, code)), { '401 wrong_code': 5, '429 too_many_tries': 5 })
  const actions = await auditActions(service, email)
  assert.equal(actions.filter((action) => action === 'sign_in_refused').length, 5)
})

const proofs: [what: string, proof: (seed: string) => object, code: string][] = [
  ['a wrong password', (seed) => ({ password: 'wrong one', code: appCode(seed) }), 'wrong_password'],
  ['a wrong code', (seed) => ({ password: PASSWORD, code: otherCode(appCode(seed)) }), 'wrong_code'],
  ['no code', () => ({ password: PASSWORD }), 'invalid_request'],
]
for (const path of ['remove', 'recovery-codes']) {
  for (const [what, proof, code] of proofs) {
    test(`two-factor/${path} with ${what} is refused and changes nothing`, async () => {
      const { email, browser, seed, recoveryCodes } = await protectedOwner()
      const { status, body } = await browser.post(`/web/v1/two-factor/${path}`, proof(seed))
      assert.deepEqual([status, body.code], [400, code])
      assert.equal((await signInWith(email)).body.second_factor, true)
      assert.equal((await signInWith(email, recoveryCodes[0])).status, 200)
    })
  }

  test(`two-factor/${path} needs it to be on`, async () => {
    const browser = await signIn(service, await newOwner())
    const answer = await browser.post(`/web/v1/two-factor/${path}`, { password: PASSWORD, code: '123456' })
    assert.deepEqual([answer.status, answer.body.code], [400, 'two_factor_is_off'])
  })
}

test('it is turned off with both factors, and the owner is notified', async () => {
  const { email, browser, seed, recoveryCodes } = await protectedOwner()
  const before = await rowCounts(deps.sql)
  const { status, body } = await browser.post('/web/v1/two-factor/remove', { password: PASSWORD, code: appCode(seed) })
  assert.deepEqual([status, body], [201, {}])
  assert.equal((await rowCounts(deps.sql)).recovery_codes, (before.recovery_codes ?? 0) - 10)
  assert.deepEqual((await signInWith(email)).body, { second_factor: false })
  assert.match((await lastMail(browser, email)).subject, /turned off/)
  assert.ok((await auditActions(service, email)).includes('two_factor_off'))
  const again = await browser.post('/web/v1/two-factor', { password: PASSWORD })
  await browser.post('/web/v1/two-factor/confirm', { code: appCode(again.body.secret) })
  assert.equal((await signInWith(email, recoveryCodes[0])).body.code, 'wrong_code', 'old recovery codes are gone')
})

test('new recovery codes replace the old ones, and a recovery code can authorize them', async () => {
  const { email, browser, recoveryCodes } = await protectedOwner()
  const [first, second] = recoveryCodes as [string, string]
  const { status, body } = await browser.post('/web/v1/two-factor/recovery-codes', { password: PASSWORD, code: first })
  assert.equal(status, 201)
  assert.equal(new Set([...body.recovery_codes, ...recoveryCodes]).size, 20)
  assert.equal((await signInWith(email, second)).body.code, 'wrong_code')
  assert.equal((await signInWith(email, body.recovery_codes[0])).status, 200)
  const actions = await auditActions(service, email)
  assert.ok(actions.includes('recovery_codes_renewed') && actions.includes('recovery_code_used'))
})

test('a new password neither turns it off nor clears wrong codes', async () => {
  const { email, browser, seed } = await protectedOwner()
  for (let count = 0; count < 5; count++) await signInWith(email, otherCode(appCode(seed)))
  const { body } = await newBrowser().post('/web/v1/password/forgot', { email })
  const code = await mailedCode(browser, email)
  const password = 'staple battery horse'
  const reset = await newBrowser().post('/web/v1/password/reset', { ...body, code, password })
  assert.equal(reset.status, 201)
  const withNew = (more: object = {}) => newBrowser().post('/web/v1/sign-in', { email, password, ...more })
  assert.deepEqual((await withNew()).body, { second_factor: true })
  assert.equal((await withNew({ code: appCode(seed) })).status, 429)
  realClock.advance(30)
  assert.equal((await withNew({ code: appCode(seed) })).status, 200)
})

test('seeds are sealed and recovery codes hashed', async () => {
  const { seed, recoveryCodes } = await protectedOwner()
  const rows = await deps.sql<{ row: string }[]>`
    select l::text as row from logins l union all select r::text from recovery_codes r
  `
  const dump = rows.map(({ row }) => row).join('\n')
  for (const secret of [seed, ...recoveryCodes]) {
    assert.ok(!dump.includes(secret) && !dump.includes(Buffer.from(secret).toString('hex')))
  }
})
