import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAmount, isMicroDeposit, parseAmount, parseMicroDeposit } from '../web/src/form/form-rules.ts'

// Amounts that people type into the forms of the dashboard.

test('an amount has commas only between thousands, so that a decimal comma is not read as dollars', () => {
  for (const [text, dollars] of [
    ['1', 1],
    ['1234.5', 1_234.5],
    ['1,234.50', 1_234.5],
    ['12,345,678', 12_345_678],
    ['.5', 0.5],
    [' 7 ', 7],
    ['1,000', 1_000],
  ] as const) {
    assert.deepEqual([isAmount(text), parseAmount(text)], [null, dollars], text)
  }
  for (const text of [
    '',
    '1,50',
    '1,5',
    '1.234,50',
    '12,34.50',
    '1,2345',
    ',5',
    '1.',
    '1.005',
    '-1',
    '1e3',
    '$5',
    '٥',
    'x',
  ]) {
    assert.ok(isAmount(text), text)
  }
})

test('a micro-deposit is accepted as printed on a statement, and an amount in cents is explained', () => {
  for (const text of ['0.07', '.07', '$0.07', '0.070', ' $.07 ']) {
    assert.deepEqual([isMicroDeposit(text), parseMicroDeposit(text)], [null, 0.07], text)
  }
  for (const text of ['7', '15', '1', '1.00', '0.075', '0', '', '-0.07', '7.00', 'x'])
    assert.ok(isMicroDeposit(text), text)
  assert.match(isMicroDeposit('7') ?? '', /Did you mean 0\.07\?/)
  assert.match(isMicroDeposit('15') ?? '', /Did you mean 0\.15\?/)
})
