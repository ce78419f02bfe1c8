import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isId, newId, newKey, newSecret, systemRandom } from './ids.ts'

const at = (time: string) => ({ clock: { now: () => new Date(time) }, random: systemRandom })
const countingRandom = (first: number) => ({
  bytes: (length: number) => Buffer.from(Array.from({ length }, (_, index) => (first + index) % 256)),
})

test('an id is a UUID version 7 as 32 lower-case hex digits: the time first, then random bits', () => {
  const id = newId(at('2026-03-02T15:00:00.000Z'))
  assert.match(id, /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
  assert.equal(Number.parseInt(id.slice(0, 12), 16), Date.parse('2026-03-02T15:00:00.000Z'))
})

test('later ids sort later, and ids of one millisecond differ', () => {
  const ids = ['2026-03-02T15:00:00.000Z', '2026-03-02T15:00:00.001Z', '2099-01-01T00:00:00.000Z'].map((time) =>
    newId(at(time)),
  )
  assert.deepEqual(ids.toSorted(), ids)
  const many = Array.from({ length: 1_000 }, () => newId(at('2026-03-02T15:00:00.000Z')))
  assert.equal(new Set(many).size, many.length)
  const standing = at('2026-03-02T15:00:00.000Z')
  const inOrder = Array.from({ length: 10_000 }, () => newId(standing))
  assert.ok(inOrder.every((id, index) => id > (inOrder[index - 1] ?? '')))
})

test('a key has 32 hex digits, and a secret has 40 uniformly distributed letters and digits', () => {
  assert.match(newKey({ random: systemRandom }), /^[0-9a-f]{32}$/)
  assert.match(newSecret({ random: systemRandom }), /^[A-Za-z0-9]{40}$/)
  // Bytes 240 to 247 map to the characters `2` to `9`. Bytes from 248 are skipped, and then bytes 0 and 1 follow.
  assert.equal(newSecret({ random: countingRandom(240) }).slice(0, 10), '23456789AB')
})

test('only 32 lower-case hex digits form an id', () => {
  assert.ok(isId('0123456789abcdef0123456789abcdef'))
  for (const text of ['', '0'.repeat(31), '0'.repeat(33), 'A'.repeat(32), 'g'.repeat(32), `${'0'.repeat(32)}\n`]) {
    assert.ok(!isId(text), JSON.stringify(text))
  }
})
