import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hashPassword } from '../src/people/auth/login/password-actions.ts'
import { newAddress, openBrowserAt, signedInAs, signIn } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { auditActions, newEmail, tenTimes } from './support/login.ts'
import { rowCounts } from './support/rows.ts'
import { PASSWORD, startTestService } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'

const realClock = fakeClock()
const service = await startTestService({ after }, { settings: { trustsProxy: true }, realClock })
const { deps, newOwner } = service

const tryWith = (password: string, email: string, address?: string) =>
  openBrowserAt(service, address).post('/web/v1/sign-in', { email, password })
const tryWrong = (email: string, address?: string) => tryWith('not the password', email, address)

test('an owner signs in with email and password, and signs out', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  assert.equal(await signedInAs(browser), owner.email)
  const { status, body } = await browser.post('/web/v1/sign-out')
  assert.deepEqual([status, body, [...browser.cookies.keys()]], [200, {}, ['remit_sandbox_device']])
  assert.equal(await signedInAs(browser), null)
  assert.deepEqual(await auditActions(service, owner.email), ['sign_in', 'sign_out'])
})

test('signing out without a session is no error', async () => {
  const { status, body } = await openBrowserAt(service).post('/web/v1/sign-out')
  assert.deepEqual([status, body], [200, {}])
})

test('wrong password and unknown email get the same answer', async () => {
  const { email } = await newOwner()
  const before = await rowCounts(deps.sql)
  const answers = [await tryWrong(email), await tryWrong(newEmail()), await tryWrong('no email at all')]
  for (const { status, body, headers } of answers) {
    assert.deepEqual([status, body.code, body.message], [401, 'wrong_login', answers[0]?.body.message])
    assert.equal(headers.getSetCookie().length, 0)
    assert.equal(headers.get('cache-control'), 'no-store')
  }
  assert.equal((await rowCounts(deps.sql)).sessions, before.sessions)
})

test('a refused sign-in is recorded for the owner of the email', async () => {
  const { email } = await newOwner()
  await tryWrong(email)
  await waitUntil('the entry is written', async () => (await auditActions(service, email)).length > 0)
  assert.deepEqual(await auditActions(service, email), ['sign_in_refused'])
})

/** Microseconds of CPU time that this process used: hashing a password takes most of a try. */
async function workOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

test('wrong password and unknown email take the same work', async () => {
  const known = await Promise.all(Array.from({ length: 5 }, () => newOwner()))
  // The passwords of tests are hashed cheaply.
  await deps.sql`update logins set password_hash = ${await hashPassword(PASSWORD)}`
  const work = { known: 0, unknown: 0 }
  for (let round = 0; round < 25; round++) {
    for (const kind of ['known', 'unknown'] as const) {
      const email = kind === 'known' ? (known[round % 5]?.email as string) : newEmail()
      work[kind] += await workOf(async () => assert.equal((await tryWrong(email)).status, 401))
    }
  }
  // Without a password check, it would be a tenth.
  assert.ok(work.known < 2 * work.unknown && work.unknown < 2 * work.known, JSON.stringify(work))
})

test('five attempts are free, and each later one must wait longer', async () => {
  const { email } = await newOwner()
  for (let count = 0; count < 5; count++) assert.equal((await tryWrong(email)).status, 401)
  for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
    const { status, body, headers } = await tryWith(PASSWORD, email)
    assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'too_many_tries', String(seconds)])
    assert.ok(body.message.includes(`${seconds} seconds`))
    realClock.advance(seconds - 1)
    assert.equal((await tryWith(PASSWORD, email)).headers.get('retry-after'), '1')
    realClock.advance(1)
    assert.equal((await tryWrong(email)).status, 401)
  }
})

test('an unregistered email is delayed in the same way', async () => {
  const email = newEmail()
  for (let count = 0; count < 5; count++) assert.equal((await tryWrong(email)).status, 401)
  assert.equal((await tryWrong(email)).headers.get('retry-after'), '30')
  assert.equal((await tryWrong(email.toUpperCase())).status, 429)
})

test('the right password clears the attempts of its login', async () => {
  const { email } = await newOwner()
  for (let count = 0; count < 4; count++) await tryWrong(email)
  assert.equal((await tryWith(PASSWORD, email)).status, 200)
  for (let count = 0; count < 5; count++) assert.equal((await tryWrong(email)).status, 401)
  assert.equal((await tryWrong(email)).status, 429)
})

