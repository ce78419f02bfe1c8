import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../src/foundation/db/connect.ts'
import { createLog } from '../src/foundation/lib/log.ts'
import { type Step, startWorker } from '../src/operation/scheduler/worker.ts'
import { renewLeases } from '../src/webhook/delivery/delivery-store.ts'
import {
  createCourier,
  deliverDueWebhooks,
  endCourier,
  renewSessionLeases,
} from '../src/webhook/delivery/webhook-worker.ts'
import { createApi } from './support/api.ts'
import { fakeClock } from './support/clock.ts'
import { leaseDueEndpoints } from './support/leases.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { createTestDatabase } from './support/postgres.ts'
import { missingDatabase, readFirstOwner, runRemit, startProcess, temporaryFolder } from './support/process.ts'
import { startReceiver } from './support/receiver.ts'
import { collectSecrets } from './support/secrets.ts'
import { addVerifiedBank, startTestService } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'
import { attemptsOf, deliveryStatuses, newSender, setWebhook, startTcpReceiver } from './support/webhooks.ts'

// Work is found, shared between workers, and taken over from a crashed worker.

/** Longer than a test may take, so only woken steps run. */
const NEVER_MS = 3_600_000

suite('the loop', () => {
  let stepCount = 0
  const step = (run: () => Promise<number>, more: Partial<Step> = {}): Step => ({
    name: `step ${++stepCount}`,
    run,
    isWoken: true,
    ...more,
  })
  const start = (steps: Step[], pollMs = 60_000) => startWorker({ steps, log: createLog('silent'), pollMs })

  test('a pass that found work is followed by another, until one finds none', async () => {
    const found = [5, 3, 0, 7]
    let passCount = 0
    const worker = start([step(async () => found[passCount++] ?? 0)])
    await waitUntil('three passes have run', () => passCount >= 3)
    await sleep(20)
    assert.equal(passCount, 3)
    await worker.stop()
  })

  test('a failing step is retried at the next poll, and the others continue', async () => {
    let failures = 0
    let passes = 0
    const failing = step(() => {
      failures++
      return Promise.reject(new Error('no'))
    })
    const worker = start([failing, step(async () => ++passes * 0)], 10)
    await waitUntil('both steps have run twice', () => failures >= 2 && passes >= 2)
    await worker.stop()
  })

  test('a wake runs the steps that can be woken, and many wakes at once count as one', async () => {
    let woken = 0
    let polled = 0
    const worker = start([step(async () => ++woken * 0), step(async () => ++polled * 0, { isWoken: false })])
    for (let count = 0; count < 100; count++) worker.wake()
    await waitUntil('the wake has run', () => woken >= 2)
    await sleep(50)
    assert.deepEqual([woken, polled], [2, 1])
    await worker.stop()
  })

  test('stop waits for the running pass and starts no other', async () => {
    let finished = 0
    const worker = start([
      step(async () => {
        await sleep(50)
        return ++finished
      }),
    ])
    await worker.stop()
    assert.equal(finished, 1)
    worker.wake()
    await sleep(20)
    assert.equal(finished, 1)
  })
})

suite('in one process', () => {
  test('a webhook is sent as soon as there is one, without waiting for a poll', async (t) => {
    const service = await startTestService(t, { roles: ['http', 'worker'], pollMs: NEVER_MS })
    const receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    for (let count = 1; count <= 10; count++) {
      await triggerStatus(sender, (await sendPayment(sender)).id, 'IN_PROCESS')
      await receiver.waitFor(count)
    }
  })

  test('sixty endpoints that do not answer delay no others', async (t) => {
    const ends: (() => Promise<void>)[] = []
    t.after(async () => {
      for (const end of ends.toReversed()) await end()
    })
    const lifetime = { after: (end: () => Promise<void>) => void ends.push(end) } // the worker ends before its database is dropped
    const service = await startTestService(lifetime)
    const receiver = await startReceiver(t)
    const held: import('node:net').Socket[] = []
    const url = await startTcpReceiver(t, (socket) => held.push(socket))
    for (let count = 0; count < 60; count++) {
      const user = await newSender(service)
      await setWebhook(user, `http:${url}`)
      await triggerStatus(user, (await sendPayment(user)).id, 'IN_PROCESS')
    }
    const sender = await newSender(service, (await service.newOwner()).api)
    await setWebhook(sender, receiver.url)
    const payments = await Promise.all(Array.from({ length: 5 }, () => sendPayment(sender)))

    // Little happens from here until the webhooks arrive, so that no timeout of an endpoint ends earlier, even on a
    // busy machine.
    const { databaseUrl, keyRing } = service
    await startTestService(lifetime, { roles: ['worker'], databaseUrl, keyRing })
    await waitUntil('all sixty hang', () => held.length >= 60)
    await Promise.all(payments.map(({ id }) => triggerStatus(sender, id, 'IN_PROCESS')))
    await receiver.waitFor(payments.length)
    const [row] = await service.deps.sql<{ count: number }[]>`
      select count(*) from delivery_attempts where outcome <> 'acknowledged'
    `
    for (const socket of held) socket.destroy()
    assert.equal(row?.count, 0, 'one of the hanging endpoints had its timeout first')
  })
})

