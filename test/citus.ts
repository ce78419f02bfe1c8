import { spawn } from 'node:child_process'
import { appendFile, glob, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICE_ROLE } from '#embedded-postgres'
import { connect } from '../src/db/connect.ts'
import { withDatabase } from '../src/db/schema/create-database.ts'
import { distributeTables } from '../src/db/schema/distribute.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import type { ServiceRole } from '../src/db/schema/service-role.ts'
import { findChromium } from './support/chromium.ts'
import { TEMPLATE } from './support/postgres.ts'

// Runs all tests, or the files named, on a real Citus. TEST_CITUS has the URLs of its servers for a superuser, the coordinator first,
// separated by commas. Databases are copied from a template, which each server has.

const servers = (process.env.TEST_CITUS ?? '').split(',').filter(Boolean)
if (servers.length < 2)
  throw new Error('TEST_CITUS must have the URLs of a coordinator and its workers, with commas between them')
const PASSWORD = 'service'
const folder = await mkdtemp(join(tmpdir(), 'remit-citus-'))

async function run(url: string, ...statements: string[]): Promise<void> {
  const sql = connect(url, { max: 1, applicationName: 'test run' })
  try {
    for (const statement of statements) await sql.unsafe(statement)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Files that start their own PostgreSQL, or are about one server: partitions, plans, files of the project. */
const OF_ONE_SERVER = [
  'adopt-migrations',
  'architecture',
  'cluster',
  'database-failover',
  'database-tls',
  'generated',
  'hot-queries',
  'migrate',
  'references',
  'service-role',
  'upgrade',
]

async function testFiles(): Promise<string[]> {
  const files = await Array.fromAsync(glob('test/*.test.ts'))
  const ofBoth = files.filter((file) => !OF_ONE_SERVER.some((name) => file === `test/${name}.test.ts`))
  return [...ofBoth.sort(), 'test/citus-delegation.ts']
}

async function makeTemplate(): Promise<void> {
  for (const server of servers) {
    await dropTemplate(server)
    // Tests make some writes fail with triggers on tables of platforms.
    await run(server, 'alter system set citus.enable_unsafe_triggers = on', 'select pg_reload_conf()')
    await run(withDatabase(server, 'postgres'), `create database ${TEMPLATE}`)
    await createServiceRole(server)
    await run(withDatabase(server, TEMPLATE), 'create extension citus')
  }
  const [coordinator, ...workers] = servers.map((server) => withDatabase(server, TEMPLATE)) as [string, ...string[]]
  await run(
    coordinator,
    `alter database ${TEMPLATE} set citus.shard_count = 4`,
    `select citus_set_coordinator_host(${addressOf(coordinator)})`,
    ...workers.map((worker) => `select citus_add_node(${addressOf(worker)})`),
  )
  const role: ServiceRole = { name: SERVICE_ROLE, environment: 'sandbox' }
  await migrate(coordinator, role)
  await distributeTables(coordinator, role)
  // A database with connections cannot be copied. Citus keeps one to each of its databases.
  for (const server of servers) {
    await run(
      withDatabase(server, 'postgres'),
      `alter database ${TEMPLATE} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${TEMPLATE}'`,
    )
  }
}

const addressOf = (url: string): string => `'${new URL(url).hostname}', ${new URL(url).port}`

async function dropTemplate(server: string): Promise<void> {
  const sql = connect(withDatabase(server, 'postgres'), { max: 1, applicationName: 'test run' })
  const [known] = await sql`select from pg_database where datname = ${TEMPLATE}`
  await sql.end({ timeout: 5 })
  if (known) await run(withDatabase(server, 'postgres'), `drop database ${TEMPLATE} with (force)`)
}

async function createServiceRole(server: string): Promise<void> {
  const sql = connect(withDatabase(server, 'postgres'), { max: 1, applicationName: 'test run' })
  const [known] = await sql`select from pg_roles where rolname = ${SERVICE_ROLE}`
  if (!known) await sql.unsafe(`create role ${SERVICE_ROLE} login password '${PASSWORD}'`)
  await sql.end({ timeout: 5 })
}

await makeTemplate()
const [coordinator] = servers as [string]
const service = new URL(withDatabase(coordinator, 'postgres'))
service.username = SERVICE_ROLE
service.password = PASSWORD
for (const name of ['log', 'secrets', 'server-log']) await appendFile(join(folder, name), '')
const named = process.argv.slice(2)
// For a test, and for all tests of a file. A statement takes several times as long as on one server.
const { TEST_TIMEOUT_MS = '3600000' } = process.env
const options = ['--test', '--test-concurrency=2', `--test-timeout=${TEST_TIMEOUT_MS}`]
const child = spawn(process.execPath, [...options, ...(named.length > 0 ? named : await testFiles())], {
  stdio: 'inherit',
  env: {
    ...process.env,
    TEST_RUN_DATABASE_URL: withDatabase(coordinator, 'postgres'),
    TEST_RUN_SERVICE_URL: service.href,
    TEST_RUN_LOG: process.env.TEST_RUN_LOG ?? join(folder, 'log'),
    TEST_RUN_SECRETS: join(folder, 'secrets'),
    TEST_RUN_SERVER_LOG: join(folder, 'server-log'),
    ...(await findChromium(folder)),
  },
})
child.on('close', (code) => void rm(folder, { recursive: true, force: true }).then(() => process.exit(code ?? 1)))
