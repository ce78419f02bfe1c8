import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sweep } from '../src/operation/scheduler/sweep-table.ts'
import { type Browser, openBrowser, signedInAs, signIn } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { auditActions } from './support/login.ts'
import { PASSWORD, startTestService } from './support/service.ts'

const realClock = fakeClock()
const service = await startTestService({ after }, { realClock })
const { deps, newOwner } = service
const UNKNOWN_ID = '0'.repeat(32)
const HOUR = 3_600
const COOKIE = 'remit_sandbox_session'

const tokenOf = ({ cookies }: Browser): string => cookies.get(COOKIE)?.value ?? ''

type Listed = { id: string; is_this: boolean }

test('the cookie is HttpOnly, SameSite=Lax and for all paths, and names its environment', async () => {
  const { email } = await newOwner()
  const { headers } = await openBrowser(service).post('/web/v1/sign-in', { email, password: PASSWORD })
  const [cookie, device, ...others] = headers.getSetCookie()
  assert.equal(others.length, 0)
  assert.match(
    cookie as string,
    /^remit_sandbox_session=[A-Za-z0-9]{40}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  assert.match(
    device as string,
    /^remit_sandbox_device=[\w-]+; Max-Age=15552000; Path=\/web\/v1; HttpOnly; SameSite=Lax$/,
  )
  assert.equal(headers.get('cache-control'), 'no-store')
})

suite('on HTTPS', () => {
  test('the cookie is Secure and has the prefix that no other host can set', async (t) => {
    const settings = { baseUrl: 'https://pay.example.com' }
    const secure = await startTestService(t, { environment: 'demo', settings })
    const { email } = await secure.newOwner()
    const { secrets, service: running } = secure
    const browser = openBrowser({ secrets, baseUrl: running.listeningAt }, { origin: settings.baseUrl })
    const { headers } = await browser.post('/web/v1/sign-in', { email, password: PASSWORD })
    const [cookie] = headers.getSetCookie()
    assert.match(cookie as string, /^__Host-remit_demo_session=\w{40}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    assert.doesNotMatch(cookie as string, /domain/i)
    assert.equal(await signedInAs(browser), email)
    const [cleared] = (await browser.post('/web/v1/sign-out')).headers.getSetCookie()
    assert.match(cleared as string, /^__Host-remit_demo_session=; .*Secure/)
  })
})

test('a session is stored by its hash only', async () => {
  const { email } = await newOwner()
  const browser = await signIn(service, { email })
  const token = tokenOf(browser)
  const rows = await deps.sql<{ row: string }[]>`select s::text as row from sessions s`
  assert.ok(rows.length > 0 && rows.every(({ row }) => !row.includes(token)))
  for (const value of ['', 'x', UNKNOWN_ID, `${token}x`, token.toLowerCase()]) {
    const other = openBrowser(service)
    other.cookies.set(COOKIE, { value, path: '/' })
    const { status, body } = await other.get('/web/v1/sessions')
    assert.deepEqual([status, body.code], [401, 'not_signed_in'])
  }
})

test('a cookie of another environment on the same host is not accepted', async () => {
  const browser = await signIn(service, await newOwner())
  const other = openBrowser(service)
  other.cookies.set('remit_demo_session', { value: tokenOf(browser), path: '/' })
  assert.equal((await other.get('/web/v1/sessions')).status, 401)
})

test('a session ends after 24 hours without use', async () => {
  const { email } = await newOwner()
  const browser = await signIn(service, { email })
  for (let day = 0; day < 3; day++) {
    realClock.advance(24 * HOUR - 1)
    assert.equal(await signedInAs(browser), email)
  }
  realClock.advance(24 * HOUR)
  assert.equal(await signedInAs(browser), null)
  const { status, body } = await browser.get('/web/v1/sessions')
  assert.deepEqual([status, body.code], [401, 'not_signed_in'])
})

test('neither the live stream nor automatic requests of a page extend a session', async () => {
  const { email } = await newOwner()
  const browser = await signIn(service, { email })
  const secondsLeft = async (headers = {}) =>
    (await browser.get('/web/v1/context', headers)).body.owner?.session_seconds
  const unattended = { 'remit-unattended': 'true' }
  const { id } = (await browser.get('/web/v1/context')).body.owner
  const stream = () =>
    fetch(`${service.baseUrl}/web/v1/stream?platform=${id}`, {
      method: 'HEAD',
      headers: { cookie: `${COOKIE}=${tokenOf(browser)}` },
    })
  realClock.advance(24 * HOUR - 120)
  assert.equal((await stream()).status, 200)
  assert.equal((await browser.get('/v3/balance', unattended)).status, 200)
  assert.equal(await secondsLeft(unattended), 120)
  assert.equal(await secondsLeft(), 24 * HOUR, 'somebody is there')
  realClock.advance(24 * HOUR - 1)
  assert.equal((await stream()).status, 200)
  assert.equal(await secondsLeft(unattended), 1)
  realClock.advance(1)
  assert.equal(await secondsLeft(), undefined)
  assert.equal((await stream()).status, 401)
})

test('a session ends after 14 days, even if it is used', async () => {
  const { email } = await newOwner()
  const browser = await signIn(service, { email })
  for (let hour = 0; hour < 14 * 24; hour += 12) {
    assert.equal(await signedInAs(browser), email, `after ${hour} hours`)
    realClock.advance(12 * HOUR)
  }
  assert.equal(await signedInAs(browser), null)
})

test('the last use is written once a minute', async () => {
  const { email } = await newOwner()
  const browser = await signIn(service, { email })
  const lastSeen = async () => (await browser.get('/web/v1/sessions')).body.sessions[0].last_seen
  const first = await lastSeen()
  realClock.advance(59)
  assert.equal(await lastSeen(), first)
  realClock.advance(1)
  assert.notEqual(await lastSeen(), first)
})

test('a sign-in creates a new session and ends the browser’s previous one', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  const before = openBrowser(service)
  before.cookies.set(COOKIE, { value: tokenOf(browser), path: '/' })
  await browser.post('/web/v1/sign-in', { email: owner.email, password: PASSWORD })
  assert.equal(await signedInAs(browser), owner.email)
  assert.equal(await signedInAs(before), null)
  assert.equal((await browser.get('/web/v1/sessions')).body.sessions.length, 1)
})

test('a sign-in as another owner removes everything of the first one', async () => {
  const [first, second] = [await newOwner(), await newOwner()]
  const browser = await signIn(service, first)
  await browser.post('/web/v1/sign-in', { email: second.email, password: PASSWORD })
  assert.equal(await signedInAs(browser), second.email)
  const elsewhere = await signIn(service, first)
  assert.equal((await elsewhere.get('/web/v1/sessions')).body.sessions.length, 1)
})

test('a failed sign-in does not affect the session', async () => {
  const owner = await newOwner()
  const browser = await signIn(service, owner)
  assert.equal((await browser.post('/web/v1/sign-in', { email: owner.email, password: 'wrong one' })).status, 401)
  assert.equal(await signedInAs(browser), owner.email)
})

test('the list contains only the owner’s sessions and marks the current one', async () => {
  const owner = await newOwner()
  const [browser, other] = [await signIn(service, owner), await signIn(service, owner)]
  await signIn(service, await newOwner())
  const { sessions } = (await browser.get('/web/v1/sessions')).body
  assert.equal(sessions.length, 2)
  const [mine] = sessions.filter(({ is_this }: Listed) => is_this)
  assert.deepEqual(mine, {
    id: mine.id,
    is_this: true,
    date: mine.date,
    last_seen: mine.date,
    address: '127.0.0.1',
    user_agent: 'Test browser',
  })
  assert.match(mine.date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const { sessions: theirs } = (await other.get('/web/v1/sessions')).body
  assert.notEqual(theirs.find(({ is_this }: Listed) => is_this).id, mine.id)
})

test('one session can be ended from another one', async () => {
  const owner = await newOwner()
  const [browser, other] = [await signIn(service, owner), await signIn(service, owner)]
  const { sessions } = (await browser.get('/web/v1/sessions')).body
  const { id } = sessions.find(({ is_this }: Listed) => !is_this)
  const { status, body } = await browser.del(`/web/v1/sessions/${id}`)
  assert.deepEqual([status, body], [200, {}])
  assert.equal(await signedInAs(other), null)
  assert.equal(await signedInAs(browser), owner.email)
  const again = await browser.del(`/web/v1/sessions/${id}`)
  assert.deepEqual([again.status, again.body.code], [404, 'session_not_found'])
  assert.deepEqual(await auditActions(service, owner.email), ['sign_in', 'sign_in', 'session_ended'])
})

test('ending this session signs out', async () => {
  const browser = await signIn(service, await newOwner())
  const { id } = (await browser.get('/web/v1/sessions')).body.sessions[0]
  await browser.del(`/web/v1/sessions/${id}`)
  assert.equal(tokenOf(browser), '')
})

test('a session of another owner cannot be ended', async () => {
  const [browser, other] = [await signIn(service, await newOwner()), await signIn(service, await newOwner())]
  const { id } = (await other.get('/web/v1/sessions')).body.sessions[0]
  for (const unknown of [id, UNKNOWN_ID]) {
    const { status, body } = await browser.del(`/web/v1/sessions/${unknown}`)
    assert.deepEqual([status, body.code], [404, 'session_not_found'])
  }
  assert.notEqual(await signedInAs(other), null)
})

test('signing out everywhere ends all sessions of the owner, including this one', async () => {
  const [owner, stranger] = [await newOwner(), await newOwner()]
  const [browser, elsewhere] = [await signIn(service, owner), await signIn(service, owner)]
  const other = await signIn(service, stranger)
  const { status, body } = await browser.del('/web/v1/sessions')
  assert.deepEqual([status, body], [200, {}])
  for (const ended of [browser, elsewhere]) assert.equal(await signedInAs(ended), null)
  assert.equal(await signedInAs(other), stranger.email)
  assert.deepEqual(await auditActions(service, owner.email), ['sign_in', 'sign_in', 'sessions_ended'])
})

const sessionOnly: [method: 'get' | 'post' | 'put' | 'del', path: string, body?: object][] = [
  ['get', '/web/v1/sessions'],
  ['del', '/web/v1/sessions'],
  ['del', `/web/v1/sessions/${UNKNOWN_ID}`],
  ['put', '/web/v1/password', { current: PASSWORD, password: 'another password' }],
  ['post', '/web/v1/email', { email: 'new@example.com', password: PASSWORD }],
  ['post', '/web/v1/email/confirm', { verification: 'x', code: '123123' }],
  ['post', '/web/v1/two-factor', { password: PASSWORD }],
  ['post', '/web/v1/two-factor/confirm', { code: '123456' }],
  ['post', '/web/v1/two-factor/recovery-codes', { password: PASSWORD, code: '123456' }],
  ['post', '/web/v1/two-factor/remove', { password: PASSWORD, code: '123456' }],
]
for (const [method, path, body] of sessionOnly) {
  test(`${method} ${path} needs a session, and an API key is refused`, async () => {
    const { api } = await newOwner()
    const browser = openBrowser(service)
    const nobody =
      method === 'post' || method === 'put' ? await browser[method](path, body) : await browser[method](path)
    const withKey = method === 'post' || method === 'put' ? await api[method](path, body) : await api[method](path)
    for (const { status, body: answer, headers } of [nobody, withKey]) {
      assert.deepEqual([status, answer.code], [401, 'not_signed_in'])
      assert.equal(headers.get('cache-control'), 'no-store')
    }
  })
}

test('ended sessions are deleted, and others stay', async () => {
  const owner = await newOwner()
  await signIn(service, owner)
  realClock.advance(24 * HOUR)
  const browser = await signIn(service, owner)
  assert.ok((await sweep(deps, 'sweep sessions')) > 0)
  assert.equal(await sweep(deps, 'sweep sessions'), 0)
  assert.equal(await signedInAs(browser), owner.email)
  const [row] = await deps.sql<{ count: number }[]>`select count(*) as count from sessions`
  assert.equal(row?.count, 1)
})
