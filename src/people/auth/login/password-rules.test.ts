import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lengthProblem, scoringInput } from './password-rules.ts'

for (const [password, isLongEnough] of [
  ['1234567', false],
  ['12345678', true],
  ['💸💸💸💸💸💸💸', false], // seven characters in fourteen UTF-16 units
  ['💸💸💸💸💸💸💸💸', true],
  ['x'.repeat(200), true],
  ['x'.repeat(201), false],
] as const) {
  test(`${password.slice(0, 20)} ${isLongEnough ? 'has' : 'does not have'} the length of a password`, () => {
    assert.equal(lengthProblem(password) === null, isLongEnough)
  })
}

test('a password is scored against the words of its owner, whole and in parts, up to 64 characters', () => {
  const { password, words } = scoringInput({
    password: '💸'.repeat(200),
    words: ['Ada.King@Example.com', 'Ada Lovelace', ''],
  })
  assert.equal(password, '💸'.repeat(64))
  const [whole, name, parts] = ['ada.king@example.com', 'ada lovelace', ['ada', 'king', 'example', 'com', 'lovelace']]
  assert.deepEqual(words.toSorted(), [whole, name, ...parts, 'remit', 'sandbox', 'payments'].sort())
  assert.ok(scoringInput({ password: 'x', words: ['a b c '.repeat(1_000), 'abc '.repeat(1_000)] }).words.length <= 40)
})
