import { connect } from '../src/foundation/db/connect.ts'
import type { Step, Work } from './cases/work.ts'
import type { WorkerProcess } from './cases/worker-process.ts'
import type { LoadMethods } from './load/load-process.ts'
import { cpuSeconds, familyOf } from './support/cpu.ts'
import { type Server, startServer } from './support/database.ts'
import { type Helper, startHelper } from './support/helper.ts'
import { describeMachine } from './support/machine.ts'
import { createProgress } from './support/progress.ts'
import { type Measurement, median } from './support/samples.ts'
import { type Installation, install, type RunningService, startService, withDatabase } from './support/service.ts'
import { type Counts, readCounts, readTableRows, type TableRows } from './support/statement-counts.ts'
import { figure, table } from './support/table.ts'
import { plainPayments } from './support/targets.ts'
import { makeWorld, type World } from './support/world.ts'

const DATABASE = 'work'
const OTHER_USERS = 200
const OTHER_CONNECTIONS = 64
const USUAL_SECONDS = 10
/** Latencies of other payments during the work are measured in rounds of this length. */
const ROUND_SECONDS = 5
const TIMEOUT_SECONDS = 3_600

type Options = { work: Work; count: number; perSecond: number | null }

type Run = Omit<Options, 'perSecond'> & {
  server: Server
  installation: Installation
  world: World
  worker: Helper<WorkerProcess>
  load: Helper<LoadMethods>
  say(text: string): void
}

/** Measures the work alone, and then together with other payments. Prints the tables. */
export async function runWork({ work, count, perSecond }: Options): Promise<void> {
  const { say, done } = createProgress()
  say('starting PostgreSQL')
  const server = await startServer(null, { countsStatements: true })
  const worker = startHelper<WorkerProcess>('cases/worker-process.ts')
  const load = startHelper<LoadMethods>('load/load-process.ts')
  try {
    const settings = { REQUESTS_PER_SECOND: '1000', REQUEST_BURST: '100000' }
    const installation = await install(server, {
      ...{ environment: 'production', database: DATABASE, settings },
      hasChecks: true,
    })
    const world = await withDatabase(installation, (deps) =>
      makeWorld(deps, { name: 'paying', userCount: work.userCount }),
    )
    const run: Run = { ...{ work, count, server, installation, world, worker, load }, say }
    const before = await readTableRows(server, DATABASE)
    const parts = await measureAlone(run)
    const after = await readTableRows(server, DATABASE)
    done()
    const { processor, cores, commit } = describeMachine(server.folder)
    console.log(`\n${processor}, ${cores} cores, commit ${commit}\n${count} payments: ${work.title}\n`)
    console.log([...partTable(parts, count), '', ...rowTable({ before, after, count })].join('\n'))
    if (perSecond === null) return
    const lines = await measureBeside(run, perSecond)
    done()
    console.log(['', ...lines].join('\n'))
  } finally {
    done()
    await Promise.all([worker.end(), load.end()])
    await server.stop()
  }
}

/** A part of the work. CPU is in seconds. */
type Part = { name: string; seconds: number; serviceCpu: number; workerCpu: number; postgresCpu: number } & Counts

/** Runs one part at a time, without other load. */
async function measureAlone(run: Run): Promise<Part[]> {
  const { work, count, installation, worker, say } = run
  const parts: Part[] = []
  const service = await startService(installation, { command: 'serve' })
  say(`${count} payments: accepted`)
  parts.push(await measurePart(run, ['accepted', () => sendPayments(run, service.url)], service))
  for (const [name, step] of work.steps(worker, installation)) {
    say(`${count} payments: ${name}`)
    parts.push(await measurePart(run, [name, step], null))
  }
  await verify(run, count)
  return parts
}

/** @param service a running service, which is stopped after the step, so that its sessions end */
async function measurePart({ server, worker }: Run, [name, step]: Step, service: RunningService | null): Promise<Part> {
  const readCpu = () => [service ? [service.pid] : [], [worker.pid], familyOf(server.pid)].map(cpuSeconds)
  const countsBefore = await readCounts(server, DATABASE)
  const cpuBefore = readCpu()
  const begin = performance.now()
  await step()
  const seconds = (performance.now() - begin) / 1000
  const [serviceCpu = 0, workerCpu = 0, postgresCpu = 0] = readCpu().map(
    (after, index) => after - (cpuBefore[index] ?? 0),
  )
  await service?.stop()
  const counts = await readCounts(server, DATABASE)
  return {
    ...{ name, seconds, serviceCpu, workerCpu, postgresCpu },
    statements: counts.statements - countsBefore.statements,
    rows: counts.rows - countsBefore.rows,
  }
}

/** Sends the requests that create the payments. As in production, the worker keeps the statistics of the tables up to date meanwhile. */
async function sendPayments({ work, world, count, load, worker, installation }: Run, url: string): Promise<void> {
  const targets = work.requests(world, count)
  const kept = worker.call('keepStatistics', installation)
  const { statuses } = await load.call('run', {
    ...{ url, targets, connections: work.connections, hasIdempotencyKeys: true },
    ...{ seconds: TIMEOUT_SECONDS, leadInSeconds: 0, maxRequests: targets.length },
  })
  await worker.call('endStatistics')
  await kept
  if (statuses[201] !== targets.length) {
    throw new Error(`${targets.length} requests, answers ${JSON.stringify(statuses)}`)
  }
}

