import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../src/foundation/db/connect.ts'
import type { Statement } from '../src/foundation/db/driver/sql.ts'
import { NOTHING_SKIPPED } from '../src/foundation/db/skipped.ts'
import { deliverToEndpoint } from '../src/webhook/delivery/delivery-session-actions.ts'
import { QUEUE_SIZE } from '../src/webhook/delivery/delivery-session-rules.ts'
import {
  leaseEndpoints,
  listClosedEndpoints,
  listDueDeliveries,
  listDueEndpoints,
  recordAttempts,
  renewLeases,
} from '../src/webhook/delivery/delivery-store.ts'
import type { LeasedEndpoint } from '../src/webhook/delivery/delivery-types.ts'
import {
  type Courier,
  createCourier,
  deliverDueWebhooks,
  endCourier,
  renewSessionLeases,
} from '../src/webhook/delivery/webhook-worker.ts'
import type { EndpointKey } from '../src/webhook/endpoint/webhook-store.ts'
import { writeBacklog } from './load/scene.ts'
import { newEndpoint } from './support/endpoints.ts'
import { analyzeAllRows, effortOf, rowsReadBy } from './support/explain.ts'
import { leaseDueEndpoints } from './support/leases.ts'
import { startReceiver } from './support/receiver.ts'
import { startTestService, type TestService } from './support/service.ts'

// The search for due deliveries and their delivery: order, windows, lanes, leases.

const service = await startTestService({ after })
const { deps } = service
const { sql } = deps

/** A platform with an endpoint with `count` due events, four for each payment. */
async function newTarget(url: string, count: number, { clock }: Pick<TestService, 'clock'> = service) {
  const owner = await service.newOwner()
  const { id } = await newEndpoint(owner.api, url, { event_types: ['INVOICE'] })
  const target = { platformId: owner.id, endpointId: id as string }
  await writeBacklog(sql, [target], count, clock.now())
  return { ...owner, ...target }
}

const statusesOf = async ({ platformId, endpointId }: EndpointKey) => {
  const rows = await sql<{ status: string }[]>`
    select status from deliveries where platform_id = ${platformId} and endpoint_id = ${endpointId} order by position
  `
  return rows.map(({ status }) => status)
}

const endpointRow = async ({ platformId, endpointId }: EndpointKey) => {
  const [row] = await sql<{ isSlow: boolean; leasedBy: string | null; failingSince: Date | null }[]>`
    select is_slow, leased_by, failing_since from endpoints where platform_id = ${platformId} and id = ${endpointId}
  `
  assert.ok(row)
  return row
}

function newCourier(t: TestContext): Courier {
  const courier = createCourier(t.name, deps.settings)
  t.after(() => endCourier(courier))
  return courier
}

type Event = { id: string; number: number; sequence: number }
const eventOf = ({ body }: { body: string }) => JSON.parse(body) as Event