test('an owner cannot be locked out: a browser in which the owner signed in before has its own attempts', async () => {
  const owner = await newOwner()
  const address = newAddress()
  const browser = openBrowserAt(service, address)
  const signInHere = (password: string) => browser.post('/web/v1/sign-in', { email: owner.email, password })
  assert.equal((await signInHere(PASSWORD)).status, 200)
  await browser.post('/web/v1/sign-out')

  for (let count = 0; count < 50; count++) await tryWrong(newEmail(), address)
  for (let count = 0; count < 6; count++) await tryWrong(owner.email)
  assert.equal((await tryWith(PASSWORD, owner.email)).status, 429, 'an unknown browser')
  assert.equal((await tryWith(PASSWORD, newEmail(), address)).status, 429)
  assert.equal((await signInHere(PASSWORD)).status, 200)

  assert.equal((await tryWith(PASSWORD, owner.email)).status, 429, 'it clears the tries of no other browser')
})

test('a known browser that guesses is delayed like any other, and is known only for its own email', async () => {
  const [owner, other] = [await newOwner(), await newOwner()]
  const browser = await signIn(service, owner)
  const guess = (email: string) => browser.post('/web/v1/sign-in', { email, password: 'not the password' })
  for (let count = 0; count < 6; count++) await tryWrong(other.email)
  assert.equal((await guess(other.email)).status, 429)
  for (let count = 0; count < 5; count++) assert.equal((await guess(owner.email)).status, 401)
  assert.equal((await guess(owner.email)).headers.get('retry-after'), '30')
  assert.equal((await tryWith(PASSWORD, owner.email)).status, 200, 'no attempts from other places')
})

test('a device cookie that is forged, of another email or half a year old does not make a browser known', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  const cookie = browser.cookies.get('remit_sandbox_device') as { value: string; path: string }
  assert.deepEqual([cookie.path, cookie.value.includes(owner.email)], ['/web/v1', false])
  for (let count = 0; count < 6; count++) await tryWrong(owner.email)
  const statusWith = async (value: string) => {
    const { status } = await openBrowserAt(service).post(
      '/web/v1/sign-in',
      { email: owner.email, password: PASSWORD },
      { cookie: `remit_sandbox_device=${value}` },
    )
    return status
  }
  const foreign = (await signIn(service, await newOwner())).cookies.get('remit_sandbox_device')?.value as string
  for (const value of ['', 'x', foreign, cookie.value.slice(2), `${cookie.value.slice(0, -2)}AA`]) {
    assert.equal(await statusWith(value), 429)
  }
  assert.equal(await statusWith(cookie.value), 200)
  realClock.advance(180 * 24 * 3_600)
  for (let count = 0; count < 6; count++) await tryWrong(owner.email)
  assert.equal(await statusWith(cookie.value), 429)
})

test('after an hour without an attempt, all are deleted', async () => {
  const { email } = await newOwner()
  for (let count = 0; count < 6; count++) await tryWrong(email)
  realClock.advance(3_599)
  await tryWrong(email)
  assert.equal((await tryWrong(email)).headers.get('retry-after'), '60')
  realClock.advance(3_600)
  for (let count = 0; count < 5; count++) assert.equal((await tryWrong(email)).status, 401)
})

test('ten attempts at the same time count as ten', async () => {
  const { email } = await newOwner()
  assert.deepEqual(await tenTimes(() => tryWrong(email)), { '401 wrong_login': 5, '429 too_many_tries': 5 })
})

test('fifty attempts from one address are free, whatever the emails', async () => {
  const address = newAddress()
  for (let count = 0; count < 50; count++) assert.equal((await tryWrong(newEmail(), address)).status, 401)
  const { status, headers } = await tryWrong(newEmail(), address)
  assert.deepEqual([status, headers.get('retry-after')], [429, '30'])
  assert.equal((await tryWrong(newEmail())).status, 401)
})

test('successful sign-ins from one address do not count', async () => {
  const [address, owner] = [newAddress(), await newOwner()]
  for (let count = 0; count < 60; count++) {
    const { status } = await tryWith(PASSWORD, owner.email, address)
    assert.equal(status, 200)
  }
})

