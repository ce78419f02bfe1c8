import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterAttempt, type Outcome, RESPONSE_TIMEOUT_MS, RETRY_DELAYS_SECONDS } from './delivery-status.ts'

const startedAt = new Date('2026-03-02T15:00:00Z')
const after = (outcome: Outcome, attemptNumber: number) => afterAttempt({ outcome, attemptNumber, startedAt })

test('there are eleven retries: after 30 s, 1 min, 2 min, and then twice as long each time (specification.md 7.2)', () => {
  assert.equal(RETRY_DELAYS_SECONDS.length, 11)
  assert.deepEqual(
    RETRY_DELAYS_SECONDS,
    Array.from({ length: 11 }, (_, index) => 30 * 2 ** index),
  )
  assert.equal(RESPONSE_TIMEOUT_MS, 10_000)
})

for (const outcome of ['rejected', 'timed_out', 'unreachable'] as const) {
  test(`a delivery that is ${outcome} is tried again, and has failed after the twelfth attempt`, () => {
    for (const [index, delaySeconds] of RETRY_DELAYS_SECONDS.entries()) {
      const nextAttemptAt = new Date(startedAt.getTime() + delaySeconds * 1000)
      assert.deepEqual(after(outcome, index + 1), { status: 'PENDING', nextAttemptAt })
    }
    assert.deepEqual(after(outcome, 12), { status: 'FAILED', nextAttemptAt: null })
  })
}

test('an acknowledged delivery is over, at whichever attempt', () => {
  for (const number of [1, 5, 12]) {
    assert.deepEqual(after('acknowledged', number), { status: 'DELIVERED', nextAttemptAt: null })
  }
})

test('Retry-After delays the next attempt, at most to the longest delay, and never makes it earlier', () => {
  const at = (seconds: number) => new Date(startedAt.getTime() + seconds * 1000)
  const next = (attemptNumber: number, notBefore: Date) =>
    afterAttempt({ outcome: 'rejected', attemptNumber, startedAt, notBefore }).nextAttemptAt
  assert.deepEqual(next(1, at(10)), at(30))
  assert.deepEqual(next(1, at(300)), at(300))
  assert.deepEqual(next(1, at(86_400)), at(30_720))
  assert.deepEqual(next(11, at(86_400)), at(30_720))
  assert.equal(next(12, at(300)), null)
})
