import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '../src/foundation/lib/log.ts'
import { createRequestLog } from '../src/foundation/request-log/request-log-actions.ts'
import { LOG_SLOTS, nextSlot, slotOf, statusRange } from '../src/foundation/request-log/request-log-rules.ts'
import { sweepRequestLog } from '../src/foundation/request-log/request-log-worker.ts'
import { createMetrics } from '../src/operation/app/metrics.ts'
import type { Answer, Api } from './support/api.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { sendPayment } from './support/payments.ts'
import { addVerifiedBank, startTestService } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'

// GET /v3/request: the requests of a platform's programs in the last seven days.

const metrics = createMetrics(createLog('silent'))
const service = await startTestService({ after }, { metrics: { metrics, verifyLedgerEveryMs: null } })

const DAY_MS = 86_400_000

type Logged = Record<string, string | number | null>

const idOf = ({ headers }: Answer): string => headers.get('x-request-id') ?? assert.fail('no request id')

/** Returns the request with an id after it was written. */
async function logged(api: Api, id: string): Promise<Logged> {
  let found: Logged | undefined
  await waitUntil('the request was logged', async () => {
    found = (await api.get(`/v3/request?id=${id}`)).body.requests[0]
    return found !== undefined
  })
  return found as Logged
}

test('a request is found by its request id, with its outcome, and without its query and its body', async () => {
  const { api, id } = await service.newOwner()
  const user = await service.newUser(undefined, api)
  await addVerifiedBank(user)
  const answer = await user.post('/v3/check/digital', { amount: 5, name: 'Ann', recipient: 'ann.secret@example.com' })
  const entry = await logged(api, idOf(answer))
  const [key] = user.credential.split(':')
  assert.deepEqual(entry, {
    ...{ id: idOf(answer), date: entry.date, method: 'POST', path: '/v3/check/digital', status: 201, code: null },
    ...{ duration_ms: entry.duration_ms, user: user.id, credential: 'api_key', key, address: '127.0.0.1' },
    payment: answer.body.id,
  })
  const read = await logged(api, idOf(await user.get(`/v3/check/${answer.body.id}`)))
  assert.equal(read.payment, answer.body.id)
  const refused = await logged(api, idOf(await api.get('/v3/check?q=ann.secret&per_page=7')))
  assert.deepEqual([refused.path, refused.status, refused.code], ['/v3/check', 400, 'invalid_request'])
  const [{ count }] = await service.deps.sql<[{ count: number }]>`
    select count(*)::integer as count from request_log where request_log::text like '%secret%' or platform_id = ${id} and path like '%?%'
  `
  assert.equal(count, 0)
})

