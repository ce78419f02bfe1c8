import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createHmacHex } from './hmac.ts'

test('is the HMAC-SHA-256 of RFC 4231', () => {
  assert.equal(
    createHmacHex(Buffer.alloc(20, 0x0b))('Hi There'),
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  )
  assert.equal(
    createHmacHex(Buffer.from('Jefe'))('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

test('of a text of any length and alphabet, after any other text, is what Node.js computes', () => {
  const key = randomBytes(32)
  const hmac = createHmacHex(key)
  const letters = ['a', 'é', '€', '😀', '\0', '\ud800']
  for (const length of [0, 1, 54, 55, 56, 63, 64, 65, 500, 999, 1_000, 1_001, 5_000]) {
    for (const letter of letters) {
      const text = letter.repeat(length).slice(0, length)
      assert.equal(hmac(text), createHmac('sha256', key).update(text).digest('hex'), `${length} of ${letter}`)
    }
  }
})
