import { randomBytes } from 'node:crypto'
import { connect, type Pool } from '../../src/foundation/db/connect.ts'
import { databaseOfUrl, withDatabase } from '../../src/foundation/db/schema/create-database.ts'
import { LIMIT_MS } from './wait-until.ts'

/** The PostgreSQL server of this test run, see test/run.ts. */
export function testServerUrl(): string {
  const url = process.env.TEST_RUN_DATABASE_URL
  if (!url) throw new Error('run the tests with "npm test", or one file with "node test/run.ts FILE"')
  return url
}

/** On a busy machine, PostgreSQL can need longer for a connection than a service waits. */
export const patient = { connectTimeoutMs: LIMIT_MS, answerTimeoutMs: LIMIT_MS }

/** The URL of a database for its owner. Outside of a test run every URL belongs to the owner. */
export const ownerUrlOf = (url: string): string =>
  process.env.TEST_RUN_DATABASE_URL ? withDatabase(testServerUrl(), databaseOfUrl(url)) : url

/** The URL of a database of this run for the service role. */
export const serviceUrlOf = (url: string): string =>
  withDatabase(process.env.TEST_RUN_SERVICE_URL as string, databaseOfUrl(url))

/**
 * Runs statements that create or drop databases. PostgreSQL writes a checkpoint for them, which on a busy machine can take longer than
 * the time limit of a statement.
 */
export async function onServer(work: (server: Pool) => Promise<unknown>, url = testServerUrl()): Promise<void> {
  const server = connect(url, { max: 1, applicationName: 'test', ...patient })
  try {
    await server`set statement_timeout = 0`
    await work(server)
  } finally {
    await server.end({ timeout: 5 })
  }
}

/** Runs on the workers of a cluster, see test/citus.ts. */
async function onOtherNodes(work: (node: Pool) => Promise<unknown>): Promise<void> {
  const workers = (process.env.TEST_CITUS?.split(',') ?? []).slice(1)
  for (const url of workers) await onServer(work, withDatabase(url, 'postgres'))
}

/** The template databases. `TEST_PLAIN_TABLES` chooses the one with the tables as created by the migrations. */
export const TEMPLATE = 'remit_template'
export const PLAIN_TEMPLATE = 'remit_template_plain'

/** Creates an empty, migrated database. `url` is for the service role, which owns nothing. */
export async function createTestDatabase(
  template = process.env.TEST_PLAIN_TABLES ? PLAIN_TEMPLATE : TEMPLATE,
): Promise<{ url: string; ownerUrl: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await onOtherNodes((node) => node`create database ${node(name)} template ${node(TEMPLATE)}`)
  await onServer(async (server) => {
    await server`create database ${server(name)} template ${server(template)} strategy file_copy`
    await server`revoke temporary on database ${server(name)} from public` // rights on a database are not part of the template
  })
  const ownerUrl = withDatabase(testServerUrl(), name)
  return {
    url: serviceUrlOf(ownerUrl),
    ownerUrl,
    drop: async () => {
      await onServer((server) => server`drop database ${server(name)} with (force)`)
      await onOtherNodes((node) => node`drop database ${node(name)} with (force)`)
    },
  }
}
