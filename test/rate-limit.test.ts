import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '../src/foundation/core/errors.ts'
import type { Caller } from '../src/foundation/http/caller.ts'
import { createRateLimits } from '../src/foundation/http/limits/rate-limit.ts'
import { limitsOf } from '../src/foundation/http/limits/request-limits.ts'
import type { Answer, Api } from './support/api.ts'
import { fakeClock } from './support/clock.ts'
import { rowCounts } from './support/rows.ts'
import { startTestService } from './support/service.ts'

// Token buckets for each credential, user, platform and network address.

test('after its burst, an API key gets 429 with Retry-After, and other keys are not affected', async (t) => {
  const settings = { requestsPerSecond: 0.1, requestBurst: 5 }
  const limited = await startTestService(t, { settings, realClock: fakeClock() })
  const one = await limited.newUser()
  const other = await limited.newUser()
  const answers: Answer[] = []
  for (let count = 0; count < 7; count++) answers.push(await one.get('/v3/user'))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200, 429, 429],
  )
  assert.deepEqual(
    answers.map(({ headers }) => headers.get('ratelimit-remaining')),
    ['4', '3', '2', '1', '0', '0', '0'],
  )
  const refused = answers[5] as Answer
  assert.equal(refused.body.code, 'rate_limited')
  const waitSeconds = Number(refused.headers.get('retry-after'))
  assert.ok(waitSeconds > 5 && waitSeconds <= 10, `Retry-After is ${waitSeconds}`)
  assert.equal(refused.headers.get('ratelimit-limit'), '5')
  assert.equal(refused.headers.get('ratelimit-reset'), '50')
  assert.equal((await other.get('/v3/user')).status, 200)
})

test('a refused request of a limited key changes nothing', async (t) => {
  const settings = { requestsPerSecond: 0.1, requestBurst: 2 }
  const limited = await startTestService(t, { settings, realClock: fakeClock() })
  await limited.newUser()
  await limited.newUser()
  const before = await rowCounts(limited.deps.sql)
  const refused = await limited.owner.post('/v3/user', { user_id: 'third', name: 'Third' })
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  assert.deepEqual(await rowCounts(limited.deps.sql), before)
})

test('a bucket refills every second, up to its burst', () => {
  const clock = fakeClock()
  const limits = createRateLimits(clock)
  const limit = { perSecond: 2, burst: 3 }
  const headers: Record<string, unknown> = {}
  const reply = { header: (name: string, value: unknown) => Object.assign(headers, { [name]: value }) }
  const allowed = (key: string) => {
    try {
      limits.take([{ key, limit }], reply as never)
      return true
    } catch (error) {
      assert.equal((error as ApiError).code, 'rate_limited')
      return false
    }
  }
  const take = (count: number) => Array.from({ length: count }, () => allowed('a'))
  assert.deepEqual(take(4), [true, true, true, false])
  assert.equal(headers['retry-after'], 1)
  clock.advance(0.5)
  assert.deepEqual(take(2), [true, false])
  clock.advance(60)
  assert.deepEqual(take(4), [true, true, true, false])
  assert.equal(allowed('b'), true)
})

test('a request counts toward all of its limits or none, and its headers describe the one closest to its limit', () => {
  const limits = createRateLimits(fakeClock())
  const headers: Record<string, unknown> = {}
  const reply = { header: (name: string, value: unknown) => Object.assign(headers, { [name]: value }) }
  const counted = (key: string) => [
    { key, limit: { perSecond: 1, burst: 2 } },
    { key: 'together', limit: { perSecond: 1, burst: 3 } },
  ]
  const take = (key: string) => limits.take(counted(key), reply as never)
  take('a')
  assert.deepEqual([headers['ratelimit-limit'], headers['ratelimit-remaining']], [2, 1])
  take('a')
  assert.throws(() => take('a'))
  assert.ok(limits.hasLeft(counted('a')[1] as never), 'a refused request takes no token')
  take('b')
  assert.deepEqual([headers['ratelimit-limit'], headers['ratelimit-remaining']], [3, 0])
  assert.throws(() => take('c'))
})

