import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordProblem } from './password-rules.ts'

const email = 'ada@example.com'

for (const [password, isGood] of [
  ['1234567', false],
  ['💸💸💸💸💸💸💸', false], // seven characters
  ['💸💸💸💸💸💸💸💸', true],
  ['x'.repeat(200), true],
  ['x'.repeat(201), false],
  ['12345678', false],
  ['PassWord1', false],
  ['ADA@example.com', false],
  ['ada@example.org', true],
  ['        ', true],
] as const) {
  test(`${password.slice(0, 20)} is ${isGood ? 'taken' : 'refused'} as a password`, () => {
    assert.equal(passwordProblem({ password, email }) === null, isGood)
  })
}
