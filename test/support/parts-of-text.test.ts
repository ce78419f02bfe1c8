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

test('digits that stand by chance in an id are not found, but beside other digits they are', () => {
  const find = (text: string) => partsOfText(text, ['98765432'])
  for (const text of ['0198f1c2-0987-7654-8000-0a98765432bc', '0198765432af', '98765432-f1c2', 'a98765432'])
    assert.deepEqual(find(text), [], text)
  for (const text of ['98765432', 'account 98765432.', '6270210000219876543200', 'f 98765432', '"98765432"'])
    assert.deepEqual(find(text), ['98765432'], text)
})

test('a part of which only the beginning occurs, or that differs in one byte, is not found', () => {
  for (const secret of secrets) {
    assert.deepEqual(partsOfText(`${secret.slice(0, -1)} ${secret.slice(1)}`, [secret]), [], secret)
  }
})
