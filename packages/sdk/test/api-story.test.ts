import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { recordApiExamples } from '../../../test/support/api-story.ts'
import { apiDocument } from '../../../test/support/documented.ts'
import { createTestDatabase } from '../../../test/support/postgres.ts'
import { printResources } from '../printer/print-resources.ts'
import { resourceTable } from '../printer/resource-table.ts'
import { throughSdk } from './support/story-client.ts'

test('each operation of a running service returns the same answer to its method as to a request', async (t) => {
  const database = await createTestDatabase()
  t.after(database.drop)
  const met = new Set<string>()
  const examples = await recordApiExamples(database.url, throughSdk(met))
  const recorded = JSON.parse(await readFile(new URL('../../../docs/api-examples.json', import.meta.url), 'utf8'))
  assert.deepEqual([...met].sort(), Object.keys(recorded))
  for (const [operation, example] of Object.entries(examples))
    assert.deepEqual(withoutRealTime(example), withoutRealTime(recorded[operation]), operation)
})

test('an operation without a method is an error', () => {
  const { users: _users, ...others } = resourceTable
  assert.throws(
    () => printResources(apiDocument, others),
    /resource-table\.ts has no method for createUser, listUsers, /,
  )
  const withUnknown = { ...resourceTable, more: { about: '', methods: { get: 'getMore' } } }
  assert.throws(() => printResources(apiDocument, withUnknown), /unknown or repeated operations: getMore/)
})

/** A payment remembers when its Idempotency-Key was recorded. The recorded story sends no keys. */
const withoutRealTime = (example: unknown) =>
  JSON.parse(JSON.stringify(example, (name, member) => (name === 'real_time' ? undefined : member)))
