import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '../../src/foundation/db/connect.ts'
import { createDatabaseIfMissing } from '../../src/foundation/db/schema/create-database.ts'
import type { Server } from '../support/database.ts'
import { startHelper } from '../support/helper.ts'
import { type Measurement, percentiles } from '../support/samples.ts'
import type { Subject } from '../support/stage.ts'
import type { SqlLoops } from './sql-loops.ts'

const run = promisify(execFile)

const CLIENTS = 32
export const SCALE = 20

/** TPC-B by pgbench or, if it is not installed, its five statements over postgres.js. */
export async function prepareTpcB(server: Server): Promise<Subject & { end(): Promise<void> }> {
  const url = server.url('tpcb')
  await createDatabaseIfMissing(url)
  await fillTables(url)
  const version = await pgbenchVersion()
  const settings = `prepared, ${CLIENTS} clients, scale ${SCALE}`
  if (version) {
    const measure = (seconds: number) => runPgbench(server, { url, seconds })
    return { name: 'tpcb', title: `TPC-B by ${version} (${settings})`, measure, end: async () => {} }
  }
  const loops = startHelper<SqlLoops>('yardsticks/sql-loops.ts')
  const measure = (seconds: number) => loops.call('tpcB', { databaseUrl: url, clients: CLIENTS, seconds, scale: SCALE })
  return { name: 'tpcb', title: `TPC-B over postgres.js (no pgbench here; ${settings})`, measure, end: loops.end }
}

async function pgbenchVersion(): Promise<string | null> {
  try {
    return `pgbench ${/\d+(\.\d+)?/.exec((await run('pgbench', ['--version'])).stdout)?.[0]}`
  } catch {
    return null
  }
}

/** The tables of `pgbench --initialize`. */
async function fillTables(url: string): Promise<void> {
  const sql = connect(url, { max: 1, applicationName: 'bench' })
  await sql`set statement_timeout = 0`
  await sql`create table pgbench_branches (bid int not null, bbalance int, filler char(88)) with (fillfactor = 100)`
  await sql`create table pgbench_tellers (tid int not null, bid int, tbalance int, filler char(84)) with (fillfactor = 100)`
  await sql`create table pgbench_accounts (aid int not null, bid int, abalance int, filler char(84)) with (fillfactor = 100)`
  await sql`create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22))`
  await sql`insert into pgbench_branches (bid, bbalance) select bid, 0 from generate_series(1, ${SCALE}::int) bid`
  await sql`insert into pgbench_tellers select tid, (tid - 1) / 10 + 1, 0 from generate_series(1, ${10 * SCALE}::int) tid`
  await sql`
    insert into pgbench_accounts
    select aid, (aid - 1) / 100000 + 1, 0, '' from generate_series(1, ${100_000 * SCALE}::int) aid
  `
  await sql`alter table pgbench_branches add primary key (bid)`
  await sql`alter table pgbench_tellers add primary key (tid)`
  await sql`alter table pgbench_accounts add primary key (aid)`
  await sql`vacuum analyze`
  await sql.end()
}

async function runPgbench(server: Server, { url, seconds }: { url: string; seconds: number }): Promise<Measurement> {
  const folder = await mkdtemp(join(server.folder, 'pgbench-'))
  try {
    const whole = Math.max(1, Math.round(seconds))
    const { stdout } = await run('pgbench', [
      ...['--protocol', 'prepared', '--client', String(CLIENTS), '--jobs', '2', '--time', String(whole)],
      ...['--scale', String(SCALE), '--no-vacuum', '--log', '--log-prefix', join(folder, 'log'), url],
    ])
    const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
    const latencies = await readLatencies(folder)
    return { count: latencies.length, seconds: whole, perSecond, ...percentiles(latencies) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Returns sorted latencies in milliseconds. The third field of a line is the transaction time in microseconds. */
async function readLatencies(folder: string): Promise<Float64Array> {
  const files = await readdir(folder)
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')))
  const lines = texts.flatMap((text) => text.trimEnd().split('\n'))
  return Float64Array.from(lines, (line) => Number(line.split(' ', 3)[2]) / 1000).sort()
}
