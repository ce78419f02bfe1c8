import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import { connect } from './connect.ts'
import { databaseOfUrl } from './schema/create-database.ts'

test('PostgreSQL compiles no statement of a session, also where it does by default', async (t) => {
  const database = await createTestDatabase()
  const admin = connect(database.ownerUrl, { max: 1, applicationName: 'admin' })
  await admin`alter database ${admin(databaseOfUrl(database.ownerUrl))} set jit = on`
  const sql = connect(database.ownerUrl, { max: 1, applicationName: 'test', usesIndexes: true })
  t.after(async () => {
    for (const pool of [sql, admin]) await pool.end({ timeout: 1 })
    await database.drop()
  })
  const [row] = await sql<{ jit: string }[]>`select current_setting('jit') as jit`
  assert.equal(row?.jit, 'off')
})
