import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../src/foundation/db/connect.ts'
import { withDatabase as databaseUrl } from '../src/foundation/db/schema/create-database.ts'
import { distributeTables } from '../src/foundation/db/schema/distribute.ts'
import type { Target } from './load/load-job.ts'
import type { LoadMethods } from './load/load-process.ts'
import { familyOf } from './support/cpu.ts'
import type { Server } from './support/database.ts'
import { type Helper, startHelper } from './support/helper.ts'
import { describeMachine } from './support/machine.ts'
import { type Watched, withCpu } from './support/measure.ts'
import { createProgress } from './support/progress.ts'
import { type SubjectResult, subjectTable } from './support/results.ts'
import type { Measurement } from './support/samples.ts'
import { install, type RunningService, startService, withDatabase } from './support/service.ts'
import { plainPayments } from './support/targets.ts'
import { makeWorld, type World } from './support/world.ts'

type Options = { seconds: number; runs: number; connections: number; platforms: number }
type Running = { name: string; title: string; service: RunningService; targets: Target[]; watched: Watched }

const ROLE = 'remit_bench'
const PASSWORD = 'bench'
const USERS_PER_PLATFORM = 50
const LEAD_IN_SECONDS = 1
/** The number of shards: enough for a shard for each platform, and few enough to create the databases within a minute. */
const SHARDS = 8

/** Measures plain PostgreSQL, one worker and all workers in turn, prints the table and writes it to `results/cluster.json`. */
export async function runClusterBench(servers: readonly string[], options: Options): Promise<void> {
  const progress = createProgress()
  const folder = await mkdtemp(join(tmpdir(), 'remit-bench-'))
  const load = startHelper<LoadMethods>('load/load-process.ts')
  const running: Running[] = []
  try {
    for (const workerCount of [...new Set([0, 1, servers.length - 1])]) {
      progress.say(`creating the database with ${workerCount} workers`)
      running.push(await start(servers, { workerCount, folder, options }))
    }
    const subjects = await measureInTurn(running, { load, options, say: progress.say })
    const results = { takenAt: new Date().toISOString(), machine: describeMachine(folder), options, subjects }
    const path = new URL('./results/', import.meta.url)
    await mkdir(path, { recursive: true })
    await writeFile(new URL('cluster.json', path), `${JSON.stringify(results, null, 1)}\n`)
    progress.done()
    console.log(['', ...subjectTable(subjects)].join('\n'))
  } finally {
    await load.end()
    await Promise.all(running.map(({ service }) => service.stop()))
    for (const { name } of running) await dropDatabase(servers, name)
    await rm(folder, { recursive: true, force: true })
  }
}

type Given = { workerCount: number; folder: string; options: Options }

/** A database whose tenant tables are on the given number of workers, and the service that uses it. */
async function start(servers: readonly string[], { workerCount, folder, options }: Given): Promise<Running> {
  const name = `bench_cluster_${workerCount}`
  await makeDatabase(servers, { name, workerCount })
  const installation = await install(serverOf(servers, folder), { environment: 'production', database: name })
  if (workerCount > 0) await distributeTables(installation.databaseUrl, { name: ROLE, environment: 'production' })
  const worlds = await withDatabase(installation, async (deps) => {
    const made: World[] = []
    for (let index = 0; index < options.platforms; index++) {
      made.push(await makeWorld(deps, { name: `platform-${index}`, userCount: USERS_PER_PLATFORM }))
    }
    return made
  })
  const title = workerCount === 0 ? 'plain PostgreSQL' : `Citus, ${workerCount} worker${workerCount === 1 ? '' : 's'}`
  const service = await startService(installation)
  const pids = await serverPids(servers.slice(0, 1 + workerCount))
  const watched = {
    service: () => [service.pid],
    coordinator: () => pids.slice(0, 1).flatMap(familyOf),
    workers: () => pids.slice(1).flatMap(familyOf),
  }
  return { name, title, service, targets: worlds.flatMap(plainPayments), watched }
}

