import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect } from '../src/foundation/db/connect.ts'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import type { Api } from './support/api.ts'
import { type Received, startReceiver } from './support/receiver.ts'
import { startTestService, type TestService } from './support/service.ts'
import { ask, assertTruth, type RequestedPayment } from './support/truth.ts'
import { waitUntil } from './support/wait-until.ts'
import { newPayee, newSender, setWebhook } from './support/webhooks.ts'

// Stops and restarts a worker of a real Citus under load: npm run citus-outage, see docs/scale-out.md. Its platforms
// wait, all others are served, and nothing is lost or duplicated.

const { TEST_CITUS = '', CITUS_STOP = '', CITUS_START = '' } = process.env
if (!CITUS_STOP || !CITUS_START)
  throw new Error('CITUS_STOP and CITUS_START must be shell commands that stop and start one worker')

const PLATFORMS_PER_WORKER = 2
/**
 * The number of senders of each platform. The last one pays the owner of another platform, and the others pay a user of
 * their own platform.
 */
const SENDERS = 3
/** The number of answers of each platform before a phase ends. */
const ANSWERS_PER_PHASE = 20
const PAUSE_MS = 500
const RETRY_AFTER_MS = 200
/** The days within which a payment from bank to bank is PAID. */
const DAY_SECONDS = 86_400
const DAYS_UNTIL_PAID = 10
/** A worker that does not know that an attempt was acknowledged sends the webhook again after its lease has expired. */
const LEASE_MS = 20_000

const runShell = async (command: string): Promise<void> => {
  await promisify(execFile)('sh', ['-c', command])
}

const PHASES = ['before', 'outage', 'after'] as const
type Phase = (typeof PHASES)[number]
type Target = 'within' | 'across'
type Said = { phase: Phase; target: Target; status: number; code: string; ms: number }
type Platform = Awaited<ReturnType<typeof startPlatform>> & { worker: number }

/** A platform with its senders, and a receiver for the webhooks of its owner. */
async function startPlatform(t: TestContext, service: TestService) {
  const { api, id, email } = await service.newOwner()
  const receiver = await startReceiver(t)
  await setWebhook(api, receiver.url)
  const senders = await Promise.all(Array.from({ length: SENDERS }, () => newSender(service, api)))
  const payee = await newPayee(service, api)
  const asked: Record<Target, RequestedPayment[]> = { within: [], across: [] }
  return { api, id, email, receiver, senders, payee, asked, said: [] as Said[] }
}

/** Creates platforms until each worker has some. */
async function startPlatforms(t: TestContext, service: TestService): Promise<Platform[]> {
  const workers = TEST_CITUS.split(',')
    .slice(1)
    .map((url) => Number(new URL(url).port))
  const platforms: Platform[] = []
  const hasRoom = (port: number) =>
    workers.includes(port) && platforms.filter(({ worker }) => worker === port).length < PLATFORMS_PER_WORKER
  while (platforms.length < workers.length * PLATFORMS_PER_WORKER) {
    const platform = await startPlatform(t, service)
    const [place] = await service.ownerSql<{ port: number }[]>`
      select nodeport as port
      from pg_dist_placement
      join pg_dist_node using (groupid)
      where shardid = get_shard_id_for_distribution_column('users', ${platform.id}::uuid)
    `
    if (place && hasRoom(place.port)) platforms.push({ ...platform, worker: place.port })
  }
  return platforms
}

/** The workers that accept no connections. */
async function workersThatAreDown(): Promise<number[]> {
  const urls = TEST_CITUS.split(',').slice(1)
  const down = await Promise.all(
    urls.map(async (url) => {
      const sql = connect(url, { max: 1, applicationName: 'test' })
      const isUp = await sql`select`.then(
        () => true,
        () => false,
      )
      await sql.end({ timeout: 1 })
      return isUp ? [] : [Number(new URL(url).port)]
    }),
  )
  return down.flat()
}

/**
 * Sends payments of all senders. The payments of one sender are sequential. Each is repeated with its key until it is
 * accepted.
 */
