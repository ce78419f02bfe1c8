import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  SERVICE_ROLE,
  startEmbeddedPostgres,
} from '#embedded-postgres'
import { connect, type Pool } from '../../src/foundation/db/connect.ts'
import { withDatabase } from '../../src/foundation/db/schema/create-database.ts'
import { migrate } from '../../src/foundation/db/schema/migrate.ts'
import { createLog } from '../../src/foundation/lib/log.ts'
import { copyKept, digestOf, keep } from './kept.ts'
import { partitionTables } from './partitioned.ts'
import { PLAIN_TEMPLATE, TEMPLATE } from './postgres.ts'

/**
 * Starts the PostgreSQL of a test run, with the template databases. Its data directory is a copy of one that an earlier run made from
 * the same migrations, SQL functions and settings.
 *
 * @param folder for the data directory
 */
export async function startTestServer(folder: string): Promise<EmbeddedPostgres> {
  const { TEST_POSTGRES } = process.env
  // A PostgreSQL other than the embedded one: the folder of its `bin`.
  const binaries = TEST_POSTGRES ? { folder: TEST_POSTGRES } : undefined
  const options = { dataDir: join(folder, 'data'), log: createLog('warn'), binaries }
  const name = `cluster-${await digestOf({ texts: [TEST_POSTGRES ?? ''], files: SOURCES })}`
  if (!(await copyKept(name, options.dataDir))) {
    await makeServer(options)
    await keep(name, options.dataDir)
  }
  return startEmbeddedPostgres(options)
}

/** The sources of the templates. */
const SOURCES = [
  'migrations/**',
  'package-lock.json',
  'packages/embedded-postgres/src/**',
  'src/**/sql/*.sql',
  'src/foundation/db/**/*.ts',
  'test/support/{partitioned,schema-dump,test-server}.ts',
]

/** The log of the server. */
export async function serverLogOf(folder: string): Promise<string> {
  const [path] = await Array.fromAsync(glob(join(folder, '**/server.log')))
  return path as string
}

async function makeServer(options: EmbeddedPostgresOptions): Promise<void> {
  const postgres = await startEmbeddedPostgres(options)
  const url = postgres.url('postgres')
  const sql = connect(url, { max: 1, applicationName: 'test run' })
  await configure(sql)
  for (const role of [url, postgres.serviceUrl('postgres')]) await signInFast(sql, role)
  await makeTemplates(sql, url)
  await sql.end({ timeout: 5 })
  await postgres.stop()
}

/** Tests need PostgreSQL's answers, not its durability. The crash tests start their own PostgreSQL. */
async function configure(sql: Pool): Promise<void> {
  await sql`alter system set fsync = off`
  await sql`alter system set full_page_writes = off` // databases are copied with checkpoints, which make every page new
  await sql`alter system set autovacuum = off` // it samples tables, and so changes plans, at any moment
  await sql`alter system set max_parallel_workers_per_gather = 0` // starting workers takes longer than these statements
  await sql`alter system set constraint_exclusion = off` // parses the checks of a partition each time it plans to read it
  await sql`alter system set max_connections = 300` // holds from the next start on
  await sql`select pg_reload_conf()`
  await sql`select set_config(name, '1', false) from pg_settings where name = 'scram_iterations'` // from PostgreSQL 16 on
}

/** A run opens thousands of connections. With the usual 4,096 rounds, signing in takes as long as a test. */
async function signInFast(sql: Pool, url: string): Promise<void> {
  const { username, password } = new URL(url)
  await sql.unsafe(`alter role "${username}" password '${password}'`)
}

async function makeTemplates(sql: Pool, url: string): Promise<void> {
  const role = { name: SERVICE_ROLE, environment: 'sandbox' } as const
  await sql`create database ${sql(PLAIN_TEMPLATE)}`
  await migrate(withDatabase(url, PLAIN_TEMPLATE), role)
  await sql`create database ${sql(TEMPLATE)} template ${sql(PLAIN_TEMPLATE)}`
  await partitionTables(withDatabase(url, TEMPLATE), role)
}
