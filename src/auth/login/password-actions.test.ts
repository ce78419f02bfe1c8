import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { requireGoodPassword } from './password-actions.ts'

const words = ['ada.king@example.com', 'Ada Lovelace']

suite('as a password', () => {
  for (const [password, isTaken] of [
    ['12345678', false],
    ['PassWord1', false],
    ['passw0rd123', false],
    ['qwertyuiop', false],
    ['        ', false],
    ['💸💸💸💸💸💸💸💸', false],
    ['ada.king@example.com', false],
    ['ADA.KING@example.com', false],
    ['Lovelace1815', false],
    ['remit2026!', false],
    ['x'.repeat(200), false],
    ['aB1!'.repeat(50), false], // slow to score
    ['correct horse battery', true],
    ['Crème brûlée 🍮', true],
    ['vK7#pq!2Lw', true],
    ['пароль от сейфа деда', true],
  ] as const) {
    test(`${password.slice(0, 24)} is ${isTaken ? 'taken' : 'refused'}`, async () => {
      const judged = requireGoodPassword(password, words)
      if (isTaken) await judged
      else await assert.rejects(judged, { code: 'weak_password', message: /^The password is too easy to guess\./ })
    })
  }
})
