import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { deleteOldRows, type OldRows } from '../src/foundation/db/background/old-rows.ts'
import type { Sql } from '../src/foundation/db/connect.ts'
import { historyPaging } from '../src/foundation/http/list/list-query.ts'
import { sweeps } from '../src/operation/scheduler/sweep-table.ts'
import { countFailedDeliveries } from '../src/webhook/endpoint/endpoint-store.ts'
import {
  deleteEvents,
  listDeliveries,
  listDeliveriesOfEvent,
  listEvents,
  listOldEvents,
  listPlatformsWithEvents,
} from '../src/webhook/history/history-store.ts'
import { listFailedDeliveries } from '../src/webhook/history/replay-store.ts'
import type { Answer } from './support/api.ts'
import { makeEvents, newEndpoint, newPlatform, readAll } from './support/endpoints.ts'
import { analyzeAllRows, effortOf, rowsReadBy } from './support/explain.ts'
import { newAccountHolder } from './support/oauth.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

// The history of events, deliveries and attempts, and replays.

const service = await startTestService({ after })
const { sql } = service.deps

const refusal = ({ status, body }: Answer) => [status, body.code]
const DAY = 24 * 60 * 60

/** A platform whose endpoint fails, and `count` deliveries that have finally failed. */
async function newFailure(url: string, count: number) {
  const platform = await newPlatform(service)
  const endpoint = await newEndpoint(platform.api, url)
  const payments = await makeEvents(service, platform, count)
  await failAll(endpoint.id)
  return { ...platform, endpoint, payments }
}

/** The state after the twelfth attempt. */
const failAll = (endpointId: string) =>
  sql`update deliveries set status = 'FAILED', next_attempt_at = null, attempt_count = 12 where endpoint_id = ${endpointId}`

