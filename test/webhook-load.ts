import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#embedded-postgres'
import { createLog } from '../src/foundation/lib/log.ts'
import { createNotifier } from '../src/operation/app/wake-channel.ts'
import type { BareLoopMethods } from './load/bare-loop.ts'
import { startChild } from './load/child.ts'
import { type Scene, startScene, type Target, waitUntil, writeBacklog, writeEvent } from './load/scene.ts'

// Measures the guarantees for webhooks under load:
//
//   npm run webhook-load -- --events 100000 --only throughput,kills,workers,fairness,backlog
//
// The receiver, each worker and the bare loop are separate processes. PostgreSQL is the embedded one.

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    endpoints: { type: 'string', default: '100' },
    kills: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '30' },
    due: { type: 'string', default: '1000000' },
    only: { type: 'string', default: 'throughput,kills,workers,fairness,backlog' },
  },
})
const [eventCount, endpointCount, killCount, seconds, dueCount] = [
  Number(options.events),
  Number(options.endpoints),
  Number(options.kills),
  Number(options.seconds),
  Number(options.due),
]

function say(what: string, figure: string | number, isRight = true): boolean {
  console.log(`  ${isRight ? '✔' : '✖'} ${what}: ${typeof figure === 'number' ? figure.toLocaleString('en') : figure}`)
  return isRight
}

const makeTargets = (scene: Scene) =>
  scene.makeTargets(Array.from({ length: endpointCount }, (_, index) => `/e/${index}`))

async function writeEvents(scene: Scene): Promise<number> {
  return writeBacklog(scene.sql, await makeTargets(scene), Math.floor(eventCount / endpointCount))
}

/** Waits until every event has arrived. @returns the seconds since the first check */
async function waitForAll(scene: Scene, count: number, each: () => Promise<unknown> = async () => {}): Promise<void> {
  await waitUntil(async () => {
    await each()
    return (await scene.receiver.ask('counts')).unique >= count
  }, 900_000)
  await waitUntil(async () => (await pendingCount(scene)) === 0)
}