test('the list filters by status, path and key, pages by cursor, and the newest request comes first', async () => {
  const { api } = await service.newOwner()
  const user = await service.newUser(undefined, api)
  const ids: string[] = []
  for (let index = 0; index < 12; index++) ids.push(idOf(await user.get('/v3/bank')))
  const missing = idOf(await api.get(`/v3/check/${'0'.repeat(32)}`))
  await logged(api, missing)
  const list = async (query: string) => (await api.get(`/v3/request?${query}`)).body.requests as Logged[]
  const [userKey] = user.credential.split(':')
  assert.deepEqual(
    (await list(`key=${userKey}`)).map(({ id }) => id),
    ids.toReversed(),
  )
  assert.deepEqual(
    (await list('status=4xx')).map(({ id, code }) => [id, code]),
    [[missing, 'payment_not_found']],
  )
  assert.equal((await list('status=404')).length, 1)
  assert.deepEqual(await list('status=403'), [])
  assert.equal((await list('path=/v3/bank')).length, 12)
  assert.equal((await list('path=v3_bank')).length, 0, 'wildcards of LIKE are matched as plain text')
  const first = await api.get('/v3/request?per_page=10&path=bank')
  const next = /<[^>]*(\/v3\/request[^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] as string
  const second = await api.get(next)
  assert.deepEqual([first.body.requests.length, second.body.requests.length], [10, 2])
  assert.equal(second.headers.get('link'), null)
  assert.equal((await api.get('/v3/request?status=9')).status, 400)
  assert.deepEqual(statusRange('5xx'), { from: 500, to: 599 })
})

test('a request belongs to the platform of its caller, and one with failed authentication to no platform', async () => {
  const [first, second] = [await service.newOwner(), await service.newOwner()]
  const user = await service.newUser(undefined, first.api)
  const own = idOf(await user.get('/v3/bank'))
  const [key] = user.credential.split(':')
  const unknown = idOf(await service.as(`${key}:${'x'.repeat(40)}`).get('/v3/bank'))
  await logged(first.api, own)
  await logged(first.api, idOf(await first.api.get('/v3/bank')))
  assert.deepEqual((await first.api.get(`/v3/request?id=${unknown}`)).body.requests, [])
  assert.deepEqual((await second.api.get(`/v3/request?id=${own}`)).body.requests, [])
  assert.equal((await user.get('/v3/request')).body.code, 'owner_only')
  assert.equal((await service.as('').get('/v3/request')).body.code, 'unauthorized')
})

test('a request to an unknown URL, or with the wrong method, is logged, and all callers get the same answer', async () => {
  const { api } = await service.newOwner()
  const [key] = api.credential.split(':')
  const call = (by: Api, method: string, path: string) => (method === 'GET' ? by.get(path) : by.raw(method, path, ''))
  for (const [method, path, status, code] of [
    ['GET', '/v3/chekc', 404, 'not_found'],
    ['POST', `/v3/${'x'.repeat(2_000)}?q=1`, 404, 'not_found'],
    ['PUT', '/v3/check', 405, 'method_not_allowed'],
    ['GET', '/v3/check/not-an-id', 404, 'not_found'],
  ] as const) {
    const answer = await call(api, method, path)
    const entry = await logged(api, idOf(answer))
    const shown = [entry.method, entry.path, entry.status, entry.code, entry.key]
    assert.deepEqual(shown, [method, path.split('?')[0]?.slice(0, 500), status, code, key])
    for (const stranger of [service.as(''), service.as(`${key}:${'x'.repeat(40)}`), service.as('nonsense')]) {
      const { text, headers } = await call(stranger, method, path)
      assert.deepEqual([text, headers.get('allow')], [answer.text, answer.headers.get('allow')])
    }
  }
})

test('a request is kept for any notation of its URL', async () => {
  const { api } = await service.newOwner()
  const entry = await logged(api, idOf(await api.get('/%763/%75ser')))
  assert.deepEqual([entry.path, entry.status], ['/v3/user', 200])
  const refused = await logged(api, idOf(await api.raw('PATCH', '/%763/user', null)))
  assert.equal(refused.code, 'method_not_allowed')
})

test('applications are named, and only changes of the dashboard are kept', async () => {
  const holder = await newAccountHolder(service)
  const application = await registerApplication(holder.browser)
  const tokens = await obtainTokens(service, holder.browser, application)
  const asked = idOf(await service.as(`Bearer ${tokens.access_token}`).get('/v3/user'))
  const entry = await logged(holder.api, asked)
  assert.deepEqual([entry.credential, typeof entry.key], ['token', 'string'])
  const { browser } = holder
  const [read, change] = [await browser.get('/v3/bank'), await browser.put('/v3/user', { user: { first_name: 'Ada' } })]
  const changed = await logged(holder.api, idOf(change))
  assert.deepEqual([changed.credential, changed.key], ['session', null])
  assert.deepEqual((await holder.api.get(`/v3/request?id=${idOf(read)}`)).body.requests, [])
})

test('the day before the last seven is deleted at once, and requests older than seven days are not shown', async () => {
  const { api, id: platformId } = await service.newOwner()
  const { deps } = service
  const now = deps.realClock.now()
  const shown = idOf(await api.get('/v3/bank'))
  await logged(api, shown)
  const old = (days: number) => {
    const time = new Date(now.getTime() - days * DAY_MS)
    return { time, id: `${time.getTime().toString(16).padStart(12, '0')}${shown.slice(12)}` }
  }
  for (const { time, id } of [old(8), old(7.5), old(6)]) {
    await deps.sql`
      insert into request_log
      select platform_id, ${id}, ${slotOf(time)}, user_id, credential_kind, credential_id, method, path, status, code, duration_ms, address, payment_id
      from request_log
      where platform_id = ${platformId} and id = ${shown}
    `
  }
  const ids = async () => ((await api.get('/v3/request?path=/v3/bank')).body.requests as Logged[]).map(({ id }) => id)
  assert.deepEqual(await ids(), [shown, old(6).id])
  assert.equal(nextSlot(now), slotOf(old(8).time))
  assert.equal(await sweepRequestLog(deps), 1)
  assert.equal(await sweepRequestLog(deps), 0)
  const slots = await deps.sql<
    { slot: number }[]
  >`select distinct slot from request_log where platform_id = ${platformId}`
  assert.ok(!slots.some(({ slot }) => slot === slotOf(old(8).time)))
  assert.equal(new Set(Array.from({ length: LOG_SLOTS }, (_, day) => slotOf(new Date(day * DAY_MS)))).size, LOG_SLOTS)
})

test('of more than 2,000 requests a second, the rest is dropped and counted, and no request waits', async () => {
  const { api, id: platformId } = await service.newOwner()
  await logged(api, idOf(await api.get('/v3/bank')))
  const log = createRequestLog(service.deps)
  const caller = {
    platformId,
    userId: platformId,
    credential: { kind: 'api_key', id: platformId },
    origin: { address: '::1' },
  }
  const reply = { statusCode: 200, elapsedTime: 1.6 } as never
  const note = (id: string) => log.note({ caller, method: 'GET', url: '/v3/flood?q=1', id } as never, reply)
  const start = `${service.deps.realClock.now().getTime().toString(16).padStart(12, '0')}7`
  for (let index = 0; index < 1_003; index++) note(start + index.toString(16).padStart(19, '0'))
  await log.end()
  const [{ count }] = await service.deps.sql<[{ count: number }]>`
    select count(*)::integer as count from request_log where platform_id = ${platformId} and path = '/v3/flood'
  `
  assert.equal(count, 1_000)
  assert.match(await metrics.text(), /^remit_requests_not_logged_total\{environment="sandbox"\} 3$/m)
})

test('a page searches 20,000 requests, and reports its position', async () => {
  const { api, id: platformId } = await service.newOwner()
  await logged(api, idOf(await api.get('/v3/bank')))
  await service.deps.sql`
    insert into request_log (
      platform_id, id, slot, user_id, credential_kind, credential_id, method, path, status, duration_ms, address
    )
    select r.platform_id, (left(r.id::text, 15) || 'f' || substr(r.id::text, 17, 8) || lpad(to_hex(n), 12, '0'))::uuid, r.slot, r.user_id,
      r.credential_kind, r.credential_id, r.method, '/v3/flood', r.status, r.duration_ms, r.address
    from request_log r
    cross join generate_series(1, 20000) n
    where r.platform_id = ${platformId} and r.path = '/v3/bank'
  `
  const { body } = await api.get('/v3/request?path=/v3/bank')
  assert.deepEqual(body.requests, [])
  assert.ok(body.searched_to)
})

test('payments succeed even if the log cannot be written', async () => {
  const { api } = await service.newOwner()
  await addVerifiedBank(api)
  await service.ownerSql`alter table request_log rename to request_log_away`
  try {
    assert.equal(
      (await api.post('/v3/check/digital', { amount: 1, name: 'Ann', recipient: 'ann@example.com' })).status,
      201,
    )
    await sendPayment(api)
  } finally {
    await service.ownerSql`alter table request_log_away rename to request_log`
  }
  await logged(api, idOf(await api.get('/v3/bank')))
})
