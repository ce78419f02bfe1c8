import { randomBytes } from 'node:crypto'
import { connect } from '../../src/db/connect.ts'
import { withDatabase } from '../../src/db/create-database.ts'

/** The PostgreSQL of this test run, see test/run.ts. */
export function testServerUrl(): string {
  const url = process.env.TEST_RUN_DATABASE_URL
  if (!url) throw new Error('run the tests with "npm test", or one file with "node test/run.ts FILE"')
  return url
}

export const TEMPLATE = 'remit_template'

/** Makes an empty, migrated database. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = connect(testServerUrl(), { max: 1, applicationName: 'test' })
  await server`create database ${server(name)} template ${server(TEMPLATE)} strategy file_copy`
  await server.end({ timeout: 5 })
  return {
    url: withDatabase(testServerUrl(), name),
    drop: async () => {
      const admin = connect(testServerUrl(), { max: 1, applicationName: 'test' })
      await admin`drop database ${admin(name)} with (force)`
      await admin.end({ timeout: 5 })
    },
  }
}
