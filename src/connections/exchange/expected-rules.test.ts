import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connection } from '../../../test/support/ach.ts'
import { expectedSince } from './expected-rules.ts'

const bank = { ...connection({ folder: '/nowhere' }), timeZone: 'America/New_York' }

test('a file is expected since the deadline before the last one, on banking days of the bank', () => {
  const since = (now: string, holidays: string[] = []) =>
    expectedSince({ ...bank, holidays, expected: { by: '09:00' } }, new Date(now))?.toISOString()
  // 2026-03-04 is a Wednesday. New York is five hours behind.
  assert.equal(since('2026-03-04T14:00:00Z'), '2026-03-03T14:00:00.000Z')
  assert.equal(since('2026-03-04T13:59:59Z'), '2026-03-02T14:00:00.000Z')
  assert.equal(since('2026-03-02T15:00:00Z'), '2026-02-27T14:00:00.000Z', 'Monday follows Friday')
  assert.equal(since('2026-03-04T15:00:00Z', ['2026-03-03']), '2026-03-02T14:00:00.000Z')
})

test('a file is expected every few hours, or never', () => {
  const now = new Date('2026-03-04T14:00:00Z')
  assert.equal(expectedSince({ ...bank, expected: { everyHours: 6 } }, now)?.toISOString(), '2026-03-04T08:00:00.000Z')
  assert.equal(expectedSince(bank, now), null)
})
