import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStep } from './simulated-rail-rules.ts'

test('a debit is trusted some banking days of its bank after it has settled', () => {
  for (const [settledAt, trustedAt] of [
    ['2026-02-05T13:30:00Z', '2026-02-09T13:30:00Z'], // from Thursday to Monday
    ['2026-02-07T01:00:00Z', '2026-02-11T01:00:00Z'], // read on Friday at 17:00 Pacific time, when it was a Saturday in UTC
  ] as const) {
    const leg = { rail: 'ACH', direction: 'debit', status: 'SETTLED', fate: null } as const
    assert.deepEqual(nextStep(leg, new Date(settledAt), { trustDays: 2 }), { event: 'trust', at: new Date(trustedAt) })
  }
})
