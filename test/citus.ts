import { spawn } from 'node:child_process'
import { appendFile, glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVICE_ROLE } from '#embedded-postgres'
import { connect } from '../src/foundation/db/connect.ts'
import { withDatabase } from '../src/foundation/db/schema/create-database.ts'
import { distributeTables } from '../src/foundation/db/schema/distribute.ts'
import { migrate } from '../src/foundation/db/schema/migrate.ts'
import type { ServiceRole } from '../src/foundation/db/schema/service-role.ts'
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

/**
 * Files that start their own PostgreSQL or concern one server: partitions, plans, plain payments, a copy of one
 * database, files of the project. `test/citus-recovery.ts` restores a cluster.
 */
const OF_ONE_SERVER = [
  'access-matrix', // its triggers write into one table
  'architecture',
  'cluster',
  'database-failover',
  'database-tls',
  'generated',
  'hot-queries',
  'migrate',
  'plain-payments',
  'references',
  'restore',
  'service-role',
  'upgrade',
]

/**
 * Tests that are expected to fail on a cluster, with the reason. The run fails if another test fails or one of these
 * passes.
 *
 * @property canPass whether the result depends on the nodes of the platforms
 */
const DIFFERENT: readonly { file: string; name: string; reason: string; canPass?: true }[] = [
  {
    file: 'test/other-platform.test.ts',
    name: 'a transaction that writes rows of two platforms fails here',
    reason: 'a trigger of this test counts the platforms of a transaction on one server, and a cluster has several',
    canPass: true, // if both platforms are on one worker
  },
  {
    file: 'test/audit-chain.test.ts',
    name: 'an attacker who moves an entry to another platform is found at the first entry that does not match',
    reason: 'Citus does not allow changing the platform of a row',
  },
  {
    file: 'src/foundation/db/schema/table-statistics.test.ts',
    name: 'a table is analyzed when it is several times as large as before, by the service role',
    reason: 'a service on a cluster leaves this to autovacuum',
    canPass: true, // it passes at times
  },
  {
    file: 'test/commit-together.test.ts',
    name: 'an error in a group names the constraint that was violated, and the place of its payment where it is known',
    reason:
      'Citus passes on neither the table nor the constraint of an error, and of rows that it copies not even the code',
  },
  ...[
    'recording attempts reads no other due deliveries, even if the statistics show none',
    'each statement looks at little more than it is about, and reads no table from end to end',
  ].map((name) => ({
    file: 'test/webhook-engine.test.ts',
    name,
    reason: 'the test counts the rows that one server reads',
  })),
]

async function testFiles(): Promise<string[]> {
  const files = await Array.fromAsync(glob('test/*.test.ts'))
  const ofBoth = files.filter((file) => !OF_ONE_SERVER.some((name) => file === `test/${name}.test.ts`))
  return [...ofBoth.sort(), 'test/citus-delegation.ts']
}

async function makeTemplate(): Promise<void> {
  for (const server of servers) {
    await dropTemplate(server)
    // Some tests make writes fail with triggers on platform tables.
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
// The time limit for a test, and for the whole run. A statement takes several times as long as on one server.
const { TEST_TIMEOUT_MS = String(4 * 3_600_000) } = process.env
const failuresFile = join(folder, 'failures')
const options = [
  '--test',
  '--test-concurrency=2',
  `--test-timeout=${TEST_TIMEOUT_MS}`,
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  `--test-reporter=${join(import.meta.dirname, 'support/failures-reporter.ts')}`,
  `--test-reporter-destination=${failuresFile}`,
]
const files = named.length > 0 ? named : await testFiles()
const child = spawn(process.execPath, [...options, ...files], {
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
const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? 1)))
process.exitCode = code === 0 || code === 1 ? await compareFailures() : code
await rm(folder, { recursive: true, force: true })

/** @returns 0 if exactly the tests of `DIFFERENT` in the files of this run failed */
async function compareFailures(): Promise<number> {
  const lines = (await readFile(failuresFile, 'utf8')).split('\n').filter(Boolean)
  const failed = lines.map((line) => JSON.parse(line) as { file: string; name: string })
  const isSame = (one: { file: string; name: string }, other: { file: string; name: string }) =>
    one.file === other.file && one.name === other.name
  const expected = DIFFERENT.filter(({ file }) => files.includes(file))
  const unexpected = failed.filter((one) => !expected.some((other) => isSame(one, other)))
  const passed = expected.filter((one) => !one.canPass && !failed.some((other) => isSame(one, other)))
  console.log(`${failed.length - unexpected.length} tests failed as on every cluster`)
  for (const { file, name } of unexpected) console.log(`  failed: ${file}: ${name}`)
  for (const { file, name } of passed) console.log(`  passed, although it is listed as different: ${file}: ${name}`)
  return unexpected.length + passed.length > 0 ? 1 : 0
}
