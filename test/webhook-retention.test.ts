import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sweep } from '../src/operation/scheduler/sweep-table.ts'
import { createEventSweep } from '../src/webhook/history/history-worker.ts'
import { makeEvents, newEndpoint, newPlatform } from './support/endpoints.ts'
import { startReceiver } from './support/receiver.ts'
import { startTestService } from './support/service.ts'

// Events, deliveries, attempts and removed endpoints are kept for 30 days.

const service = await startTestService({ after })
const { deps } = service
const { sql } = deps
const DAY = 24 * 60 * 60

/** Runs every pass until no work is left, on all platforms. */
async function sweepEvents(): Promise<number> {
  const { run } = createEventSweep()
  const pass = () => run(deps, {})
  let total = 0
  for (let count = await pass(); count > 0; count = await pass()) total += count
  return total
}

async function left(platformId: string) {
  const [row] = await sql<{ events: number; deliveries: number; attempts: number; endpoints: number }[]>`
    select
      (select count(*) from events where platform_id = ${platformId}) as events,
      (select count(*) from deliveries where platform_id = ${platformId}) as deliveries,
      (select count(*) from delivery_attempts where platform_id = ${platformId}) as attempts,
      (select count(*) from endpoints where platform_id = ${platformId}) as endpoints
  `
  return { ...row }
}

test('events older than 30 days are deleted with their deliveries and attempts, and no newer ones', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  await newEndpoint(platform.api, receiver.url)
  await makeEvents(service, platform, 3)
  await service.deliverWebhooks()
  service.clock.advance(29 * DAY)
  await makeEvents(service, platform, 1)
  await service.deliverWebhooks()
  assert.equal(await sweepEvents(), 0)
  assert.deepEqual(await left(platform.id), { events: 4, deliveries: 4, attempts: 4, endpoints: 1 })
  service.clock.advance(DAY + 1)
  assert.equal(await sweepEvents(), 3)
  assert.deepEqual(await left(platform.id), { events: 1, deliveries: 1, attempts: 1, endpoints: 1 })
  assert.equal((await platform.api.get('/v3/webhook/event')).body.events.length, 1)
})

test('an event with a pending delivery is kept together with that delivery', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  const kept = await newEndpoint(platform.api, 'http://localhost:1/')
  await newEndpoint(platform.api, receiver.url)
  await makeEvents(service, platform, 2)
  await service.deliverWebhooks()
  const [first] = (await platform.api.get('/v3/webhook/event')).body.events
  await sql`
    update deliveries
    set status = 'FAILED', next_attempt_at = null
    where endpoint_id = ${kept.id} and event_id <> ${first.id}
  `
  service.clock.advance(31 * DAY)
  await sweepEvents()
  assert.deepEqual(await left(platform.id), { events: 1, deliveries: 2, attempts: 2, endpoints: 2 })
  assert.equal((await platform.api.get(`/v3/webhook/delivery/${first.id}/${kept.id}`)).body.status, 'PENDING')
  await platform.api.del(`/v3/webhook/endpoint/${kept.id}`)
  await sweepEvents()
  assert.deepEqual(await left(platform.id), { events: 0, deliveries: 0, attempts: 0, endpoints: 2 })
})

test('a platform whose clock was advanced loses nothing because of it', async () => {
  const platform = await newPlatform(service)
  await newEndpoint(platform.api, 'https://hooks.example.com/', { event_types: ['CHECK', 'USER'] })
  await makeEvents(service, platform, 1)
  await sql`update deliveries set status = 'FAILED', next_attempt_at = null where platform_id = ${platform.id}`
  await sql`insert into platform_clocks (platform_id, offset_ms) values (${platform.id}, ${60 * DAY * 1000})`
  deps.clocks.forget(platform.id)
  await sweepEvents()
  assert.equal((await left(platform.id)).events, 1)
})

test('rows beyond one pass are deleted in later passes, on all platforms, with two concurrent workers', async () => {
  const platforms = [await service.newOwner(), await service.newOwner()]
  const old = new Date(service.clock.now().getTime() - 40 * DAY * 1000)
  for (const { id } of platforms) {
    await sql`
      insert into events (platform_id, id, type, subject_id, body, created_at)
      select ${id}, uuid_of_time_v1(${old}::timestamptz + n * interval '1 millisecond'), 'CHECK', ${id}, '{}', ${old}
      from generate_series(1, 1200) n
    `
  }
  await Promise.all([sweepEvents(), sweepEvents()])
  await sweepEvents()
  for (const { id } of platforms) assert.equal((await left(id)).events, 0)
})

test('a removed endpoint is deleted 30 days later, when it has no rows left', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  const [used, unused] = [
    await newEndpoint(platform.api, receiver.url),
    await newEndpoint(platform.api, 'https://unused.example.com/', { event_types: ['USER'] }),
  ]
  await makeEvents(service, platform, 1)
  await service.deliverWebhooks()
  for (const { id } of [used, unused]) await platform.api.del(`/v3/webhook/endpoint/${id}`)
  await newEndpoint(platform.api, 'https://third.example.com/')
  await sweep(deps, 'sweep endpoints')
  assert.equal((await left(platform.id)).endpoints, 3)
  service.clock.advance(31 * DAY)
  await sweep(deps, 'sweep endpoints')
  assert.equal((await left(platform.id)).endpoints, 2, 'the delivery still names the other one')
  await sweepEvents()
  await sweep(deps, 'sweep endpoints')
  assert.equal((await left(platform.id)).endpoints, 1)
})