/** @throws Error unless this number of payments has reached the end of the work, and the ledger has no errors */
async function verify({ work, worker, installation }: Run, count: number): Promise<void> {
  const found = await worker.call('count', { installation, status: work.ends })
  if (found !== count) throw new Error(`${found} of ${count} payments are ${work.ends}`)
  await worker.call('verify', installation)
}

/** The latency of other payments, without the work and during each part of it. */
async function measureBeside(run: Run, perSecond: number): Promise<string[]> {
  const { work, count, server, installation, worker, say } = run
  const world = await withDatabase(installation, (deps) => makeWorld(deps, { name: 'other', userCount: OTHER_USERS }))
  const service = await startService(installation, { command: 'serve' })
  const others = startHelper<LoadMethods>('load/load-process.ts')
  await checkpoint(server)
  const round = async (seconds: number): Promise<Measurement> => {
    const { measured, statuses } = await others.call('run', {
      ...{ url: service.url, targets: plainPayments(world), connections: OTHER_CONNECTIONS, hasIdempotencyKeys: true },
      ...{ seconds, leadInSeconds: 0, perSecond },
    })
    const isBad = Object.keys(statuses).some((status) => status !== '201')
    if (isBad) throw new Error(`other payments, answers ${JSON.stringify(statuses)}`)
    return measured
  }
  say('other payments, without the work')
  await round(ROUND_SECONDS) // warms up
  const rows = [latencyRow('nothing', [await round(USUAL_SECONDS)])]
  const steps: Step[] = [['accepted', () => sendPayments(run, service.url)], ...work.steps(worker, installation)]
  for (const [name, step] of steps) {
    say(`${perSecond} other payments a second, and ${count} payments: ${name}`)
    const work = step()
    const rounds = await roundsUntil(work, () => round(ROUND_SECONDS))
    await work
    rows.push(latencyRow(name, rounds))
  }
  await Promise.all([service.stop(), others.end()])
  return table([`${perSecond} other payments a second, during`, 'number', 'p50 ms', 'p99 ms', 'worst p99'], rows)
}

/** Writes a checkpoint, as PostgreSQL does every 15 minutes. From then on, it uses old WAL files again instead of creating new ones. */
async function checkpoint(server: Server): Promise<void> {
  const admin = connect(server.url('postgres'), { max: 1, applicationName: 'bench' })
  try {
    await admin.unsafe('checkpoint')
  } finally {
    await admin.end()
  }
}

async function roundsUntil(work: Promise<unknown>, round: () => Promise<Measurement>): Promise<Measurement[]> {
  let isDone = false
  const note = () => {
    isDone = true
  }
  work.then(note, note)
  const rounds: Measurement[] = []
  do rounds.push(await round())
  while (!isDone)
  return rounds
}

/** The median and the worst of the rounds. */
const latencyRow = (name: string, rounds: readonly Measurement[]): string[] => [
  name,
  String(rounds.reduce((sum, { count }) => sum + count, 0)),
  figure(median(rounds.map(({ p50 }) => p50))),
  figure(median(rounds.map(({ p99 }) => p99))),
  figure(Math.max(...rounds.map(({ p99 }) => p99))),
]

function partTable(parts: readonly Part[], count: number): string[] {
  const sum = (key: Exclude<keyof Part, 'name'>) => parts.reduce((total, part) => total + part[key], 0)
  const total: Part = {
    name: 'in all',
    seconds: sum('seconds'),
    ...{ serviceCpu: sum('serviceCpu'), workerCpu: sum('workerCpu'), postgresCpu: sum('postgresCpu') },
    ...{ statements: sum('statements'), rows: sum('rows') },
  }
  const ofOne = (seconds: number) => figure((seconds / count) * 1e6)
  const rows = [...parts, total].map((part) => [
    part.name,
    figure(part.seconds),
    ...[part.serviceCpu, part.workerCpu, part.postgresCpu].map(ofOne),
    figure(part.statements / count),
    figure(part.rows / count),
  ])
  return table(['', 'seconds', 'service, µs', 'worker, µs', 'PostgreSQL, µs', 'statements', 'rows'], rows)
}

/** The rows of each table for a payment. Tables with less than a row for a hundred payments are left out. */
function rowTable({ before, after, count }: { before: TableRows[]; after: TableRows[]; count: number }): string[] {
  const earlier = new Map(before.map((row) => [row.table, row]))
  const keys = ['inserted', 'updated', 'inPlace', 'deleted'] as const
  const rows = after.flatMap((row) => {
    const ofOne = keys.map((key) => (row[key] - (earlier.get(row.table)?.[key] ?? 0)) / count)
    return ofOne.some((number) => number >= 0.01) ? [[row.table, ...ofOne.map(figure)]] : []
  })
  return table(['rows of a payment', 'inserted', 'updated', 'of these in place', 'deleted'], rows)
}