/** The process ids of the servers. They say nothing if a server runs on another machine. */
async function serverPids(servers: readonly string[]): Promise<number[]> {
  const pids: number[] = []
  for (const server of servers) {
    const sql = connect(server, { max: 1, applicationName: 'bench' })
    const [file] = await sql<{ content: string }[]>`select pg_read_file('postmaster.pid') as content`
    await sql.end({ timeout: 5 })
    pids.push(Number.parseInt(file?.content ?? '', 10))
  }
  return pids
}

/** The coordinator, in the form that the helpers of the other benchmarks expect. */
function serverOf([coordinator]: readonly string[], folder: string): Server {
  const url = (database: string) => databaseUrl(coordinator as string, database)
  const serviceUrl = (database: string) => {
    const result = new URL(url(database))
    result.username = ROLE
    result.password = PASSWORD
    return result.href
  }
  return { folder, url, serviceUrl, pid: 0, settings: {}, stop: async () => {} }
}

async function makeDatabase(servers: readonly string[], { name, workerCount }: { name: string; workerCount: number }) {
  await dropDatabase(servers, name)
  for (const server of servers.slice(0, 1 + workerCount)) {
    await run(server, makeRole, `create database ${name}`)
    if (workerCount > 0) await run(databaseUrl(server, name), 'create extension citus')
  }
  if (workerCount === 0) return
  const [coordinator, ...workers] = servers.slice(0, 1 + workerCount) as [string, ...string[]]
  await run(
    databaseUrl(coordinator, name),
    `alter database ${name} set citus.shard_count = ${SHARDS}`,
    `select citus_set_coordinator_host(${addressOf(coordinator)})`,
    ...workers.map((worker) => `select citus_add_node(${addressOf(worker)})`),
  )
}

const makeRole = `
  do $$
  begin
    create role ${ROLE} login password '${PASSWORD}';
  exception
    when duplicate_object then null;
  end $$
`

const addressOf = (url: string): string => `'${new URL(url).hostname}', ${new URL(url).port || 5432}`

async function dropDatabase(servers: readonly string[], name: string): Promise<void> {
  for (const server of servers) await run(server, `drop database if exists ${name} with (force)`)
}

async function run(url: string, ...statements: string[]): Promise<void> {
  const sql = connect(url, { max: 1, applicationName: 'bench' })
  try {
    await sql`set statement_timeout = 0`
    for (const statement of statements) await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

type Turns = { load: Helper<LoadMethods>; options: Options; say(text: string): void }

/** The first round is a warm-up. */
async function measureInTurn(running: readonly Running[], { load, options, say }: Turns): Promise<SubjectResult[]> {
  const measured = running.map(({ name, title }): SubjectResult => ({ name, title, runs: [] }))
  for (let turn = 0; turn <= options.runs; turn++) {
    for (const [place, subject] of running.entries()) {
      say(`run ${turn} of ${options.runs}: ${subject.title}`)
      const measurement = await measure(subject, { load, options })
      if (turn > 0) measured[place]?.runs.push(measurement)
    }
  }
  return measured
}

async function measure(
  { service, targets, watched }: Running,
  { load, options }: Omit<Turns, 'say'>,
): Promise<Measurement> {
  const { seconds, connections } = options
  const job = {
    url: service.url,
    targets,
    connections,
    hasIdempotencyKeys: true,
    seconds,
    leadInSeconds: LEAD_IN_SECONDS,
  }
  return withCpu(watched, async () => {
    const { measured, statuses } = await load.call('run', job)
    const bad = Object.entries(statuses).filter(([status]) => !/^2/.test(status))
    if (bad.length > 0)
      throw new Error(`the service answered ${bad.map(([status, n]) => `${n} × ${status}`).join(', ')}`)
    return measured
  })
}