suite('leases', async () => {
  const service = await startTestService({ after })
  const { deps } = service

  async function newDueEvents(url: string, count = 1) {
    const sender = await newSender(service)
    await setWebhook(sender, url)
    for (let made = 0; made < count; made++) await triggerStatus(sender, (await sendPayment(sender)).id, 'IN_PROCESS')
    return sender
  }

  test('leases of a crashed worker are taken over when they end, not before', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newDueEvents(receiver.url)
    const realClock = fakeClock()
    const leased = await leaseDueEndpoints(deps.sql, {
      worker: 'killed',
      now: deps.clock.now(),
      realNow: realClock.now(),
      until: new Date(realClock.now().getTime() + 20_000),
      isSlow: false,
      after: null,
      limit: 100,
    })
    assert.equal(leased.length, 1)
    const courier = createCourier('living', deps.settings)
    realClock.advance(19)
    assert.equal(await deliverDueWebhooks({ ...deps, realClock }, courier), 0)
    realClock.advance(2)
    assert.equal(await deliverDueWebhooks({ ...deps, realClock }, courier), 1)
    assert.equal(receiver.received.length, 1)
    assert.deepEqual(await deliveryStatuses(deps.sql, sender.id), ['DELIVERED'])
    assert.equal((await renewLeases(deps.sql, leased, { worker: 'killed', until: new Date() })).length, 0)
    await endCourier(courier)
  })

  test('a POST in progress when the worker crashed is sent again, because twice is better than never', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newDueEvents(receiver.url)
    const realClock = fakeClock()
    const [dying, living] = [createCourier('dying', deps.settings), createCourier('living', deps.settings)]
    // It crashes with the answer, so nothing of it is recorded.
    const sql = Object.assign((...args: Parameters<typeof deps.sql>) => {
      if (receiver.received.length > 0) throw new Error('killed')
      return deps.sql(...args)
    }, deps.sql) as typeof deps.sql
    await assert.rejects(deliverDueWebhooks({ ...deps, sql, realClock }, dying))
    assert.deepEqual(await deliveryStatuses(deps.sql, sender.id), ['PENDING'])
    realClock.advance(31) // the lease of the crashed worker has ended
    await deliverDueWebhooks({ ...deps, realClock }, living)
    assert.equal(receiver.received.length, 2)
    assert.equal(receiver.received[0]?.body, receiver.received[1]?.body)
    assert.deepEqual(await deliveryStatuses(deps.sql, sender.id), ['DELIVERED'])
    await Promise.all([endCourier(dying), endCourier(living)])
  })

  test('three concurrent workers send each of 120 deliveries to eight endpoints once', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer = (response) => void setTimeout(() => response.writeHead(200).end(), 3)
    const senders = []
    for (let count = 0; count < 8; count++) senders.push(await newDueEvents(receiver.url, 15))
    const couriers = ['one', 'two', 'three'].map((name) => createCourier(name, deps.settings))
    await Promise.all(
      couriers.map(async (courier) => {
        for (let pass = 0; pass < 10; pass++) await deliverDueWebhooks(deps, courier)
      }),
    )
    assert.equal(receiver.received.length, 120)
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 120)
    for (const { id } of senders) {
      assert.equal((await attemptsOf(deps.sql, id)).length, 15)
    }
    await Promise.all(couriers.map(endCourier))
  })

  test('a worker whose lease was taken over starts no more attempts', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newDueEvents(receiver.url, 40)
    const held: ServerResponse[] = []
    receiver.answer = (response) => held.push(response)
    const courier = createCourier('slow', deps.settings)
    const pass = deliverDueWebhooks(deps, courier)
    await receiver.waitFor(2)
    await deps.sql`update endpoints set leased_by = 'another' where user_id = ${sender.id}`
    await renewSessionLeases(deps, courier)
    for (const response of held) response.writeHead(200).end()
    assert.equal(await pass, held.length)
    const [row] = await deps.sql<{ leasedBy: string }[]>`select leased_by from endpoints where user_id = ${sender.id}`
    assert.equal(row?.leasedBy, 'another')
    await endCourier(courier)
    await setWebhook(sender, null)
  })

  test('a stopping worker finishes its attempts in flight, even if others are due', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newDueEvents(receiver.url, 40)
    const courier = createCourier('ending', deps.settings)
    const held: ServerResponse[] = []
    receiver.answer = (response) => held.push(response)
    const pass = deliverDueWebhooks(deps, courier)
    await receiver.waitFor(2)
    const end = endCourier(courier)
    for (const response of held) response.writeHead(200).end()
    await end
    assert.equal(await pass, held.length)
    const statuses = await deliveryStatuses(deps.sql, sender.id)
    assert.deepEqual([countOf(statuses, 'DELIVERED'), countOf(statuses, 'PENDING')], [held.length, 40 - held.length])
    assert.ok(held.length < 40)
    const [row] = await deps.sql<{ leasedBy: string | null }[]>`
      select leased_by from endpoints where user_id = ${sender.id}
    `
    assert.equal(row?.leasedBy, null)
    await setWebhook(sender, null)
  })
})