async function pendingCount({ sql }: Scene): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) from deliveries where status = 'PENDING'`
  return row?.count ?? 0
}

async function throughput(scene: Scene): Promise<boolean> {
  const bare = startChild<BareLoopMethods>('bare-loop.ts')
  const rows = Array.from({ length: Math.min(eventCount, 50_000) }, (_, number) =>
    JSON.stringify({ id: 'e'.repeat(32), status: 'PAID', type: 'INVOICE', deposit_option: 'ACH', number, sequence: 0 }),
  )
  const measureBare = () => bare.ask('post', { url: scene.receiverUrl, bodies: rows, atOnce: 256 })
  await bare.ask('post', { url: scene.receiverUrl, bodies: rows.slice(0, 5_000), atOnce: 256 })
  const before = await measureBare()
  await scene.receiver.ask('forget')

  const count = await writeEvents(scene)
  const worker = await scene.startWorker()
  const memory: number[] = []
  await waitForAll(scene, count, async () => memory.push(worker.residentMiB()))
  const { unique, duplicates, misordered, firstAt, lastAt } = await scene.receiver.ask('counts')
  const perSecond = unique / ((lastAt - firstAt) / 1000)
  await worker.end('SIGTERM')

  await scene.receiver.ask('forget')
  const after = await measureBare()
  bare.end()
  const ratio = perSecond / ((before + after) / 2)
  return [
    say('events that arrived', `${unique} of ${count}`, unique === count),
    say('duplicates', duplicates, duplicates === 0),
    say('out of order within their payment', misordered, misordered === 0),
    say('deliveries a second', Math.round(perSecond)),
    say('a bare undici loop, before and after', `${Math.round(before)} and ${Math.round(after)} a second`),
    say('of the bare loop', ratio.toFixed(2), ratio >= 0.15),
    say('memory of the worker at the end of each fifth', `${fifths(memory).join(', ')} MiB`),
  ].every(Boolean)
}

const fifths = (values: number[]): string[] =>
  [1, 2, 3, 4, 5].map((fifth) => (values[Math.ceil((values.length * fifth) / 5) - 1] as number).toFixed(0))

async function kills(scene: Scene): Promise<boolean> {
  const count = await writeEvents(scene)
  let worker = await scene.startWorker()
  let killed = 0
  let inFlight = 0
  await waitForAll(scene, count, async () => {
    const { unique } = await scene.receiver.ask('counts')
    if (killed === killCount || unique < ((killed + 1) * count) / (killCount + 1)) return
    await worker.end('SIGKILL')
    killed++
    await sleep(200) // attempts in flight arrive
    const arrived = (await scene.receiver.ask('counts')).unique
    inFlight += arrived - (count - (await pendingCount(scene)))
    worker = await scene.startWorker()
  })
  const { unique, duplicates } = await scene.receiver.ask('counts')
  return [
    say('kills', killed, killed === killCount),
    say('events that arrived', `${unique} of ${count}`, unique === count),
    say('arrived and not recorded when the worker was killed', inFlight),
    say('duplicates', duplicates, duplicates <= inFlight),
  ].every(Boolean)
}

async function workers(scene: Scene): Promise<boolean> {
  const both = await Promise.all([scene.startWorker(), scene.startWorker()])
  const count = await writeEvents(scene)
  const names = new Set<string>()
  await waitForAll(scene, count, async () => {
    const rows = await scene.sql<{ leasedBy: string }[]>`
      select distinct leased_by from endpoints where leased_by is not null
    `
    for (const { leasedBy } of rows) names.add(leasedBy)
  })
  const { unique, duplicates, misordered } = await scene.receiver.ask('counts')
  for (const worker of both) await worker.end('SIGTERM')
  return [
    say('workers that had endpoints', names.size, names.size === 2),
    say('events that arrived', `${unique} of ${count}`, unique === count),
    say('duplicates', duplicates, duplicates === 0),
    say('out of order within their payment', misordered, misordered === 0),
  ].every(Boolean)
}

const HANGING = 10_000
const RETRIED_LATER = 2_000
const PER_SECOND = 1_000

async function fairness(scene: Scene): Promise<boolean> {
  const targets = await makeTargets(scene)
  const worker = await scene.startWorker()
  const notify = createNotifier(scene.sql)
  const send = async (from: number, until: number) => {
    const committedAt: number[] = []
    const write = async (number: number, before: Promise<void> | undefined) => {
      await before
      committedAt[number] = await writeEvent(scene.sql, targets[number % targets.length] as Target, number)
      notify()
    }
    const begin = performance.now()
    const writes: Promise<void>[] = []
    // Like the events of a changing payment: each follows the previous one.
    const lastOf: Promise<void>[] = []
    for (let number = from; number < until; ) {
      const due = Math.min(until, from + Math.ceil(((performance.now() - begin) * PER_SECOND) / 1000))
      for (; number < due; number++) {
        const index = number % targets.length
        lastOf[index] = write(number, lastOf[index])
        writes.push(lastOf[index])
      }
      await sleep(4)
    }
    await Promise.all(writes)
    return committedAt
  }
  const measure = async (what: string, from: number) => {
    const until = from + PER_SECOND * seconds
    const committedAt = await send(from, until)
    await waitUntil(async () => (await scene.receiver.ask('counts')).unique >= until)
    const arrivedAt = await scene.receiver.ask('arrivedAt')
    const latencies = committedAt
      .flatMap((at, number) => Math.max(0, (arrivedAt[number] as number) - at))
      .toSorted((a, b) => a - b)
    const at = (share: number) => latencies[Math.floor(latencies.length * share)] as number
    const figures = [0.5, 0.9, 0.99, 0.999].map((share) => `p${share * 100} ${at(share).toFixed(1)} ms`)
    return say(`commit to arrival, ${what}`, figures.join(', '), at(0.99) < 1_000 && at(0.5) < 50)
  }
  // The first requests warm up the program.
  await send(0, PER_SECOND * 3)
  const alone = await measure('100 healthy endpoints alone', PER_SECOND * 3)
  const hung = await scene.makeTargets(['/hang'])
  await writeBacklog(scene.sql, hung, HANGING)
  notify()
  await sleep(500)
  const beside = await measure('in addition to one that hangs with 10,000 due deliveries', PER_SECOND * (3 + seconds))
  const failing = await scene.makeTargets(Array.from({ length: RETRIED_LATER }, (_, index) => `/later/${index}`))
  await writeBacklog(scene.sql, failing, 1, new Date(Date.now() + 3_600_000))
  const besideMany = await measure('and 2,000 that are tried again later', PER_SECOND * (3 + 2 * seconds))
  const { duplicates, misordered } = await scene.receiver.ask('counts')
  const memory = worker.residentMiB()
  await worker.end('SIGKILL')
  return [
    alone,
    beside,
    besideMany,
    say('duplicates', duplicates, duplicates === 0),
    say('out of order within their payment', misordered, misordered === 0),
    say('memory of the worker', `${memory.toFixed(0)} MiB`),
  ].every(Boolean)
}

const BACKLOG_ENDPOINTS = 5
const HEAP_MIB = 192

/**
 * With a million deliveries due to a few endpoints, a worker with little memory delivers them for a while without
 * crashing.
 */
async function backlog(scene: Scene): Promise<boolean> {
  const targets = await scene.makeTargets(Array.from({ length: BACKLOG_ENDPOINTS }, (_, index) => `/e/${index}`))
  await writeBacklog(scene.sql, targets, Math.floor(dueCount / BACKLOG_ENDPOINTS))
  const worker = await scene.startWorker({ heapMiB: HEAP_MIB })
  const memory: number[] = []
  const begin = performance.now()
  while (performance.now() - begin < seconds * 1000) {
    memory.push(worker.residentMiB())
    await sleep(100)
  }
  const { unique, duplicates, misordered } = await scene.receiver.ask('counts')
  const pending = await pendingCount(scene)
  await worker.end('SIGTERM')
  return [
    say(`arrived within ${seconds} s, of ${dueCount.toLocaleString('en')}, with a heap of ${HEAP_MIB} MiB`, unique),
    say('still due', pending),
    say('duplicates', duplicates, duplicates === 0),
    say('out of order within their payment', misordered, misordered === 0),
    say('memory of the worker at the end of each fifth', `${fifths(memory).join(', ')} MiB`),
  ].every(Boolean)
}

const scenarios: Record<string, (scene: Scene) => Promise<boolean>> = {
  throughput,
  kills,
  workers,
  fairness,
  backlog,
}

const folder = await mkdtemp(join(tmpdir(), 'remit-webhook-load-'))
await chmod(folder, 0o711) // so that the user who runs PostgreSQL for root can pass through
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: createLog('warn') })
let isKept = true
try {
  for (const name of options.only.split(',')) {
    const run = scenarios[name]
    if (!run) throw new Error(`there is no scenario ${name}`)
    console.log(`\n${name}`)
    const scene = await startScene(postgres.url(`load_${name}`))
    try {
      isKept = (await run(scene)) && isKept
    } finally {
      await scene.end()
    }
  }
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
console.log(isKept ? '\nall promises kept' : '\nA PROMISE WAS BROKEN')
process.exitCode = isKept ? 0 : 1
