import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { apiErrors } from '../src/foundation/core/errors.ts'

const project = join(import.meta.dirname, '..')

test('every error code is asserted by some test', async () => {
  const files = await Array.fromAsync(glob(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: project }))
  const others = files.filter((file) => basename(file) !== basename(import.meta.filename))
  const texts = await Promise.all(others.map((file) => readFile(join(project, file), 'utf8')))
  const untested = Object.keys(apiErrors).filter((code) => !texts.some((text) => text.includes(`'${code}'`)))
  assert.deepEqual(untested, [])
})

test('codes are snake_case, messages are sentences, statuses are those of specification.md 1.8', () => {
  for (const [code, [status, message]] of Object.entries(apiErrors)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/)
    assert.match(message, /^[\p{Lu}a-z].*[.a-z]$/u, code)
    assert.ok([400, 401, 403, 404, 405, 408, 409, 413, 415, 421, 422, 429, 431, 500, 503].includes(status), code)
  }
})
