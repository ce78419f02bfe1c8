import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTestDatabase } from '../../../../test/support/postgres.ts'
import { connect } from '../connect.ts'
import { arrayText } from './array-types.ts'
import { columnTypes } from './column-types.ts'

test('a value written as an array is read back unchanged', () => {
  const parse = columnTypes.getTypeParser(1009 as never)
  const values = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('NULL', 'null', '{}', '"', '\\', '')))
  fc.assert(fc.property(values, (members) => assert.deepEqual(parse(arrayText(members)), members)))
})

test('PostgreSQL reads and writes arrays in the same format', async (t) => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { max: 1, applicationName: 'test' })
  t.after(async () => {
    await sql.end({ timeout: 5 })
    await database.drop()
  })
  const texts = ['a', '', 'NULL', 'b c', 'x,y', '{}', '"quoted"', 'back\\slash', 'new\nline', 'é', null]
  const id = '0123456789abcdef0123456789abcdef'
  const at = new Date('2026-03-02T15:00:00.123Z')
  const [row] = await sql`
    select
      ${texts as string[]}::text[] as texts, ${[id]}::uuid[] as ids, ${[at.toISOString()]}::timestamptz[] as times,
      array[1, null, -3] as numbers, '{}'::text[] as none, 'b' = any (${['a', 'b']}) as found
  `
  assert.deepEqual(row, { texts, ids: [id], times: [at], numbers: [1, null, -3], none: [], found: true })
})

test('a JSON array is never sent as a PostgreSQL array', async (t) => {
  const database = await createTestDatabase()
  const sql = connect(database.url, { max: 1, applicationName: 'test' })
  t.after(async () => {
    await sql.end({ timeout: 5 })
    await database.drop()
  })
  const value = [{ a: 1 }, ['b', null], 'c']
  const [row] = await sql`select ${sql.json(value)} as value, ${sql.json([])} as none, ${sql.json(null)} as nothing`
  assert.deepEqual(row, { value, none: [], nothing: null })
  assert.throws(() => sql`select ${[{ a: 1 }] as never}`, /Use sql\.json/)
  assert.throws(() => sql`select ${{ a: 1 } as never}`, /Use sql\.json/)
  assert.throws(() => sql`select ${undefined}`, /undefined/)
})
