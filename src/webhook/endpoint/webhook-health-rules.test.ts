import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from '../delivery/delivery-status.ts'
import { type Health, healthAfter, healthMails, isSameHealth, verdictFor } from './webhook-health-rules.ts'

const begin = new Date('2026-03-02T15:00:00Z')
const later = (ms: number) => new Date(begin.getTime() + ms)
const HOUR = 3_600_000
const DAY = 24 * HOUR

const attempt = (outcome: Outcome, { at = begin, ms = 5, status = null as number | null } = {}) => ({
  outcome,
  startedAt: at,
  durationMs: ms,
  httpStatus: status,
  error: null,
})

const healthy: Health = { isSlow: false, failingSince: null }
const failing: Health = { isSlow: false, failingSince: begin }

for (const outcome of ['rejected', 'timed_out', 'unreachable'] as const) {
  test(`an endpoint starts failing with the first attempt that is ${outcome} and stops with a success`, () => {
    const first = healthAfter(healthy, attempt(outcome))
    assert.deepEqual(first.failingSince, begin)
    assert.deepEqual(healthAfter(first, attempt(outcome, { at: later(HOUR) })).failingSince, begin)
    assert.equal(healthAfter(first, attempt('acknowledged', { at: later(HOUR) })).failingSince, null)
  })
}

test('an endpoint is slow after a time-out or an answer that took more than two seconds', () => {
  assert.equal(healthAfter(healthy, attempt('timed_out', { ms: 10_001 })).isSlow, true)
  assert.equal(healthAfter(healthy, attempt('acknowledged', { ms: 2_001 })).isSlow, true)
  assert.equal(healthAfter({ ...healthy, isSlow: true }, attempt('acknowledged', { ms: 2_000 })).isSlow, false)
  assert.equal(healthAfter({ ...healthy, isSlow: true }, attempt('rejected')).isSlow, false)
})

test('health is stored only when it changes', () => {
  assert.ok(isSameHealth(failing, { isSlow: false, failingSince: new Date(begin) }))
  assert.ok(!isSameHealth(failing, healthy))
  assert.ok(!isSameHealth(healthy, { ...healthy, isSlow: true }))
})

const verdicts: [name: string, at: Date, status: number | null, verdict: ReturnType<typeof verdictFor>][] = [
  ['at the first failure', begin, 500, null],
  ['just before an hour', later(HOUR - 1), 500, null],
  ['after an hour', later(HOUR), 500, 'warn'],
  ['just before five days', later(5 * DAY - 1), null, 'warn'],
  ['after five days', later(5 * DAY), null, 'FAILING'],
  ['at a 410, whenever', begin, 410, 'GONE'],
  ['at a 410 after five days', later(5 * DAY), 410, 'GONE'],
]
for (const [name, at, status, verdict] of verdicts) {
  test(`${name}: ${verdict ?? 'no action'}`, () => {
    assert.equal(verdictFor(failing, attempt('rejected', { at, status })), verdict)
  })
}

test('mails name the host of the URL, the last reason and the next step', () => {
  const endpoint = { name: 'sandbox', host: 'hooks.example.com' } as const
  for (const [what, mail] of Object.entries(healthMails)) {
    const refused = mail({ ...endpoint, failure: { httpStatus: null, error: 'the connection was refused' } })
    const answered = mail({ ...endpoint, failure: { httpStatus: 410, error: null } })
    for (const { subject, text } of [refused, answered]) {
      assert.match(subject, /hooks\.example\.com .*Remit sandbox/)
      assert.match(text, /settings, under Webhooks/)
    }
    assert.match(answered.text, /with status 410/)
    if (what !== 'GONE') assert.match(refused.text, /there was no response: the connection was refused\./)
  }
})
