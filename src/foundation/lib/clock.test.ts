import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOfDay } from './clock.ts'

const table = [
  // day, time zone, its first instant
  ['2026-03-02', 'UTC', '2026-03-02T00:00:00.000Z'],
  ['2026-03-02', 'America/Los_Angeles', '2026-03-02T08:00:00.000Z'],
  ['2026-03-08', 'America/Los_Angeles', '2026-03-08T08:00:00.000Z'], // the clocks change during the following night
  ['2026-03-09', 'America/Los_Angeles', '2026-03-09T07:00:00.000Z'],
  ['2026-11-02', 'America/Los_Angeles', '2026-11-02T08:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-04-05', 'Pacific/Auckland', '2026-04-04T11:00:00.000Z'],
  ['2026-04-06', 'Pacific/Auckland', '2026-04-05T12:00:00.000Z'],
  ['0001-01-01', 'America/Los_Angeles', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31', 'America/Los_Angeles', '9999-12-31T00:00:00.000Z'],
] as const

for (const [day, timeZone, instant] of table) {
  test(`${day} begins in ${timeZone} at ${instant}`, () => {
    assert.equal(startOfDay(new Date(`${day}T00:00:00Z`), timeZone).toISOString(), instant)
  })
}