test('the address of the proxy’s client counts, not the one that the client wrote before it', async () => {
  const owner = await newOwner()
  const address = newAddress()
  await tryWith(PASSWORD, owner.email, `203.0.113.${process.pid % 256}, ${address}`)
  const rows = await deps.sql`
    select address from audit_entries where platform_id = ${owner.id}
  `
  assert.deepEqual([...rows], [{ address }])
})

test('an IPv6 network counts as one address', async () => {
  for (let count = 0; count < 50; count++) await tryWrong(newEmail(), `2001:db8:1:2::${count.toString(16)}`)
  assert.equal((await tryWrong(newEmail(), '2001:db8:1:2:ffff::1')).status, 429)
  assert.equal((await tryWrong(newEmail(), '2001:db8:1:3::1')).status, 401)
})

test('a delayed attempt is refused without checking the password', async () => {
  const { email } = await newOwner()
  for (let count = 0; count < 5; count++) await tryWrong(email)
  const workOfTen = (request: () => Promise<{ status: number }>, status: number) =>
    workOf(async () => {
      for (let count = 0; count < 10; count++) assert.equal((await request()).status, status)
    })
  const refused = await workOfTen(() => tryWrong(email), 429)
  const looked = await workOfTen(() => tryWrong(newEmail()), 401)
  assert.ok(refused < looked, `${refused} and ${looked} µs`)
})

for (const [what, headers] of Object.entries({
  'a page elsewhere': { origin: 'https://evil.example' },
  'a page of another port': { origin: 'http://localhost:1' },
  nowhere: { origin: 'null' },
  'another site, according to the browser': { 'sec-fetch-site': 'cross-site' },
  'a sibling site': { 'sec-fetch-site': 'same-site' },
})) {
  test(`a request from ${what} can neither sign in, up or out, nor request a code`, async () => {
    const owner = await newOwner()
    const browser = await signIn(service, owner)
    const before = await rowCounts(deps.sql)
    for (const [path, body] of [
      ['sign-in', { email: owner.email, password: PASSWORD }],
      ['sign-up', { email: newEmail(), password: PASSWORD, name: 'Eve' }],
      ['sign-up/confirm', { verification: 'x', code: '123123' }],
      ['sign-out', undefined],
      ['password/forgot', { email: owner.email }],
      ['password/reset', { verification: 'x', code: '123123', password: PASSWORD }],
      ['email', { email: newEmail(), password: PASSWORD }],
      ['two-factor', { password: PASSWORD }],
    ] as const) {
      const { status, body: answer } = await browser.post(`/web/v1/${path}`, body, headers)
      assert.deepEqual([path, status, answer.code], [path, 403, 'foreign_origin'])
    }
    assert.equal((await browser.put('/web/v1/password', {}, headers)).body.code, 'foreign_origin')
    assert.equal((await browser.del('/web/v1/sessions', headers)).body.code, 'foreign_origin')
    assert.deepEqual(await rowCounts(deps.sql), before)
    assert.equal(await signedInAs(browser), owner.email)
  })
}

test('a request without an origin is refused, because browsers send one with every change', async () => {
  const { owner } = service
  const { email } = await newOwner()
  const { status, body } = await owner.post('/web/v1/sign-in', { email, password: PASSWORD })
  assert.deepEqual([status, body.code], [403, 'foreign_origin'])
})

test('an Idempotency-Key is ignored on routes that anyone may call', async () => {
  const browser = openBrowserAt(service)
  for (const key of ['the same', 'the same', 'not valid: é'.replace('é', '\u00e9')]) {
    assert.equal((await browser.post('/web/v1/sign-out', undefined, { 'idempotency-key': key })).status, 200)
  }
})

test('the calls of the pages are not part of the public contract', async () => {
  const { paths } = (await service.owner.get('/openapi.json')).body
  assert.deepEqual(
    Object.keys(paths).filter((path) => !path.startsWith('/v3/')),
    [],
  )
})

test('the context names environment, version and environments, signed in or not', async () => {
  const { status, body, headers } = await openBrowserAt(service).get('/web/v1/context')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    environment: 'sandbox',
    version: body.version,
    environments: [{ name: 'sandbox', url: service.baseUrl }],
    fixed_code: '123123',
    shows_mail: true,
    time_zone: 'America/Los_Angeles',
    owner: null,
  })
  assert.match(body.version, /^\d+\.\d+\.\d+$/)
  assert.equal(headers.get('cache-control'), 'no-store')
})