function startLoad(platforms: readonly Platform[], signal: AbortSignal) {
  let phase: Phase = 'before'
  let isEnding = false
  async function sendPayments(platform: Platform, index: number) {
    const { senders, payee, asked } = platform
    const user = senders[index] as Api
    const target = index === SENDERS - 1 ? 'across' : 'within'
    const next = platforms[(platforms.indexOf(platform) + 1) % platforms.length] as Platform
    const recipient = target === 'across' ? next.email : { id: payee.userId, account: payee.bankId }
    for (let turn = 0; !isEnding; turn++) {
      asked[target].push(await sendUntilAccepted(platform, target, { user, key: `key ${index} ${turn}`, recipient }))
      await sleep(PAUSE_MS)
    }
  }
  async function sendUntilAccepted(
    { said }: Platform,
    target: Target,
    { user, ...order }: { user: Api; key: string; recipient: unknown; description?: string },
  ): Promise<RequestedPayment> {
    for (;;) {
      signal.throwIfAborted()
      const begun = { phase, at: performance.now() }
      const asked = await ask(user, order)
      const { status, body, text, headers } = asked.answer
      said.push({
        phase: begun.phase,
        target,
        status,
        code: body.code ?? '',
        ms: performance.now() - begun.at,
      })
      if (status === 201) return asked
      assert.equal(status, 503, text)
      assert.ok(headers.get('retry-after'), 'a 503 has a Retry-After header')
      order.description = asked.mark
      await sleep(RETRY_AFTER_MS)
    }
  }
  const loops = Promise.all(platforms.flatMap((one) => one.senders.map((_, index) => sendPayments(one, index))))
  loops.catch(() => {}) // reported at the end
  return {
    enter: (next: Phase) => {
      phase = next
    },
    end: async () => {
      isEnding = true
      await loops
    },
  }
}

const saidIn = ({ said }: Platform, phase: Phase, target: Target): Said[] =>
  said.filter((one) => one.phase === phase && one.target === target)

/** Waits until each platform has this many answers. Otherwise, fails with the answers. */
const haveAnswers = (platforms: readonly Platform[], phase: Phase, status: number): Promise<void> =>
  waitUntil(`each platform has ${ANSWERS_PER_PHASE} answers ${status}, ${phase}`, () =>
    platforms.every(
      (one) => saidIn(one, phase, 'within').filter((answer) => answer.status === status).length >= ANSWERS_PER_PHASE,
    ),
  )

/** The answers of a phase by kind, with the longest time. */
function describe(platforms: readonly Platform[], phase: Phase, target: Target): string {
  const all = platforms.flatMap((one) => saidIn(one, phase, target))
  return [...Map.groupBy(all, ({ status, code }) => `${status} ${code}`.trim())]
    .map(([kind, said]) => `${said.length} × ${kind} within ${Math.ceil(Math.max(...said.map(({ ms }) => ms)))} ms`)
    .join(', ')
}

/** Returns the webhooks that a platform got since a time, as `PAYMENT STATUS`. */
const webhooksSince = ({ receiver }: Platform, from: number): Set<string> =>
  new Set(
    receiver.received
      .filter(({ at }) => at >= from)
      .map(({ body }) => JSON.parse(body))
      .map(({ id, status }) => `${id} ${status}`),
  )

/** Lets days pass until the payments are PAID and their webhooks have arrived. Fails if nothing happens for a while. */
async function passDaysUntilPaid({ clock, ownerSql }: TestService, platforms: readonly Platform[]) {
  const platformIds = platforms.map(({ id }) => id)
  const paymentIds = platforms.flatMap(({ asked }) => [...idsOf(asked.within)])
  const arePaid = () => {
    const arrived = new Set(platforms.flatMap((one) => [...webhooksSince(one, 0)]))
    return paymentIds.every((id) => arrived.has(`${id} PAID`))
  }
  const countChanges = async () => {
    const [row] = await ownerSql<{ count: number }[]>`
      select count(*) from payment_history where platform_id = any (${platformIds})
    `
    return row?.count ?? 0
  }
  for (let day = 0; day < DAYS_UNTIL_PAID; day++) clock.advance(DAY_SECONDS)
  while (!arePaid()) {
    const before = await countChanges()
    await waitUntil('a payment changes or all are paid', async () => (await countChanges()) > before || arePaid())
    await sleep(PAUSE_MS)
  }
}

const idsOf = (asked: readonly RequestedPayment[]): Set<string> =>
  new Set(asked.filter(({ answer }) => answer.status === 201).map(({ answer }) => answer.body.id))

/**
 * Checks that each payment and each of its changes exists once, and that each webhook arrived.
 * @returns the webhooks that arrived repeatedly
 */
async function assertNothingLost(service: TestService, platform: Platform): Promise<Map<string, Received[]>> {
  const { within, across } = platform.asked
  const asked = [...within, ...across]
  assert.equal(await assertTruth(service.ownerSql, asked), asked.length)
  const events = await service.ownerSql<{ id: string; body: string; deliveries: string[] }[]>`
    select e.id, e.body, array_agg(d.status) as deliveries
    from events e
    left join deliveries d on d.platform_id = e.platform_id and d.event_id = e.id
    where e.platform_id = ${platform.id} and e.type = 'CHECK'
    group by e.id, e.body
  `
  const changes = events.map(({ body }) => JSON.parse(body)).map(({ id, status }) => `${id} ${status}`)
  const expected = [...idsOf(within)].flatMap((id) => [`${id} IN_PROCESS`, `${id} PAID`])
  assert.deepEqual(changes.toSorted(), expected.toSorted(), 'each change has one event')
  for (const { id, deliveries } of events) assert.deepEqual(deliveries, ['DELIVERED'], id)
  const arrived = Map.groupBy(platform.receiver.received, ({ headers }) => String(headers['webhook-id']))
  assert.equal(arrived.size, events.length, 'each event arrived')
  return new Map([...arrived].filter(([, posts]) => posts.length > 1))
}