suite('lists', () => {
  test('the pages list events with the payee or sender and the amount of their payments, also of another platform', async () => {
    const [sender, recipient] = [await newAccountHolder(service), await newAccountHolder(service)]
    const { id } = await sendPayment(sender.api, { name: 'Ada Lovelace', recipient: recipient.email, amount: 1_234.5 })
    await triggerStatus(sender.api, id, 'PAID')
    await service.applyOutbox()
    const read = async ({ browser }: typeof sender, query = '') =>
      (await browser.get(`/web/v1/events${query}`)).body.events.map((event: Record<string, unknown>) => [
        event.type,
        event.subject,
        event.payment,
      ])
    const sent = await read(sender, '?type=CHECK')
    assert.deepEqual(sent[0], ['CHECK', id, { direction: 'OUTGOING', amount: 1_234.5, name: 'Ada Lovelace' }])
    const [received] = await read(recipient, '?type=CHECK')
    const from = (await recipient.api.get(`/v3/payment/${id}`)).body.sender
    assert.deepEqual(received, ['CHECK', id, { direction: 'INCOMING', amount: 1_234.5, name: from }])
    for (const [type, , payment] of await read(sender)) if (type !== 'CHECK') assert.equal(payment, null)
    const { events } = (await sender.api.get('/v3/webhook/event')).body
    assert.ok(!('payment' in events[0]), 'the API does not return these fields')
  })

  test('an event is listed and read with its exact bytes, its deliveries and their attempts', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer = (response) => response.writeHead(500).end('x'.repeat(2_000))
    const platform = await newPlatform(service)
    const endpoint = await newEndpoint(platform.api, receiver.url)
    const [subject] = await makeEvents(service, platform, 1)
    await service.deliverWebhooks()
    service.clock.advance(30)
    receiver.answer = 204
    await service.deliverWebhooks()
    const { events } = (await platform.api.get('/v3/webhook/event')).body
    const [event] = events
    assert.equal(events.length, 1)
    assert.deepEqual(event, {
      id: receiver.received[0]?.headers['webhook-id'],
      type: 'CHECK',
      subject,
      body: receiver.received[0]?.body,
      date: event.date,
    })
    const delivery = {
      event: event.id,
      endpoint: endpoint.id,
      url: receiver.url,
      type: 'CHECK',
      subject,
      status: 'DELIVERED',
      attempts: 2,
      payment: { status: 'IN_PROCESS', amount: 10, name: 'Recipient' },
      next_attempt: null,
      date: event.date,
    }
    assert.deepEqual((await platform.api.get(`/v3/webhook/event/${event.id}`)).body, {
      ...event,
      deliveries: [delivery],
    })
    assert.deepEqual((await platform.api.get('/v3/webhook/delivery')).body, { deliveries: [delivery] })
    const { attempts, ...rest } = (await platform.api.get(`/v3/webhook/delivery/${event.id}/${endpoint.id}`)).body
    assert.deepEqual({ ...rest, attempts: 2 }, { ...delivery, body: event.body })
    assert.deepEqual(
      attempts.map(({ number, outcome, status, error }: Record<string, unknown>) => [number, outcome, status, error]),
      [
        [1, 'rejected', 500, null],
        [2, 'acknowledged', 204, null],
      ],
    )
    assert.deepEqual(
      attempts.map(({ response_body: body }: { response_body: string | null }) => body),
      ['x'.repeat(1_024), null],
    )
    assert.equal(attempts[0].request_headers.signature, receiver.received[0]?.headers.signature)
    assert.ok(Number.isInteger(attempts[0].duration_ms))
    assert.notEqual(attempts[0].date, attempts[1].date)
  })

  test('a pending delivery shows its next attempt', async () => {
    const platform = await newPlatform(service)
    await newEndpoint(platform.api, 'http://localhost:1/')
    await makeEvents(service, platform, 1)
    await service.deliverWebhooks()
    const [delivery] = (await platform.api.get('/v3/webhook/delivery?status=PENDING')).body.deliveries
    const next = Date.parse(`${delivery.next_attempt.replace(' ', 'T')}Z`)
    assert.deepEqual([delivery.attempts, next - service.clock.now().getTime()], [1, 30_000])
  })

  test('both lists are read by cursor, newest first, each row once, while rows are added', async () => {
    const platform = await newPlatform(service)
    const endpoints = [
      await newEndpoint(platform.api, 'https://one.example.com/'),
      await newEndpoint(platform.api, 'https://two.example.com/'),
    ]
    const payments = await makeEvents(service, platform, 13)
    const first = await platform.api.get('/v3/webhook/event?per_page=10')
    assert.deepEqual(Object.keys(first.body), ['events'])
    await makeEvents(service, platform, 1)
    const events = await readAll(platform.api, service.baseUrl, '/v3/webhook/event?per_page=10', 'events')
    assert.deepEqual(
      events.slice(1).map(({ subject }) => subject),
      payments.toReversed(),
    )
    const deliveries = await readAll(platform.api, service.baseUrl, '/v3/webhook/delivery?per_page=10', 'deliveries')
    const keys = deliveries.map(({ event, endpoint }) => event + endpoint)
    assert.equal(keys.length, 28)
    assert.deepEqual(keys, [...new Set(keys)].sort().reverse())
    const ofOne = `/v3/webhook/delivery?per_page=10&endpoint=${endpoints[0].id}`
    const own = await readAll(platform.api, service.baseUrl, ofOne, 'deliveries')
    assert.deepEqual([own.length, own[0].url], [14, 'https://one.example.com/'])
    const link = /<([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1]?.slice(service.baseUrl.length) as string
    assert.equal((await platform.api.get(link)).body.events.length, 3)
  })

  test('filters by status, endpoint, type and days can be combined', async () => {
    const platform = await newPlatform(service)
    const all = ['CHECK', 'BANK']
    const one = await newEndpoint(platform.api, 'https://one.example.com/', { event_types: all })
    const two = await newEndpoint(platform.api, 'https://two.example.com/')
    const days = [0, 1, 2].map((index) => new Date(service.clock.now().getTime() + index * DAY * 1_000))
    const [first, second, third] = days.map((day) => day.toISOString().slice(0, 10))
    for (let index = 0; index < 3; index++) {
      await makeEvents(service, platform, 1)
      if (index < 2) service.clock.advance(DAY)
    }
    const bank = await addBank(platform.sender)
    await platform.sender.post('/v3/bank/release', { account: bank })
    await failAll(two.id)
    const count = async (path: string) => {
      const { body } = await platform.api.get(`/v3/webhook/${path}`)
      return (body.events ?? body.deliveries).length
    }
    assert.deepEqual(
      [
        await count('event'),
        await count('event?type=BANK'),
        await count('event?type=CHECK'),
        await count('event?type=USER'),
      ],
      [4, 1, 3, 0],
    )
    assert.equal(await count(`event?start_date=${second}`), 3)
    assert.equal(await count(`event?end_date=${second}`), 2)
    assert.equal(await count(`event?start_date=${second}&end_date=${second}`), 1)
    assert.equal(await count(`event?start_date=${third}&end_date=${first}`), 0)
    assert.equal(await count('event?start_date=0001-01-01&end_date=9999-12-31'), 4)
    assert.equal(await count('delivery'), 7)
    assert.equal(await count('delivery?type=BANK'), 1)
    assert.equal(await count('delivery?type=CHECK'), 6)
    assert.equal(await count('delivery?status=FAILED'), 3)
    assert.equal(await count('delivery?status=DELIVERED'), 0)
    assert.equal(await count(`delivery?status=PENDING&endpoint=${one.id}&type=CHECK&end_date=${first}`), 1)
    assert.equal(await count(`delivery?status=FAILED&endpoint=${one.id}`), 0)
    assert.equal(await count(`delivery?endpoint=${'0'.repeat(32)}`), 0)
  })

  for (const path of ['/v3/webhook/event', '/v3/webhook/delivery']) {
    test(`GET ${path}: an invalid or unknown parameter causes a 400 that names it`, async () => {
      const bad = [
        ...['page', 'q', 'sort', 'extra', '__proto__'].map((name) => [name, '1']),
        ...['', 'x', '%00', 'eyJ9', Buffer.from('["-DATE","x","x"]').toString('base64url')].map((value) => [
          'cursor',
          value,
        ]),
        ...['2026-02-30', '0000-01-01', '1', '', '2026-01-01 00:00:00'].map((value) => ['start_date', value]),
        ...['TEST', 'check', '', 'constructor'].map((value) => ['type', value]),
        ...['0', '11', 'x'].map((value) => ['per_page', value]),
        ...(path.endsWith('delivery')
          ? [
              ['status', 'ENABLED'],
              ['endpoint', 'x'],
            ]
          : [['status', 'PENDING']]),
      ] as [string, string][]
      for (const [name, value] of bad) {
        const { status, body } = await service.owner.get(`${path}?${name}=${value}`)
        assert.deepEqual([status, Object.keys(body.errors ?? {})], [400, [name]], `${name}=${value}`)
      }
      const cursor = Buffer.from(`["-DATE","${'f'.repeat(32)}","${'0'.repeat(32)}"]`).toString('base64url')
      assert.equal(
        (await service.owner.get(`${path}?cursor=${cursor}`)).status,
        200,
        'an invented cursor causes no error',
      )
    })
  }

  test('another platform learns nothing about an event or a delivery', async () => {
    const { api, endpoint } = await newFailure('https://hooks.example.com/', 1)
    const [{ event }] = (await api.get('/v3/webhook/delivery')).body.deliveries
    const stranger = (await service.newOwner()).api
    const key = `${event}/${endpoint.id}`
    assert.deepEqual(refusal(await stranger.get(`/v3/webhook/event/${event}`)), [404, 'event_not_found'])
    assert.deepEqual(refusal(await stranger.get(`/v3/webhook/delivery/${key}`)), [404, 'delivery_not_found'])
    assert.deepEqual(refusal(await stranger.post(`/v3/webhook/delivery/${key}/replay`)), [404, 'delivery_not_found'])
    const replay = { since: '2026-01-01', endpoint: endpoint.id }
    assert.deepEqual(refusal(await stranger.post('/v3/webhook/replay', replay)), [404, 'endpoint_not_found'])
    assert.deepEqual((await stranger.post('/v3/webhook/replay', { since: '2026-01-01' })).body, { replayed: 0 })
    for (const list of ['event', 'delivery']) {
      assert.deepEqual(Object.values((await stranger.get(`/v3/webhook/${list}`)).body), [[]])
    }
    assert.equal((await api.get('/v3/webhook/delivery')).body.deliveries[0].status, 'FAILED')
  })
})

