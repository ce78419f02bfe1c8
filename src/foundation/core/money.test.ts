import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from './errors.ts'
import { centsToDollars, dollarsToCents, MAX_AMOUNT_CENTS, requireCents } from './money.ts'

test('an amount within a millionth of a dollar of a whole cent is accepted, and any other is refused', () => {
  for (const [dollars, cents] of [
    [0.01, 1],
    [0.1 + 0.2, 30],
    [0.1 + 0.7, 80],
    [1.1 * 3, 330],
    [4.35, 435],
    [1.005, null],
    [1.001, null],
    [1.009, null],
    [0.015, null],
    [0.011, null],
    [1.0000009, 100],
    [0.9999991, 100],
    [99999999.98 + 9e-7, 9_999_999_998],
    [1.0000011, null],
    [0.9999989, null],
    [1.0009, null],
    [1.9991, null],
    [123456.78, 12345678],
    [99999999.99, MAX_AMOUNT_CENTS],
    [99999999.999, null],
    [99999999.991, null],
    [10, 1000],
    [0, 0],
  ] as const) {
    assert.equal(dollarsToCents(dollars), cents, String(dollars))
  }
})

test('every amount of cents survives the conversion to dollars and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_AMOUNT_CENTS }), (cents) => {
      assert.equal(dollarsToCents(centsToDollars(cents)), cents)
      assert.equal(dollarsToCents(Number(JSON.stringify(centsToDollars(cents)))), cents)
    }),
  )
})

test('an amount with a third decimal is refused anywhere in the range', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }), fc.integer({ min: 1, max: 9 }), (cents, tenths) => {
      assert.equal(dollarsToCents((cents * 10 + tenths) / 1000), null)
    }),
  )
})

test('the error names the field', () => {
  assert.throws(
    () => requireCents(0.001, 'remittance_advice.3.amount'),
    (error: ApiError) => error instanceof ApiError && 'remittance_advice.3.amount' in (error.fields ?? {}),
  )
  assert.equal(requireCents(12.34, 'amount'), 1234)
})