suite('the window', () => {
  test('events of one payment arrive one at a time and in order, those of several in parallel', async (t) => {
    const receiver = await startReceiver(t)
    const target = await newTarget(receiver.url, 400)
    const open = new Set<string>()
    let atOnce = 0
    receiver.answer = (response) => {
      const { id } = eventOf(receiver.received.at(-1) as never)
      assert.ok(!open.has(id), 'two events of one payment are in flight')
      open.add(id)
      atOnce = Math.max(atOnce, open.size)
      setTimeout(() => {
        open.delete(id)
        response.writeHead(200).end()
      }, 5)
    }
    assert.equal(await service.deliverWebhooks(), 400)
    const byPayment = Map.groupBy(receiver.received.map(eventOf), ({ id }) => id)
    assert.equal(byPayment.size, 100)
    for (const events of byPayment.values()) {
      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        [0, 1, 2, 3],
      )
    }
    assert.ok(atOnce > 8 && atOnce <= 32, `${atOnce} at once`)
    assert.deepEqual(new Set(await statusesOf(target)), new Set(['DELIVERED']))
  })

  test('events of one payment arrive in the order in which they were written, not in the order of their transactions', async (t) => {
    const receiver = await startReceiver(t)
    const target = await newTarget(receiver.url, 4)
    // The second of two changes has waited for the first and has an earlier time.
    const deliveries = await sql<{ platformId: string; eventId: string; nextAttemptAt: Date }[]>`
      select platform_id, event_id, next_attempt_at from deliveries where endpoint_id = ${target.endpointId} order by position
    `
    for (const [index, { platformId, eventId, nextAttemptAt }] of deliveries.entries())
      await sql`
      update deliveries
      set next_attempt_at = ${new Date(nextAttemptAt.getTime() - index * 1000)}
      where platform_id = ${platformId} and event_id = ${eventId}
    `
    await service.deliverWebhooks()
    assert.deepEqual(
      receiver.received.map(eventOf).map(({ sequence }) => sequence),
      [0, 1, 2, 3],
    )
  })

  test('a retry does not delay later events of its payment', async (t) => {
    const receiver = await startReceiver(t)
    const target = await newTarget(receiver.url, 4)
    receiver.answer = (response) => void response.writeHead(receiver.received.length === 1 ? 500 : 200).end()
    await service.deliverWebhooks()
    assert.deepEqual(await statusesOf(target), ['PENDING', 'DELIVERED', 'DELIVERED', 'DELIVERED'])
    service.clock.advance(30)
    await service.deliverWebhooks()
    assert.deepEqual(
      receiver.received.map(eventOf).map(({ sequence }) => sequence),
      [0, 1, 2, 3, 0],
    )
  })

  test('only a few of many due deliveries are in memory', async (t) => {
    const receiver = await startReceiver(t)
    const target = await newTarget(receiver.url, 2_000)
    const held: ServerResponse[] = []
    receiver.answer = (response) => held.push(response)
    const courier = newCourier(t)
    const pass = deliverDueWebhooks(deps, courier)
    await receiver.waitFor(2)
    const [running] = courier.lanes.quick
    assert.ok(running)
    assert.ok(running.session.queue.length <= QUEUE_SIZE && running.session.inFlight.length <= 32)
    const ended = endCourier(courier)
    for (const response of held) response.writeHead(200).end()
    await ended
    assert.equal(await pass, 2)
    await sql`delete from deliveries where endpoint_id = ${target.endpointId}`
  })

  test('an event written during a delivery session is leased only once, and delivered by the next session', async (t) => {
    const receiver = await startReceiver(t)
    const target = await newTarget(receiver.url, 1)
    const courier = newCourier(t)
    let isWritten = false
    receiver.answer = async (response) => {
      if (!isWritten) {
        isWritten = true
        await writeBacklog(sql, [target], 8, service.clock.now())
        assert.deepEqual(await leaseAll(), [], 'it is leased')
      }
      response.writeHead(200).end()
    }
    const pass = deliverDueWebhooks(deps, courier)
    await receiver.waitFor(1)
    assert.equal(await pass, 1)
    assert.equal(await deliverDueWebhooks(deps, courier), 8)
  })
})

