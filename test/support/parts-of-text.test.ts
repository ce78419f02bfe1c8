import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { partsOfText } from './parts-of-text.ts'

const secrets = Array.from({ length: 1_000 }, (_, index) => randomBytes(4 + (index % 40)).toString('base64'))

test('each part is found at the beginning, the end and in the middle of a text, and beside another one', () => {
  for (const secret of secrets) {
    const text = `${'the log '.repeat(3)}${secret}${'é line\n'.repeat(3)}`
    assert.deepEqual(partsOfText(text, secrets), [secret])
    assert.deepEqual(partsOfText(secret, secrets), [secret])
  }
  assert.deepEqual(partsOfText(secrets.join(''), secrets).sort(), secrets.toSorted())
})

test('parts with the same end are distinguished, and one may contain the other', () => {
  assert.deepEqual(partsOfText('a key-secret', ['y-secret', 'another-secret', 'secret']), ['y-secret', 'secret'])
  assert.deepEqual(partsOfText('secret', ['a-secret']), [])
})

test('a part of which only the beginning occurs, or that differs in one byte, is not found', () => {
  for (const secret of secrets) {
    assert.deepEqual(partsOfText(`${secret.slice(0, -1)} ${secret.slice(1)}`, [secret]), [], secret)
  }
})