/** Checks that the recipient's platform has one copy of each payment from another platform. */
async function assertCopiedOnce(service: TestService, platforms: readonly Platform[]): Promise<void> {
  const sent = platforms.flatMap(({ asked }) => [...idsOf(asked.across)])
  const rows = await service.ownerSql<{ id: string }[]>`
    select payment_id as id
    from received_payments
    where platform_id = any (${platforms.map(({ id }) => id)})
  `
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), sent.toSorted())
  const messages = await service.ownerSql`select from outbox`
  assert.equal(messages.length, 0)
}

type Groups = { stopped: Platform[]; others: Platform[] }

function assertAnswers({ stopped, others }: Groups): void {
  const statusesOf = (platforms: Platform[], phases: readonly Phase[]) => [
    ...new Set(
      platforms.flatMap((one) => phases.flatMap((phase) => saidIn(one, phase, 'within').map((it) => it.status))),
    ),
  ]
  assert.deepEqual(statusesOf(others, PHASES), [201])
  assert.deepEqual(statusesOf(stopped, ['outage']), [503])
}

/** Checks that a webhook was repeated only if its worker was stopped before the attempt was recorded. */
async function assertDeliveries(t: TestContext, service: TestService, groups: Groups & { stoppedAt: number }) {
  for (const one of groups.others) assert.deepEqual([...(await assertNothingLost(service, one)).keys()], [])
  for (const one of groups.stopped) {
    const repeated = await assertNothingLost(service, one)
    t.diagnostic(`webhooks that a platform of the stopped worker got twice: ${repeated.size}`)
    for (const [id, [first, ...again]] of repeated) {
      assert.equal(again.length, 1, `${id} arrived ${again.length + 1} times`)
      assert.ok(first && first.at < groups.stoppedAt + LEASE_MS, `${id} was repeated without a reason`)
    }
  }
}

/**
 * Checks that requests of the worker's platforms are refused while it is down, and that all others are served.
 * @returns the platforms of both
 */
async function assertOutage(service: TestService, platforms: readonly Platform[]): Promise<Groups> {
  const down = await workersThatAreDown()
  assert.equal(down.length, 1, `CITUS_STOP must stop one worker, and stopped ${down.length}`)
  const stopped = platforms.filter(({ worker }) => down.includes(worker))
  const others = platforms.filter(({ worker }) => !down.includes(worker))
  await Promise.all([haveAnswers(others, 'outage', 201), haveAnswers(stopped, 'outage', 503)])
  for (const { api } of others) assert.equal((await api.get('/v3/check')).status, 200)
  for (const { api } of stopped) {
    const { status, body } = await api.get('/v3/check')
    assert.deepEqual([status, body.code], [503, 'database_unavailable'])
  }
  await passDaysUntilPaid(service, others)
  return { stopped, others }
}

test('a stopped worker affects only its own platforms, and they resume', { timeout: 600_000 }, async (t) => {
  const worker = { isStopped: false }
  const ending = new AbortController()
  t.after(async () => {
    ending.abort()
    if (worker.isStopped) await runShell(CITUS_START)
  })
  const service = await startTestService(t, { roles: ['http', 'worker'], pollMs: 500 })
  const platforms = await startPlatforms(t, service)
  const load = startLoad(platforms, ending.signal)
  await haveAnswers(platforms, 'before', 201)

  worker.isStopped = true
  await runShell(CITUS_STOP)
  const stoppedAt = Date.now()
  load.enter('outage')
  const groups = await assertOutage(service, platforms)

  load.enter('after')
  await runShell(CITUS_START)
  worker.isStopped = false
  await haveAnswers(platforms, 'after', 201)
  await load.end()
  await passDaysUntilPaid(service, platforms)
  // Transactions that were prepared on the worker when it stopped. The servers finish them once a minute.
  await service.ownerSql`select recover_prepared_transactions()`

  for (const [name, group] of [
    ['stopped worker', groups.stopped],
    ['other worker', groups.others],
  ] as const) {
    for (const phase of PHASES) {
      t.diagnostic(`${phase}, platforms of the ${name}: ${describe(group, phase, 'within')}`)
      t.diagnostic(`${phase}, the same, to another platform: ${describe(group, phase, 'across')}`)
    }
  }
  assertAnswers(groups)
  await assertDeliveries(t, service, { ...groups, stoppedAt })
  await assertCopiedOnce(service, platforms)
  assert.ok(isClean(await verifyLedger(service.deps)))
})