suite('in several processes', () => {
  test('a process that only serves wakes one that only works, so that a webhook does not wait for a poll', async (t) => {
    const database = await createTestDatabase()
    const serving = await startTestService(t, { databaseUrl: database.url })
    const { keyRing } = serving
    await startTestService(t, { roles: ['worker'], pollMs: NEVER_MS, databaseUrl: database.url, keyRing })
    t.after(database.drop)
    const receiver = await startReceiver(t)
    const sender = await newSender(serving)
    await setWebhook(sender, receiver.url)
    for (let count = 1; count <= 5; count++) {
      await triggerStatus(sender, (await sendPayment(sender)).id, 'IN_PROCESS')
      await receiver.waitFor(count)
    }
  })

  test('kill -9 after the 201 and before the delivery: the webhook arrives after a restart', async (t) => {
    const home = await temporaryFolder(t)
    const database = missingDatabase(t)
    const options = { home, env: { DATABASE_URL: database, REMIT_ALLOW_LOCAL_WEBHOOKS: 'true' } }
    const args = ['--environments', 'sandbox', '--port', '0']
    const serve = await startProcess(t, ['serve', ...args], options)
    const receiver = await startReceiver(t)
    const sender = await firstSender(`${home}/.remit`, serve.url())
    await setWebhook(sender, receiver.url)
    const { id } = await sendPayment(sender)
    await triggerStatus(sender, id, 'IN_PROCESS')
    assert.equal((await serve.end('SIGKILL')).signal, 'SIGKILL')
    assert.equal(receiver.received.length, 0)
    const restarted = await startProcess(t, ['start', ...args], options)
    await receiver.waitFor(1)
    assert.deepEqual(receiver.events(), [{ id, status: 'IN_PROCESS', type: 'CHECK', deposit_option: 'ACH' }])
    assert.equal((await restarted.end()).code, 0)
  })

  test('kill -9 before the receiver has answered, with the embedded PostgreSQL: the webhook is sent again', async (t) => {
    const home = await temporaryFolder(t)
    const dataDir = `${home}/data`
    const args = ['start', '--environments', 'sandbox', '--port', '0', '--data-dir', dataDir]
    const first = await startProcess(t, args, { home })
    const receiver = await startReceiver(t)
    receiver.answer = null
    const sender = await firstSender(dataDir, first.url())
    await setWebhook(sender, receiver.url)
    const { id } = await sendPayment(sender)
    await triggerStatus(sender, id, 'IN_PROCESS')
    await receiver.waitFor(1)
    await first.end('SIGKILL')
    // PostgreSQL outlives the service. Instead of waiting for the end of the crashed worker's lease:
    const sql = connect((await readFirstOwner(dataDir)).database_url, { max: 1, applicationName: 'test' })
    await sql`update endpoints set leased_until = now() where leased_by is not null`
    await sql.end({ timeout: 5 })
    receiver.answer = 200
    const second = await startProcess(t, args, { home })
    await receiver.waitFor(2)
    assert.equal(receiver.received[0]?.body, receiver.received[1]?.body)
    t.diagnostic(`first start ${Math.round(first.startMs)} ms, after the kill ${Math.round(second.startMs)} ms`)
    const again = await createApi(second.url(), sender.credential, collectSecrets()).get(`/v3/check/${id}`)
    assert.equal(again.body.status, 'IN_PROCESS')
    assert.equal((await second.end()).code, 0)
  })

  test('a separate worker reports when it works, and needs a database', async (t) => {
    const home = await temporaryFolder(t)
    for (const role of ['worker', 'serve']) {
      const { code, stderr } = await runRemit([role], { home })
      assert.equal(code, 1)
      assert.match(stderr, /need DATABASE_URL/)
    }
    const env = { DATABASE_URL: missingDatabase(t) }
    const args = ['worker', '--environments', 'sandbox']
    const silent = await startProcess(t, args, { home, env })
    assert.match((await silent.end()).stderr, /invites no recipients: set REMIT_SANDBOX_BASE_URL/)
    const knowing = { ...env, REMIT_SANDBOX_BASE_URL: 'https://sandbox.example.com' }
    const told = await startProcess(t, args, { home, env: knowing })
    assert.doesNotMatch((await told.end()).stderr, /invites no recipients/)
  })
})

/** The first owner of a data directory, with a bank that can send. */
async function firstSender(dataDir: string, baseUrl: string) {
  const { key, secret } = await readFirstOwner(dataDir)
  const api = createApi(baseUrl, `${key}:${secret}`, collectSecrets())
  await addVerifiedBank(api)
  return api
}

const countOf = (values: string[], wanted: string) => values.filter((value) => value === wanted).length