test('a delivery contains the status, the amount and the payee of its payment', async (t) => {
  const receiver = await startReceiver(t)
  const { api, sender } = await newPlatform(service)
  const endpoint = await newEndpoint(api, receiver.url, { event_types: ['CHECK', 'BANK'] })
  const { id } = await sendPayment(sender, { name: 'Ada Payee', amount: 12.5 })
  await triggerStatus(sender, id, 'VOID')
  await addVerifiedBank(sender)
  const { deliveries } = (await api.get('/v3/webhook/delivery')).body
  const payments = deliveries.map(({ type, payment }: { type: string; payment: unknown }) => [type, payment])
  const payment = { status: 'VOID', amount: 12.5, name: 'Ada Payee' }
  assert.deepEqual(payments.at(-1), ['CHECK', payment])
  assert.ok(payments.slice(0, -1).every(([type, none]: unknown[]) => type === 'BANK' && none === null))
  const [{ event }] = deliveries.slice(-1)
  assert.deepEqual((await api.get(`/v3/webhook/delivery/${event}/${endpoint.id}`)).body.payment, payment)
})

suite('replay', () => {
  test('one delivery is sent again, with the whole schedule', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer = 500
    const { api, endpoint } = await newFailure(receiver.url, 1)
    const [{ event }] = (await api.get('/v3/webhook/delivery')).body.deliveries
    const path = `/v3/webhook/delivery/${event}/${endpoint.id}`
    const replayed = await api.post(`${path}/replay`)
    assert.deepEqual([replayed.status, replayed.text], [200, '{}'])
    assert.deepEqual(refusal(await api.post(`${path}/replay`)), [400, 'delivery_pending'])
    await service.deliverWebhooks()
    const [after] = (await api.get('/v3/webhook/delivery')).body.deliveries
    assert.deepEqual([after.status, after.attempts], ['PENDING', 13])
    const waiting = await api.post(`${path}/replay`)
    assert.deepEqual([waiting.status, waiting.text], [200, '{}'], 'a waiting delivery is sent now')
    assert.deepEqual(refusal(await api.post(`${path}/replay`)), [400, 'delivery_pending'])
    receiver.answer = 200
    await service.deliverWebhooks()
    assert.equal((await api.get(path)).body.status, 'DELIVERED')
    await api.post(`${path}/replay`)
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, 3, 'a delivered one can also be sent again')
    const { audit } = (await api.get('/v3/audit')).body
    assert.deepEqual([audit[0].action, audit[0].subject], ['webhooks_replayed', `event ${event}`])
  })

  test('of eight concurrent requests one replays, and the others find the delivery pending', async () => {
    const { api, endpoint } = await newFailure('https://hooks.example.com/', 1)
    const [{ event }] = (await api.get('/v3/webhook/delivery')).body.deliveries
    const path = `/v3/webhook/delivery/${event}/${endpoint.id}/replay`
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.post(path)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 400)])
  })

  test('an Idempotency-Key belongs to one delivery, not to all', async () => {
    const { api, endpoint } = await newFailure('https://hooks.example.com/', 2)
    const { deliveries } = (await api.get('/v3/webhook/delivery')).body
    for (const { event } of [...deliveries, ...deliveries]) {
      const path = `/v3/webhook/delivery/${event}/${endpoint.id}/replay`
      assert.equal((await api.post(path, undefined, { idempotencyKey: 'again' })).status, 200)
    }
    assert.deepEqual(
      (await api.get('/v3/webhook/delivery')).body.deliveries.map(({ status }: { status: string }) => status),
      ['PENDING', 'PENDING'],
    )
  })

  test('nothing is sent again to a disabled or removed endpoint', async () => {
    const { api, endpoint } = await newFailure('https://hooks.example.com/', 1)
    const [{ event }] = (await api.get('/v3/webhook/delivery')).body.deliveries
    const path = `/v3/webhook/delivery/${event}/${endpoint.id}/replay`
    const all = { since: '2026-01-01' }
    const one = { ...all, endpoint: endpoint.id }
    await api.put(`/v3/webhook/endpoint/${endpoint.id}`, { status: 'DISABLED' })
    assert.deepEqual(refusal(await api.post(path)), [400, 'endpoint_disabled'])
    assert.deepEqual(refusal(await api.post('/v3/webhook/replay', one)), [400, 'endpoint_disabled'])
    assert.deepEqual((await api.post('/v3/webhook/replay', all)).body, { replayed: 0 })
    await api.del(`/v3/webhook/endpoint/${endpoint.id}`)
    assert.deepEqual(refusal(await api.post(path)), [400, 'endpoint_removed'])
    assert.deepEqual(refusal(await api.post('/v3/webhook/replay', one)), [404, 'endpoint_not_found'])
    assert.deepEqual((await api.post('/v3/webhook/replay', all)).body, { replayed: 0 })
    assert.equal((await api.get('/v3/webhook/delivery')).body.deliveries[0].status, 'FAILED')
  })

  test('all deliveries that failed since a time are sent again in batches, and no others', async () => {
    const { api, endpoint, id: platformId } = await newFailure('https://hooks.example.com/', 1)
    const other = await newEndpoint(api, 'https://other.example.com/')
    const before = new Date(service.clock.now().getTime())
    service.clock.advance(60)
    const since = new Date(service.clock.now().getTime())
    // Enough events for two full batches and a partial one, for two endpoints.
    await sql`
      insert into events (platform_id, id, type, subject_id, body, created_at)
      select ${platformId}, uuid_of_time_v1(${since}::timestamptz + n * interval '1 millisecond'), 'CHECK', ${platformId}, '{}', ${since}
      from generate_series(0, 1204) n
    `
    await sql`
      insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at, attempt_count)
      select platform_id, endpoint.id, events.id, subject_id, 'FAILED', null, 12
      from events, (values (${endpoint.id}::uuid), (${other.id}::uuid)) endpoint (id)
      where platform_id = ${platformId} and created_at = ${since}
    `
    const at = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ')
    const replay = (body: object) => api.post('/v3/webhook/replay', body, { idempotencyKey: JSON.stringify(body) })
    const first = await replay({ since: at(since), endpoint: other.id })
    assert.deepEqual([first.status, first.body], [200, { replayed: 1205 }])
    assert.deepEqual((await replay({ since: at(since), endpoint: other.id })).body, { replayed: 1205 }, 'repeated')
    assert.deepEqual((await replay({ since: `${since.toISOString().slice(0, 19)}Z` })).body, { replayed: 1205 })
    assert.deepEqual((await replay({ since: at(since) })).body, { replayed: 0 })
    assert.deepEqual((await replay({ since: at(before) })).body, { replayed: 1 })
    const rows = await sql<{ count: number }[]>`
      select count(*)
      from deliveries
      where platform_id = ${platformId} and status = 'PENDING' and attempts_before = 12
        and next_attempt_at = ${service.clock.now()}
    `
    assert.equal(rows[0]?.count, 2411)
  })

  test('concurrent requests replay each delivery once', async () => {
    const { api } = await newFailure('https://hooks.example.com/', 20)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.post('/v3/webhook/replay', { since: '2026-01-01' })),
    )
    assert.equal(
      answers.reduce((sum, { body }) => sum + body.replayed, 0),
      20,
    )
  })

  test('since must be an existing time', async () => {
    for (const since of [
      '2026-02-30',
      '2026-02-30 00:00:00',
      '2026-01-01 25:00:00',
      'yesterday',
      '',
      '2026-01-01T00:00:00+01:00',
      1,
    ]) {
      const { status, body } = await service.owner.post('/v3/webhook/replay', { since })
      assert.deepEqual(
        [status, body.code, Object.keys(body.errors)],
        [400, 'invalid_request', ['since']],
        String(since),
      )
    }
    assert.deepEqual((await service.owner.post('/v3/webhook/replay', {})).body.errors, { since: ['is required'] })
  })
})

