import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Api } from './support/api.ts'
import { makeEvents, newEndpoint, newPlatform } from './support/endpoints.ts'
import { startReceiver } from './support/receiver.ts'
import { mailsTo } from './support/recipients.ts'
import { startTestService } from './support/service.ts'
import { setWebhook } from './support/webhooks.ts'

// The health of a failing endpoint of /v3/webhook, and of a failing webhook_uri.

const service = await startTestService({ after })
const { clock } = service
const HOUR = 60 * 60
const DAY = 24 * HOUR

type Platform = Awaited<ReturnType<typeof newPlatform>>

const readEndpoint = async (owner: Api, id: string) => (await owner.get(`/v3/webhook/endpoint/${id}`)).body
const readDeliveries = async (owner: Api, endpoint: string) =>
  (await owner.get(`/v3/webhook/delivery?endpoint=${endpoint}`)).body.deliveries
const subjects = async ({ email }: Platform) => (await mailsTo(service, email)).map(({ subject }) => subject)
const auditOf = async (owner: Api) =>
  (await owner.get('/v3/audit')).body.audit.map((entry: Record<string, string>) => [entry.action, entry.actor])

/** A new event now, and an attempt. */
async function tryOnce(platform: Platform): Promise<void> {
  await makeEvents(service, platform, 1)
  await service.deliverWebhooks()
}

const secondsUntil = (text: string) => (Date.parse(`${text.replace(' ', 'T')}Z`) - clock.now().getTime()) / 1000

test('the owner of a failing endpoint is notified once after an hour, and again when it is disabled after five days', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = 500
  const platform = await newPlatform(service)
  const { api } = platform
  const { id } = await newEndpoint(api, receiver.url)
  await tryOnce(platform)
  const { failing_since: since } = await readEndpoint(api, id)
  assert.equal(secondsUntil(since), 0)
  clock.advance(HOUR - 1)
  await tryOnce(platform)
  assert.deepEqual(await subjects(platform), [])
  clock.advance(1)
  await tryOnce(platform)
  const warning = `Your webhooks to ${new URL(receiver.url).host} are failing (Remit sandbox)`
  assert.deepEqual(await subjects(platform), [warning])
  clock.advance(5 * DAY - HOUR - 1)
  await tryOnce(platform)
  assert.deepEqual(await subjects(platform), [warning], 'the owner is not notified twice')
  const before = await readEndpoint(api, id)
  assert.deepEqual([before.status, before.failing_since], ['ENABLED', since])
  clock.advance(1)
  await tryOnce(platform)
  const disabled = await readEndpoint(api, id)
  assert.deepEqual([disabled.status, disabled.disabled_reason, disabled.failing_since], ['DISABLED', 'FAILING', since])
  assert.deepEqual(await subjects(platform), [
    `Your webhooks to ${new URL(receiver.url).host} were disabled (Remit sandbox)`,
    warning,
  ])
  assert.deepEqual((await auditOf(api))[0], ['endpoint_disabled', 'service'])
  const count = receiver.received.length
  await tryOnce(platform)
  clock.advance(DAY)
  await service.deliverWebhooks()
  assert.equal(receiver.received.length, count, 'nothing more is sent there')
  const statuses = (await readDeliveries(api, id)).map(({ status }: { status: string }) => status)
  assert.deepEqual(new Set(statuses), new Set(['FAILED']))
  const enabled = (await api.put(`/v3/webhook/endpoint/${id}`, { status: 'ENABLED' })).body
  assert.equal(enabled.missed, statuses.length)
  receiver.answer = 200
  await api.post('/v3/webhook/replay', { since: enabled.missed_since, endpoint: id })
  await service.deliverWebhooks()
  assert.equal(receiver.received.length, count + statuses.length)
})

test('an endpoint that recovers has not failed: the five days start again, and so do the notifications', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  const { id } = await newEndpoint(platform.api, receiver.url)
  for (let round = 1; round <= 2; round++) {
    receiver.answer = 503
    await tryOnce(platform)
    clock.advance(4 * DAY)
    await tryOnce(platform)
    assert.equal((await subjects(platform)).length, round)
    receiver.answer = 200
    await tryOnce(platform)
    assert.equal((await readEndpoint(platform.api, id)).failing_since, null)
  }
  assert.equal((await readEndpoint(platform.api, id)).status, 'ENABLED')
})

test('410 disables an endpoint at once: no pending delivery is sent, and the owner is notified', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = 500
  const platform = await newPlatform(service)
  const { id } = await newEndpoint(platform.api, receiver.url)
  await makeEvents(service, platform, 1)
  await service.deliverWebhooks()
  receiver.answer = 410
  await tryOnce(platform)
  const endpoint = await readEndpoint(platform.api, id)
  assert.deepEqual([endpoint.status, endpoint.disabled_reason], ['DISABLED', 'GONE'])
  assert.deepEqual(
    (await readDeliveries(platform.api, id)).map(({ status, attempts }: Record<string, unknown>) => [status, attempts]),
    [
      ['FAILED', 1],
      ['FAILED', 1],
    ],
  )
  assert.deepEqual(await subjects(platform), [
    `Your webhooks to ${new URL(receiver.url).host} were disabled (Remit sandbox)`,
  ])
  assert.deepEqual((await auditOf(platform.api))[0], ['endpoint_disabled', 'service'])
})

test('Retry-After moves the next attempt later, never earlier and never by more than the longest delay', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  const { id } = await newEndpoint(platform.api, receiver.url)
  for (const [asked, seconds] of [
    ['120', 120],
    ['1', 30],
    ['86400', 30_720],
    ['999999999999', 30_720],
    ['soon', 30],
  ] as const) {
    receiver.answer = (response) => response.setHeader('retry-after', asked).writeHead(429).end()
    await tryOnce(platform)
    const [{ next_attempt: next }] = await readDeliveries(platform.api, id)
    assert.ok(Math.abs(secondsUntil(next) - seconds) <= 1, `${asked}: after ${secondsUntil(next)} s`)
  }
})

test('a webhook_uri always follows the schedule, without 410, Retry-After or the five days', async (t) => {
  const receiver = await startReceiver(t)
  const platform = await newPlatform(service)
  await setWebhook(platform.api, receiver.url)
  for (const status of [410, 503]) {
    receiver.answer = (response) => response.setHeader('retry-after', '600').writeHead(status).end()
    await tryOnce(platform)
    const [{ status: deliveryStatus, next_attempt: next }] = (await platform.api.get('/v3/webhook/delivery')).body
      .deliveries
    assert.deepEqual([deliveryStatus, secondsUntil(next)], ['PENDING', 30])
  }
  for (let day = 0; day < 7; day++) {
    clock.advance(DAY)
    await tryOnce(platform)
  }
  receiver.answer = 200
  const count = receiver.received.length
  await tryOnce(platform)
  assert.ok(receiver.received.length > count)
  assert.deepEqual(await subjects(platform), [])
})

test('an enabled endpoint has the full five days again', async (t) => {
  const receiver = await startReceiver(t)
  receiver.answer = 410
  const platform = await newPlatform(service)
  const { id } = await newEndpoint(platform.api, receiver.url)
  await tryOnce(platform)
  await platform.api.put(`/v3/webhook/endpoint/${id}`, { status: 'ENABLED' })
  receiver.answer = 500
  clock.advance(6 * DAY)
  await tryOnce(platform)
  const endpoint = await readEndpoint(platform.api, id)
  assert.deepEqual([endpoint.status, secondsUntil(endpoint.failing_since)], ['ENABLED', 0])
})
