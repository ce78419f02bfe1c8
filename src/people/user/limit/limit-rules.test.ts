import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectiveLimits, largestPayment, NO_LIMITS, remainingCents } from './limit-rules.ts'

const usual = { paymentCents: 200_000, dayCents: 200_000, monthCents: 500_000 }

test('the limits that apply are those of the operator or the environment, lowered by the owner', () => {
  const byOperator = { paymentCents: 500_000, dayCents: null, monthCents: null }
  const byOwner = { paymentCents: 600_000, dayCents: 1_000, monthCents: null }
  assert.deepEqual(effectiveLimits({ byOperator, byOwner }, usual), {
    paymentCents: 500_000,
    dayCents: 1_000,
    monthCents: 500_000,
  })
  const lowered = { ...NO_LIMITS, monthCents: 5 }
  assert.deepEqual(effectiveLimits({ byOperator: NO_LIMITS, byOwner: lowered }, NO_LIMITS), lowered)
})

test('the largest payment is the smallest remaining limit', () => {
  const none = { dayCents: 0, monthCents: 0 }
  assert.equal(largestPayment(usual, none), 200_000)
  assert.equal(largestPayment(usual, { dayCents: 150_000, monthCents: 150_000 }), 50_000)
  assert.equal(largestPayment(usual, { dayCents: 0, monthCents: 499_999 }), 1)
  assert.equal(largestPayment(usual, { dayCents: 250_000, monthCents: 250_000 }), 0)
  assert.equal(largestPayment(NO_LIMITS, none), null)
  assert.equal(remainingCents(null, 7), null)
})
