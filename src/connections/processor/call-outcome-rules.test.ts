import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountOf, centsOfAmount } from './amount-rules.ts'
import { outcomeOfQuestion, outcomeOfSubmission } from './call-outcome-rules.ts'

test('only an answer that proves that nothing was taken lets an order be sent again', () => {
  const kindOf = (status: number) => outcomeOfSubmission({ status, retryAfterSeconds: null }).kind
  const kinds = Map.groupBy(
    Array.from({ length: 400 }, (_, index) => index + 200),
    kindOf,
  )
  assert.deepEqual(kinds.get('not_taken'), [401, 403, 404, 405, 429])
  assert.deepEqual(kinds.get('refused'), [400, 422])
  assert.equal(kinds.get('unknown')?.length, 400 - 7)
})

test('a question has an answer, finds nothing, or is asked again', () => {
  const kindOf = (status: number) => outcomeOfQuestion({ status, retryAfterSeconds: null }).kind
  assert.deepEqual([404, 401, 403, 429, 400, 500, 502, 302].map(kindOf), [
    'not_found',
    ...['not_taken', 'not_taken', 'not_taken'],
    ...['unknown', 'unknown', 'unknown', 'unknown'],
  ])
})

test('amounts are exact, and nothing else is an amount', () => {
  for (const cents of [1, 10, 100, 1_005, 99_999_999_99]) assert.equal(centsOfAmount(amountOf(cents)), cents)
  for (const value of ['1', '1.5', '1.505', '-1.00', '1e2', ' 1.00', '1,000.00', 1.5, null])
    assert.equal(centsOfAmount({ value, currency: 'USD' }), null, `${value}`)
  assert.equal(centsOfAmount({ value: '1.00', currency: 'CAD' }), null)
  assert.equal(centsOfAmount(undefined), null)
})