test('above the maximum number of addresses, the oldest ones are removed', () => {
  const limits = createRateLimits(fakeClock())
  const counted = (key: string) => ({ key, limit: { perSecond: 1, burst: 1 } })
  limits.charge(counted('first'))
  for (let index = 0; index < 50_000; index++) limits.charge(counted(`address ${index}`))
  assert.ok(limits.hasLeft(counted('first')))
  assert.ok(!limits.hasLeft(counted('address 49999')))
})

test('the keys of one user share a limit', async (t) => {
  const { newUser, as } = await startTestService(t, { settings: { requestsPerSecond: 0.001, requestBurst: 3 } })
  const user = await newUser()
  const keys: Api[] = [user]
  for (let count = 0; count < 2; count++) {
    const { id, secret } = (await user.post('/v3/user/api_key', {})).body
    keys.push(as(`${id}:${secret}`))
  }
  const statuses: number[] = []
  for (const api of [...keys, ...keys]) statuses.push((await api.get('/v3/user')).status)
  // Two of the user's six requests created the keys.
  assert.deepEqual(statuses, [200, 200, 200, 429, 200, 429])
})

test('a request counts toward its credential, its user and its platform', () => {
  const settings = { requestsPerSecond: 10, requestBurst: 20, addressRequestsPerSecond: 1, addressRequestBurst: 2 }
  const { ofCaller, ofAddress } = limitsOf(settings)
  const caller = { platformId: 'platform', userId: 'user', credential: { kind: 'api_key', id: 'key' } } as Caller
  assert.deepEqual(ofCaller(caller), [
    { key: 'api_key key', limit: { perSecond: 10, burst: 20 } },
    { key: 'user platform user', limit: { perSecond: 20, burst: 40 } },
    { key: 'platform platform', limit: { perSecond: 1_000, burst: 2_000 } },
  ])
  assert.deepEqual(ofAddress, { perSecond: 1, burst: 2 })
})

test('anonymous requests from one address are limited', async (t) => {
  const { as, baseUrl } = await startTestService(t, {
    settings: { addressRequestsPerSecond: 0.001, addressRequestBurst: 3 },
  })
  const post = async (path: string): Promise<Response> =>
    fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: baseUrl },
      body: JSON.stringify({ token: 'a'.repeat(43) }),
    })
  const answers: Response[] = []
  for (let count = 0; count < 4; count++) answers.push(await post('/web/v1/pay/read'))
  for (const path of ['token', 'revoke', 'introspect']) answers.push(await post(`/web/v1/auth/oauth/${path}`))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404, 429, 429, 429, 429],
  )
  assert.ok(Number(answers[3]?.headers.get('retry-after')) > 0)
  const anybody = as('')
  assert.equal((await anybody.get('/healthz')).status, 200)
  assert.equal((await anybody.get('/v3/user')).status, 401, 'routes that need a credential are counted separately')
})

test('an address with wrong credentials is refused before the database is used, and credentials that worked before are accepted', async (t) => {
  const { as, newUser } = await startTestService(t, {
    settings: { addressRequestsPerSecond: 0.001, addressRequestBurst: 3 },
  })
  const [good, late] = [await newUser(), await newUser()]
  const wrong = as(`${'0'.repeat(32)}:${'1'.repeat(64)}`)
  assert.equal((await wrong.get('/v3/user')).status, 401)
  assert.equal((await good.get('/v3/user')).status, 200)
  const statuses: number[] = []
  for (let count = 0; count < 4; count++) statuses.push((await wrong.get('/v3/user')).status)
  assert.deepEqual(statuses, [401, 401, 429, 429])
  const { headers } = await wrong.get('/v3/user')
  const named = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after']
  const [limit, remaining, ...seconds] = named.map((name) => Number(headers.get(name) ?? Number.NaN))
  assert.deepEqual([limit, remaining], [3, 0])
  assert.ok(
    seconds.every((count) => count > 900 && count <= 3_000),
    `${seconds}`,
  )
  assert.equal((await good.get('/v3/user')).status, 200)
  assert.equal((await late.get('/v3/user')).status, 429, 'it is not known yet')
})