suite('leases', () => {
  test('no attempt starts under a lease that may end before it does, and all start after a renewal', async (t) => {
    const receiver = await startReceiver(t)
    const target = await newTarget(receiver.url, 8)
    const courier = newCourier(t)
    const [endpoint] = await leaseAll({ worker: courier.worker })
    assert.ok(endpoint)
    const session = deliverToEndpoint(deps, courier, { endpoint, endsAt: performance.now() + 12_000 })
    await sleep(100)
    assert.equal(receiver.received.length, 0)
    await renewSessionLeases(deps, courier)
    assert.equal(await session, 8)
    assert.deepEqual(new Set(await statusesOf(target)), new Set(['DELIVERED']))
    assert.equal((await endpointRow(target)).leasedBy, null)
  })

  test('a delivery session gets a changed URL or a disabled endpoint when its lease is renewed', async (t) => {
    const [before, afterwards] = [await startReceiver(t), await startReceiver(t)]
    const target = await newTarget(before.url, 12)
    const courier = newCourier(t)
    const held: ServerResponse[] = []
    before.answer = (response) => held.push(response)
    afterwards.answer = (response) => held.push(response)
    const pass = deliverDueWebhooks(deps, courier)
    await before.waitFor(2)
    await sql`update endpoints set url = ${afterwards.url} where id = ${target.endpointId}`
    await renewSessionLeases(deps, courier)
    held.shift()?.writeHead(200).end()
    await afterwards.waitFor(1)
    await sql`update endpoints set disabled_at = now(), disabled_reason = 'OWNER' where id = ${target.endpointId}`
    await renewSessionLeases(deps, courier)
    for (const response of held) response.writeHead(200).end()
    assert.ok((await pass) < 12)
    await sql`delete from deliveries where endpoint_id = ${target.endpointId}`
  })

  test('a lease that expires before its delivery session ends, for example during a database outage, starts no second session', async (t) => {
    const receiver = await startReceiver(t)
    const target = await newTarget(receiver.url, 12)
    const held: ServerResponse[] = []
    receiver.answer = (response) => held.push(response)
    const courier = newCourier(t)
    const pass = deliverDueWebhooks(deps, courier)
    await receiver.waitFor(2)
    await sql`update endpoints set leased_until = now() - interval '1 second' where id = ${target.endpointId}`
    assert.equal(await deliverDueWebhooks(deps, courier), 0)
    assert.deepEqual(await leaseAll({ worker: 'another' }), [], 'it is leased again')
    receiver.answer = 200
    for (const response of held) response.writeHead(200).end()
    assert.equal(await pass, 12)
    assert.equal(receiver.received.length, 12)
    assert.equal((await endpointRow(target)).leasedBy, null)
  })

  test('an endpoint can be leased again before its delivery session learns that its lease has ended', async (t) => {
    const receiver = await startReceiver(t)
    const target = await newTarget(receiver.url, 1)
    const heardOf = Promise.withResolvers<void>()
    const late = Object.assign((...args: Parameters<typeof sql>) => {
      const result = sql(...args)
      return /leased_by = null/.test(String(args[0]))
        ? (result as Statement<object[]>).then(() => heardOf.promise)
        : result
    }, sql) as typeof sql
    const courier = newCourier(t)
    const pass = deliverDueWebhooks({ ...deps, sql: late }, courier)
    await receiver.waitFor(1)
    while ((await endpointRow(target)).leasedBy !== null) await sleep(5)
    await writeBacklog(sql, [target], 1, service.clock.now())
    const next = deliverDueWebhooks(deps, courier)
    await receiver.waitFor(2)
    heardOf.resolve()
    assert.deepEqual(await Promise.all([pass, next]), [1, 1])
    assert.deepEqual(await statusesOf(target), ['DELIVERED', 'DELIVERED'])
  })

  test('an endpoint that is removed during a delivery session gets only the attempts in flight', async (t) => {
    const receiver = await startReceiver(t)
    const target = await newTarget(receiver.url, 12)
    const held: ServerResponse[] = []
    receiver.answer = (response) => held.push(response)
    const courier = newCourier(t)
    const pass = deliverDueWebhooks(deps, courier)
    await receiver.waitFor(2)
    assert.equal((await target.api.del(`/v3/webhook/endpoint/${target.endpointId}`)).status, 200)
    await renewSessionLeases(deps, courier)
    for (const response of held) response.writeHead(200).end()
    assert.equal(await pass, 2)
    assert.deepEqual(new Set(await statusesOf(target)), new Set(['FAILED']))
    const [row] = await sql<{ count: number }[]>`
      select count(*) from delivery_attempts where endpoint_id = ${target.endpointId} and outcome = 'acknowledged'
    `
    assert.equal(row?.count, 2)
  })

  test('the answers of a previous URL do not disable an endpoint', async (t) => {
    const [before, afterwards] = [await startReceiver(t), await startReceiver(t)]
    const target = await newTarget(before.url, 1)
    const held: ServerResponse[] = []
    before.answer = (response) => held.push(response)
    const pass = deliverDueWebhooks(deps, newCourier(t))
    await before.waitFor(1)
    assert.equal(
      (await target.api.put(`/v3/webhook/endpoint/${target.endpointId}`, { url: afterwards.url })).status,
      200,
    )
    held[0]?.writeHead(410).end()
    assert.equal(await pass, 1)
    assert.equal((await endpointRow(target)).failingSince, null)
    assert.deepEqual(await statusesOf(target), ['PENDING'])
    service.clock.advance(30)
    await service.deliverWebhooks()
    assert.deepEqual(await statusesOf(target), ['DELIVERED'])
    assert.equal(afterwards.received.length, 1)
  })

  test('a signing key that cannot be opened stops one endpoint, and the leases of the others are renewed', async (t) => {
    const receiver = await startReceiver(t)
    const targets = [await newTarget(receiver.url, 12), await newTarget(receiver.url, 12)] as const
    const held: ServerResponse[] = []
    receiver.answer = (response) => held.push(response)
    const courier = newCourier(t)
    const pass = deliverDueWebhooks(deps, courier)
    await receiver.waitFor(4)
    const endsAt = () => [...courier.lanes.quick].map(({ session }) => session.lease.endsAt)
    const ends = endsAt()
    const [{ platformId }] = targets
    const [keys] = await sql<{ webhookKeySealed: Buffer }[]>`
      select webhook_key_sealed from users where id = ${platformId}
    `
    await sql`update users set webhook_key_sealed = 'none' where id = ${platformId}`
    await renewSessionLeases(deps, courier)
    assert.ok(endsAt().every((end, index) => end > (ends[index] as number)))
    receiver.answer = 200
    for (const response of held) response.writeHead(200).end()
    await assert.rejects(pass)
    const counts = await Promise.all(targets.map(statusesOf))
    assert.deepEqual(
      counts.map((statuses) => statuses.filter((status) => status === 'DELIVERED').length),
      [2, 12],
    )
    await sql`update users set webhook_key_sealed = ${keys?.webhookKeySealed as Buffer} where id = ${platformId}`
    await sql`delete from deliveries where endpoint_id = ${targets[0].endpointId}`
  })

  /** A database that fails the first times that a statement is run. */
  function awayFor(statement: RegExp, times: number) {
    const away = { failures: 0 }
    const failing = Object.assign((...args: Parameters<typeof sql>) => {
      if (statement.test(String(args[0])) && away.failures < times) {
        away.failures++
        throw Object.assign(new Error('away'), { code: 'CONNECTION_CLOSED' })
      }
      return sql(...args)
    }, sql) as typeof sql
    return Object.assign(away, { deps: { ...deps, sql: failing } })
  }

  for (const [what, statement] of Object.entries({
    'its attempts are recorded': /record_attempts_v1/,
    'its lease is ended': /leased_by = null/,
  })) {
    test(`a database outage while ${what} loses no attempt and repeats none`, async (t) => {
      const receiver = await startReceiver(t)
      const target = await newTarget(receiver.url, 20)
      const away = awayFor(statement, 2)
      assert.equal(await deliverDueWebhooks(away.deps, newCourier(t)), 20)
      assert.equal(receiver.received.length, 20)
      assert.equal(away.failures, 2)
      assert.deepEqual(new Set(await statusesOf(target)), new Set(['DELIVERED']))
      assert.equal((await endpointRow(target)).leasedBy, null)
    })
  }

  test('recording attempts reads no other due deliveries, even if the statistics show none', async (t) => {
    await analyzeAllRows(service.ownerSql, ['deliveries'])
    const target = await newTarget('http://localhost:9/', 2_000)
    t.after(() => sql`delete from deliveries where endpoint_id = ${target.endpointId}`)
    const due = await listDueDeliveries(sql, [{ ...target, except: [] }], { now: deps.clock.now(), limit: 20 })
    const records = due.map((delivery) => ({
      delivery,
      attempt: {
        number: 1,
        startedAt: deps.realClock.now(),
        durationMs: 1,
        outcome: 'acknowledged' as const,
        httpStatus: 200,
        error: null,
        requestHeaders: {},
        responseBody: Buffer.alloc(0),
      },
      change: { status: 'DELIVERED' as const, nextAttemptAt: null },
    }))
    const rowsRead = await rowsReadBy(service.databaseUrl, (tx) => recordAttempts({ ...deps, sql: tx }, records))
    const statuses = await statusesOf(target)
    assert.equal(statuses.filter((status) => status === 'DELIVERED').length, 20)
    assert.equal(rowsRead, due.length)
  })

  test('if the database fails during the lookup of an endpoint, the next pass handles it', async (t) => {
    const receiver = await startReceiver(t)
    const target = await newTarget(receiver.url, 20)
    const away = awayFor(/from json_to_recordset.*"except"/s, 1)
    const courier = newCourier(t)
    await assert.rejects(deliverDueWebhooks(away.deps, courier), /away/)
    assert.equal(await deliverDueWebhooks(away.deps, courier), 20)
    assert.equal(receiver.received.length, 20)
    assert.deepEqual(new Set(await statusesOf(target)), new Set(['DELIVERED']))
  })
})

