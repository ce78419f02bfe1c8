import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { type Interval, misses, nextRun, runAt } from './subscription-rules.ts'

const days = (interval: Interval, startDate: string, runs: number[]) =>
  runs.map((run) => formatDateTime(runAt({ interval, startDate }, run)))

test('runs happen at 16:00 UTC each week, or each month on the day of the start or its last day', () => {
  assert.deepEqual(days('WEEKLY', '2026-12-28', [1, 2, 53]), [
    '2026-12-28 16:00:00',
    '2027-01-04 16:00:00',
    '2027-12-27 16:00:00',
  ])
  assert.deepEqual(days('MONTHLY', '2027-10-31', [1, 2, 3, 4, 5, 6, 7, 17]), [
    '2027-10-31 16:00:00',
    '2027-11-30 16:00:00',
    '2027-12-31 16:00:00',
    '2028-01-31 16:00:00',
    '2028-02-29 16:00:00',
    '2028-03-31 16:00:00',
    '2028-04-30 16:00:00',
    '2029-02-28 16:00:00',
  ])
})

test('the last run of a duration has none after it', () => {
  const schedule = { interval: 'WEEKLY', startDate: '2026-03-02' } as const
  assert.equal(nextRun({ ...schedule, duration: 2 }, 1)?.run, 2)
  assert.equal(nextRun({ ...schedule, duration: 2 }, 2), null)
  assert.equal(nextRun({ ...schedule, duration: null }, 52)?.run, 53)
})

test('a subscription of today misses its first run when it is created after 16:00', () => {
  const schedule = { interval: 'WEEKLY', startDate: '2026-03-02' } as const
  assert.equal(misses(schedule, new Date('2026-03-02T16:00:00Z')), false)
  assert.equal(misses(schedule, new Date('2026-03-02T16:00:01Z')), true)
  assert.equal(misses({ ...schedule, startDate: '2026-03-03' }, new Date('2026-03-02T16:00:01Z')), false)
})