suite('with 40,000 events', async () => {
  const platform = await newPlatform(service)
  const platformId = platform.id
  const endpoint = await newEndpoint(platform.api, 'https://many.example.com/')
  const rare = await newEndpoint(platform.api, 'https://rare.example.com/')
  const start = service.clock.now()
  await sql`
    insert into events (platform_id, id, type, subject_id, body, created_at)
    select
      ${platformId}, uuid_of_time_v1(${start}::timestamptz + n * interval '1 millisecond'),
      case when n % 1000 = 0 then 'BANK' else 'CHECK' end, ${platformId}, '{}', ${start}
    from generate_series(1, 40000) n
  `
  await sql`
    insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at, attempt_count)
    select
      platform_id, case when type = 'BANK' then ${rare.id}::uuid else ${endpoint.id}::uuid end, id, subject_id,
      case when type = 'BANK' then 'FAILED' else 'DELIVERED' end, null, 1
    from events
    where platform_id = ${platformId}
  `
  await sql`
    insert into delivery_attempts (platform_id, endpoint_id, event_id, number, started_at, duration_ms, outcome, http_status)
    select platform_id, endpoint_id, event_id, 1, ${start}, 5, 'rejected', 500
    from deliveries
    where platform_id = ${platformId}
  `
  const backlog = await newPlatform(service)
  const slow = await newEndpoint(backlog.api, 'https://slow.example.com/')
  await sql`
    insert into events (platform_id, id, type, subject_id, body, created_at)
    select ${backlog.id}, id, 'CHECK', ${backlog.id}, '{}', created_at
    from events
    where platform_id = ${platformId}
    limit 5000
  `
  await sql`
    insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
    select platform_id, ${slow.id}, id, subject_id, 'PENDING', ${start}::timestamptz + interval '1 year'
    from events
    where platform_id = ${backlog.id}
  `
  await analyzeAllRows(service.ownerSql, ['events', 'deliveries', 'delivery_attempts'])
  const [middle] = await sql<[{ id: string }]>`
    select id from events where platform_id = ${platformId} order by id offset 20000 limit 1
  `
  const all = { fromId: null, untilId: null, platformId, type: undefined, status: undefined, endpointId: undefined }
  const first = historyPaging({ per_page: 50 })
  const behind = { ...first, after: { value: middle.id, id: endpoint.id } }
  const failed = { platformId, endpointId: null, fromId: '0'.repeat(32), after: null, limit: 50 }

  for (const [name, run] of Object.entries({
    events: (sql) => listEvents(sql, all, first),
    'events after a cursor': (sql) => listEvents(sql, all, { ...first, after: { value: middle.id, id: middle.id } }),
    'events of a rare type': (sql) => listEvents(sql, { ...all, type: 'BANK' }, first),
    'events of a type without events': (sql) => listEvents(sql, { ...all, type: 'USER' }, first),
    'events of a time range': (sql) => listEvents(sql, { ...all, untilId: middle.id }, first),
    deliveries: (sql) => listDeliveries(sql, all, first),
    'deliveries after a cursor': (sql) => listDeliveries(sql, all, behind),
    'deliveries to an endpoint': (sql) => listDeliveries(sql, { ...all, endpointId: rare.id }, first),
    'deliveries of a rare type': (sql) => listDeliveries(sql, { ...all, type: 'BANK' }, first),
    'deliveries of payments': (sql) => listDeliveries(sql, { ...all, type: 'CHECK' }, behind),
    'deliveries that failed': (sql) => listDeliveries(sql, { ...all, status: 'FAILED' }, first),
    'pending deliveries': (sql) => listDeliveries(sql, { ...all, status: 'PENDING' }, first),
    'pending deliveries in a backlog': (sql) =>
      listDeliveries(sql, { ...all, platformId: backlog.id, status: 'PENDING' }, first),
    'deliveries that arrived': (sql) => listDeliveries(sql, { ...all, status: 'DELIVERED' }, behind),
    'deliveries of an event': (sql) => listDeliveriesOfEvent(sql, { platformId, eventId: middle.id }),
    'deliveries that can be replayed': (sql) => listFailedDeliveries(sql, failed),
    'deliveries that can be replayed to one endpoint': (sql) =>
      listFailedDeliveries(sql, { ...failed, endpointId: endpoint.id }),
    'deliveries that an endpoint missed': (sql) => countFailedDeliveries(sql, { platformId, id: rare.id }, middle.id),
    'events to delete': (sql) => listOldEvents(sql, { platformId, beforeId: middle.id, limit: 50 }),
    'the deletion of events': (sql) => deleteEvents(sql, { platformId, eventIds: [middle.id] }),
    'removed endpoints': (sql) => deleteOldRows(sql, sweeps['sweep endpoints'][0] as OldRows, { until: start }),
  } satisfies Record<string, (sql: Sql) => Promise<unknown>>)) {
    test(`${name}: reads few more rows than it returns`, async () => {
      const { rowsRead, rowsSorted, scanned } = await effortOf(service.databaseUrl, run)
      assert.ok(rowsRead <= 500, `${rowsRead} rows read`)
      assert.ok(rowsSorted <= 200, `${rowsSorted} rows sorted`)
      assert.deepEqual(
        scanned.filter((table) => table !== 'endpoints'),
        [],
      )
    })
  }

  test('the search for platforms with old events reads few rows of each', async () => {
    const platforms = await listPlatformsWithEvents(service.deps.sql, null, 100)
    assert.ok(platforms.length > 1)
    const rowsRead = await rowsReadBy(service.databaseUrl, (sql) => listPlatformsWithEvents(sql, null, 100))
    assert.ok(rowsRead <= platforms.length * 3, `${rowsRead} rows read`)
  })
})