/** Leases all due endpoints in the quick lane. */
function leaseAll(given: Partial<Parameters<typeof leaseDueEndpoints>[1]> = {}): Promise<LeasedEndpoint[]> {
  const realNow = deps.realClock.now()
  return leaseDueEndpoints(sql, {
    worker: 'test',
    now: deps.clock.now(),
    realNow,
    until: new Date(realNow.getTime() + 20_000),
    isSlow: false,
    after: null,
    limit: 100,
    ...given,
  })
}

const inAnHour = ({ clock }: TestService) => new Date(clock.now().getTime() + 3_600_000)

suite('the search for due deliveries', async () => {
  const own = await startTestService({ after })
  const platforms: EndpointKey[] = []

  async function fill(count: number) {
    for (let made = 0; made < count; made++) {
      const owner = await own.newOwner()
      const { id } = await newEndpoint(owner.api, 'http://localhost:9/', { event_types: ['INVOICE'] })
      platforms.push({ platformId: owner.id, endpointId: id })
    }
    platforms.sort((a, b) => (a.platformId < b.platformId ? -1 : 1))
    await writeBacklog(own.deps.sql, platforms, 10, own.clock.now())
  }

  const lease = (given: Partial<Parameters<typeof leaseDueEndpoints>[1]> = {}) => {
    const realNow = own.deps.realClock.now()
    const until = new Date(realNow.getTime() + 20_000)
    const times = { now: own.clock.now(), realNow, until }
    return leaseDueEndpoints(own.deps.sql, { worker: 'a', ...times, isSlow: false, after: null, limit: 100, ...given })
  }
  const release = () => own.deps.sql`update endpoints set leased_by = null, leased_until = null`
  const idsOf = (endpoints: EndpointKey[]) => endpoints.map(({ endpointId }) => endpointId)

  test('each endpoint once, in order, up to the requested number, after a given one', async () => {
    await fill(8)
    const all = await lease()
    assert.deepEqual(idsOf(all), idsOf(platforms))
    assert.deepEqual(await idsOf(await lease({ worker: 'b' })), [], 'they are leased')
    await release()
    assert.deepEqual(idsOf(await lease({ limit: 3 })), idsOf(platforms.slice(0, 3)))
    assert.deepEqual(idsOf(await lease({ limit: 3, after: platforms[4] as EndpointKey })), idsOf(platforms.slice(5)))
    assert.deepEqual(idsOf(await lease()), idsOf(platforms.slice(3, 5)))
    await release()
  })

  for (const [what, change] of Object.entries({
    removed: (tx: Sql, id: string) => tx`update endpoints set removed_at = now() where id = ${id}`,
    disabled: (tx: Sql, id: string) =>
      tx`update endpoints set disabled_at = now(), disabled_reason = 'OWNER' where id = ${id}`,
    'a listener': (tx: Sql, id: string) => tx`update endpoints set kind = 'listener' where id = ${id}`,
    'in the other lane': (tx: Sql, id: string) => tx`update endpoints set is_slow = true where id = ${id}`,
    'not due yet': (tx: Sql, id: string) =>
      tx`update deliveries set next_attempt_at = ${inAnHour(own)} where endpoint_id = ${id}`,
    done: (tx: Sql, id: string) =>
      tx`update deliveries set status = 'DELIVERED', next_attempt_at = null where endpoint_id = ${id}`,
  })) {
    test(`not one that is ${what}`, async () => {
      const [first, ...others] = platforms
      const undo = new Error('undo')
      await own.deps.sql
        .begin(async (tx) => {
          await change(tx, first?.endpointId as string)
          const realNow = own.deps.realClock.now()
          const times = { now: own.clock.now(), realNow, until: realNow }
          const found = await leaseDueEndpoints(tx, { worker: 'a', ...times, isSlow: false, after: null, limit: 100 })
          assert.deepEqual(idsOf(found), idsOf(others))
          throw undo
        })
        .catch((error) => {
          if (error !== undo) throw error
        })
    })
  }

  test('by the time of the platform', async () => {
    const [first] = platforms
    const id = first?.endpointId as string
    await own.deps.sql`
      update deliveries set next_attempt_at = ${inAnHour(own)} where endpoint_id = ${id}
    `
    await own.deps
      .sql`insert into platform_clocks (platform_id, offset_ms) values (${first?.platformId as string}, 3600000)`
    assert.deepEqual(idsOf(await lease()), idsOf(platforms))
    const question = { ...(first as EndpointKey), except: [] }
    const due = await listDueDeliveries(own.deps.sql, [question], { now: own.clock.now(), limit: 100 })
    assert.deepEqual([due.length, due[0]?.offsetMs], [10, 3_600_000])
    await release()
  })

  test('each statement looks at little more than it is about, and reads no table from end to end', async () => {
    const [first] = platforms
    const key = first as EndpointKey
    // Delivered events, and endpoints without due deliveries. There are so many that PostgreSQL uses an index instead
    // of reading the whole table.
    await own.deps.sql`
      insert into users (platform_id, id, name, status, merchant, brand, webhook_key_sealed, created_at)
      select id, id, 'Idle', 'UNVERIFIED', '{}', '{}', '', now()
      from (select gen_random_uuid() as id from generate_series(1, 50000)) idle
    `
    await own.deps.sql`
      insert into endpoints (platform_id, id, user_id, kind, url, event_types, created_at)
      select platform_id, gen_random_uuid(), id, 'endpoint', 'http://localhost:9/', '{BANK}', now()
      from users
    `
    await own.deps.sql`
      with happened as (
        insert into events (platform_id, id, type, subject_id, body, created_at)
        select platform_id, gen_random_uuid(), type, subject_id, body, created_at
        from events, generate_series(1, 200)
        returning platform_id, id, subject_id
      )
      insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status)
      select platform_id, ${key.endpointId}, id, subject_id, 'DELIVERED'
      from happened
    `
    await analyzeAllRows(own.ownerSql, ['endpoints', 'events', 'deliveries'])
    const realNow = own.deps.realClock.now()
    const times = { now: own.clock.now(), realNow, until: realNow }
    const events = await listDueDeliveries(own.deps.sql, [{ ...key, except: [] }], { now: own.clock.now(), limit: 3 })
    const statements: Record<string, (sql: Sql) => Promise<unknown>> = {
      lease: (tx) => leaseEndpoints(tx, platforms, { worker: 'a', ...times, isSlow: false }),
      look: (tx) =>
        listDueDeliveries(
          tx,
          platforms.map((one) => ({ ...one, except: events.map(({ eventId }) => eventId) })),
          { now: own.clock.now(), limit: 100 },
        ),
      renew: (tx) => renewLeases(tx, platforms, { worker: 'a', until: realNow }),
    }
    for (const [name, run] of Object.entries(statements)) {
      const { scanned, rowsRead } = await effortOf(own.databaseUrl, run)
      assert.deepEqual(scanned, [], name)
      assert.ok(rowsRead <= 500, `${name}: ${rowsRead} rows read`)
    }
    const query = { ...times, after: null, limit: 100, skipped: NOTHING_SKIPPED }
    const searches: Record<string, (sql: Sql) => Promise<unknown>> = {
      due: (tx) => listDueEndpoints(tx, { ...query, isSlow: false }),
      closed: (tx) => listClosedEndpoints(tx, query),
    }
    for (const [name, run] of Object.entries(searches)) {
      const rowsRead = await rowsReadBy(own.databaseUrl, run)
      assert.ok(rowsRead > 0 && rowsRead <= 100, `${name}: ${rowsRead} rows read`)
    }
  })
})
