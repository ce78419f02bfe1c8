import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { StartProblem } from '../lib/start-problem.ts'
import { keyMark, newMasterKey, parseMasterKeys } from './seal.ts'

const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`

test('a sealed value is opened by the same ring and does not contain its plain text', () => {
  const ring = parseMasterKeys(newMasterKey())
  const sealed = ring.seal('123456789012', 'bank account')
  assert.equal(ring.openText(sealed, 'bank account'), '123456789012')
  assert.ok(!sealed.includes('123456789012'))
  assert.ok(!sealed.equals(ring.seal('123456789012', 'bank account')), 'equal texts are sealed differently')
  const bytes = randomBytes(1_000)
  assert.ok(ring.open(ring.seal(bytes, 'user signature'), 'user signature').equals(bytes))
})

test('a sealed value opens only for its purpose, with its key, and unchanged', () => {
  const ring = parseMasterKeys(entry('a'))
  const sealed = ring.seal('secret', 'user ssn')
  assert.throws(() => ring.open(sealed, 'user tax id'))
  assert.throws(() => parseMasterKeys(entry('a')).open(sealed, 'user ssn'))
  assert.throws(() => parseMasterKeys(entry('b')).open(sealed, 'user ssn'))
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    assert.throws(() => ring.open(changed, 'user ssn'), `byte ${index}`)
  }
  assert.throws(() => ring.open(sealed.subarray(0, -1), 'user ssn'))
})

test('after a rotation the new key seals and the previous key still opens', () => {
  const [old, young] = [entry('old'), entry('young')]
  const sealed = parseMasterKeys(old).seal('secret', 'webhook key')
  const ring = parseMasterKeys(`${young}, ${old}`)
  assert.deepEqual(ring.ids, ['young', 'old'])
  assert.equal(ring.openText(sealed, 'webhook key'), 'secret')
  assert.throws(() => parseMasterKeys(old).open(ring.seal('secret', 'webhook key'), 'webhook key'))
})

test('a digest is the same for equal texts of one purpose and key, and names its key', () => {
  const [old, young] = [entry('old'), entry('young')]
  const text = '021000021 123'
  const before = parseMasterKeys(old).digest(text, 'bank account', 'old')
  const ring = parseMasterKeys(`${young},${old}`)
  assert.ok(ring.digest(text, 'bank account', 'old').equals(before))
  assert.ok(!ring.digest(text, 'bank account', 'young').equals(before))
  assert.ok(!ring.digest('021000021 124', 'bank account', 'old').equals(before))
  assert.ok(!ring.digest(text, 'idempotency key', 'old').equals(before))
  assert.deepEqual(ring.digests(text, 'bank account')[1], before)
  assert.ok(before.subarray(0, 4).equals(keyMark('old')))
})

test('a digest matches with any key of the ring, and with no other', () => {
  const [old, young] = [entry('old'), entry('young')]
  const ring = parseMasterKeys(`${young},${old}`)
  const digest = ring.digest('a code', 'recovery code', 'old')
  assert.ok(ring.isDigestOf(digest, 'a code', 'recovery code'))
  assert.ok(!ring.isDigestOf(digest, 'another code', 'recovery code'))
  assert.ok(!ring.isDigestOf(digest, 'a code', 'verification code'))
  assert.ok(!parseMasterKeys(young).isDigestOf(digest, 'a code', 'recovery code'))
})

test('the hex digest is equal to the binary digest', () => {
  const ring = parseMasterKeys(`${entry('young')},${entry('old')}`)
  for (const id of ['young', 'old']) {
    const digest = ring.digest('a request', 'idempotency key', id)
    assert.equal(ring.digestHex('a request', 'idempotency key', id), digest.toString('hex'))
  }
  assert.throws(() => ring.digestHex('a request', 'idempotency key', 'unknown'), /no key unknown/)
})

test('an invalid ring is refused with the position of the entry, and never with a key', () => {
  const good = entry('good')
  const key = good.slice(5)
  for (const [text, message] of [
    ['', /entry 1/],
    ['good', /entry 1/],
    [`${good},`, /entry 2/],
    [`${good},bad:${key.slice(1)}`, /entry 2/],
    [`Good:${key}`, /entry 1/],
    [`a b:${key}`, /entry 1/],
    [`${'a'.repeat(17)}:${key}`, /entry 1/],
    [`${good},${good}`, /twice/],
  ] as const) {
    assert.throws(
      () => parseMasterKeys(text),
      (error: Error) =>
        error instanceof StartProblem && message.test(error.message) && !error.message.includes(key.slice(1, 20)),
      text,
    )
  }
})
