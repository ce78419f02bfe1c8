import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { generatedFiles } from './support/generated.ts'
import { createTestDatabase } from './support/postgres.ts'

for (const [path, make] of Object.entries(generatedFiles)) {
  test(`${path} matches the output of "npm run generate"`, async (t) => {
    const database = await createTestDatabase()
    t.after(database.drop)
    const written = await readFile(new URL(`../${path}`, import.meta.url), 'utf8')
    assert.equal(written, await make(database.url))
  })
}
