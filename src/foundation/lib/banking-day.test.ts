import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, formatDate } from '../../foundation/lib/clock.ts'
import {
  addBankingDays,
  afterBankingDays,
  FEDERAL,
  isBankingDay,
  nextAchWindow,
  nextSettlementDate,
} from './banking-day.ts'

const day = (text: string) => new Date(`${text}T15:00:00Z`)

/**
 * The holidays of Federal Reserve Bank Services, "Holiday Schedules". A holiday on a Sunday moves to Monday. A holiday on a Saturday does
 * not move.
 */
const closedWeekdays: Record<number, string[]> = {
  2021: ['01-01', '01-18', '02-15', '05-31', '07-05', '09-06', '10-11', '11-11', '11-25'],
  2022: ['01-17', '02-21', '05-30', '06-20', '07-04', '09-05', '10-10', '11-11', '11-24', '12-26'],
  2023: ['01-02', '01-16', '02-20', '05-29', '06-19', '07-04', '09-04', '10-09', '11-23', '12-25'],
  2026: ['01-01', '01-19', '02-16', '05-25', '06-19', '09-07', '10-12', '11-11', '11-26', '12-25'],
  2027: ['01-01', '01-18', '02-15', '05-31', '07-05', '09-06', '10-11', '11-11', '11-25'],
  2028: ['01-17', '02-21', '05-29', '06-19', '07-04', '09-04', '10-09', '11-23', '12-25'],
}

test('every weekday is a banking day except the holidays of the Federal Reserve', () => {
  for (const [year, holidays] of Object.entries(closedWeekdays)) {
    const closed: string[] = []
    for (let date = day(`${year}-01-01`); formatDate(date).startsWith(year); date = addDays(date, 1)) {
      const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6
      if (isWeekend) assert.ok(!isBankingDay(date), formatDate(date))
      else if (!isBankingDay(date)) closed.push(formatDate(date).slice(5))
    }
    assert.deepEqual(closed, holidays, year)
  }
})

test('banking days skip weekends and holidays', () => {
  for (const [from, count, to] of [
    ['2026-03-02', 0, '2026-03-02'],
    ['2026-03-02', 4, '2026-03-06'],
    ['2026-03-02', 5, '2026-03-09'],
    ['2026-03-07', 1, '2026-03-09'],
    ['2026-11-25', 1, '2026-11-27'],
    ['2026-12-24', 1, '2026-12-28'],
    ['2026-12-31', 1, '2027-01-04'],
    ['2026-07-02', 1, '2026-07-03'],
    ['2026-03-09', -1, '2026-03-06'],
    ['2026-11-30', -2, '2026-11-25'],
  ] as const) {
    assert.equal(formatDate(addBankingDays(day(from), count)), to, `${from} + ${count}`)
  }
})

test('banking days skip the holidays of the bank', () => {
  const calendar = { ...FEDERAL, holidays: ['2026-03-06'] }
  assert.equal(formatDate(addBankingDays(day('2026-03-05'), 1, calendar)), '2026-03-09')
  assert.equal(formatDate(addBankingDays(day('2026-03-09'), -1, calendar)), '2026-03-05')
})

test('an instant some banking days later has the same time of day, and the days are those of the bank', () => {
  const zurich = { ...FEDERAL, timeZone: 'Europe/Zurich' }
  for (const [at, count, later, calendar] of [
    ['2026-02-03T13:30:00Z', 2, '2026-02-05T13:30:00Z', FEDERAL],
    ['2026-02-06T01:00:00Z', 2, '2026-02-10T01:00:00Z', FEDERAL], // from Thursday to Monday, 17:00 Pacific time
    ['2026-02-07T01:00:00Z', 2, '2026-02-11T01:00:00Z', FEDERAL], // from Friday, which is a Saturday in UTC, to Tuesday
    ['2026-02-08T04:00:00Z', 1, '2026-02-10T04:00:00Z', FEDERAL], // from Saturday, which is a Sunday in UTC, to Monday
    ['2026-03-07T01:00:00Z', 1, '2026-03-10T00:00:00Z', FEDERAL], // over the start of summer time
    ['2026-02-06T23:30:00Z', 1, '2026-02-08T23:30:00Z', zurich], // from Saturday, which is a Friday in UTC, to Monday
  ] as const)
    assert.deepEqual(afterBankingDays(new Date(at), count, calendar), new Date(later), `${at} + ${count}`)
})

test('entries use the next of two cut-offs, 14:00 and 17:00 Pacific time, and settle on the next banking day', () => {
  for (const [at, window, settlement] of [
    // a regular day in winter: Pacific time is UTC-8, Eastern time UTC-5
    ['2026-02-03T08:00:00Z', '2026-02-03T22:00:00Z', '2026-02-04T13:30:00Z'], // midnight in Los Angeles
    ['2026-02-03T22:00:00Z', '2026-02-03T22:00:00Z', '2026-02-04T13:30:00Z'], // the cut-off itself
    ['2026-02-03T22:00:00.001Z', '2026-02-04T01:00:00Z', '2026-02-04T13:30:00Z'],
    ['2026-02-04T01:00:00Z', '2026-02-04T01:00:00Z', '2026-02-04T13:30:00Z'], // 17:00, the next day in UTC
    ['2026-02-04T01:00:00.001Z', '2026-02-04T22:00:00Z', '2026-02-05T13:30:00Z'],
    // in summer: UTC-7 and UTC-4
    ['2026-07-14T20:59:59Z', '2026-07-14T21:00:00Z', '2026-07-15T12:30:00Z'],
    ['2026-07-14T21:00:01Z', '2026-07-15T00:00:00Z', '2026-07-15T12:30:00Z'],
    // weekends
    ['2026-02-06T23:00:00Z', '2026-02-07T01:00:00Z', '2026-02-09T13:30:00Z'], // Friday 15:00 settles on Monday
    ['2026-02-07T01:00:01Z', '2026-02-09T22:00:00Z', '2026-02-10T13:30:00Z'], // Friday after 17:00
    ['2026-02-08T18:00:00Z', '2026-02-09T22:00:00Z', '2026-02-10T13:30:00Z'],
    // Presidents' Day, a Monday
    ['2026-02-14T01:00:01Z', '2026-02-17T22:00:00Z', '2026-02-18T13:30:00Z'],
    ['2026-02-16T20:00:00Z', '2026-02-17T22:00:00Z', '2026-02-18T13:30:00Z'],
    // Thanksgiving: the Friday is a banking day
    ['2026-11-25T23:00:00Z', '2026-11-26T01:00:00Z', '2026-11-27T13:30:00Z'],
    // Christmas on a Friday; New Year's Day on a Friday
    ['2026-12-24T22:30:00Z', '2026-12-25T01:00:00Z', '2026-12-28T13:30:00Z'],
    ['2026-12-31T22:30:00Z', '2027-01-01T01:00:00Z', '2027-01-04T13:30:00Z'],
    // Independence Day on a Saturday is not moved
    ['2026-07-03T20:00:00Z', '2026-07-03T21:00:00Z', '2026-07-06T12:30:00Z'],
    // the clocks go forward on Sunday 2026-03-08, so the cut-offs of Friday and Monday differ by an hour in UTC
    ['2026-03-06T22:30:00Z', '2026-03-07T01:00:00Z', '2026-03-09T12:30:00Z'],
    ['2026-03-07T01:00:01Z', '2026-03-09T21:00:00Z', '2026-03-10T12:30:00Z'],
    ['2026-03-08T09:59:59Z', '2026-03-09T21:00:00Z', '2026-03-10T12:30:00Z'],
    ['2026-03-08T10:00:00Z', '2026-03-09T21:00:00Z', '2026-03-10T12:30:00Z'],
    // the clocks go back on Sunday 2026-11-01
    ['2026-10-30T23:00:00Z', '2026-10-31T00:00:00Z', '2026-11-02T13:30:00Z'],
    ['2026-11-01T08:30:00Z', '2026-11-02T22:00:00Z', '2026-11-03T13:30:00Z'],
    ['2026-11-01T09:30:00Z', '2026-11-02T22:00:00Z', '2026-11-03T13:30:00Z'],
  ] as const) {
    const found = nextAchWindow(new Date(at))
    assert.equal(found.toISOString(), new Date(window).toISOString(), `window at ${at}`)
    assert.equal(nextSettlementDate(found).toISOString(), new Date(settlement).toISOString(), `settlement from ${at}`)
  }
})

test('for any instant, the window is a cut-off on a banking day within five days, and settlement is later', () => {
  const cutOff = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/Los_Angeles',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  for (let at = new Date('2025-12-20T00:00:00Z'); at < new Date('2027-01-10T00:00:00Z'); at = addDays(at, 0.13)) {
    const window = nextAchWindow(at)
    const [date, time] = cutOff.format(window).split(' ') as [string, string]
    assert.ok(window >= at && window <= addDays(at, 5), at.toISOString())
    assert.ok(time === '14:00:00' || time === '17:00:00', `${at.toISOString()}: ${time}`)
    assert.ok(isBankingDay(day(date)), date)
    assert.deepEqual(nextAchWindow(window), window)
    const settlement = nextSettlementDate(window)
    assert.equal(formatDate(settlement), formatDate(addBankingDays(day(date), 1)))
    assert.ok(settlement > window)
  }
})

test('the next cut-off depends on the time and the bank alone, whatever was asked before', () => {
  const banks = [
    { windows: ['14:00', '17:00'], timeZone: 'America/Los_Angeles', holidays: [] },
    { windows: ['12:00'], timeZone: 'America/New_York', holidays: ['2026-03-04'] },
  ]
  const start = new Date('2026-03-02T00:00:00Z').getTime()
  const at = (hour: number) => new Date(start + hour * 3_600_000)
  const hours = Array.from({ length: 200 }, (_, hour) => hour)
  // Goes backward, so that no result comes from the cache of an earlier call.
  const known = banks.map((bank) =>
    hours
      .toReversed()
      .map((hour) => nextAchWindow(at(hour), bank))
      .toReversed(),
  )
  for (const hour of [...hours, 190, 3, 3, 150, 0]) {
    for (const [index, bank] of banks.entries()) {
      assert.deepEqual(nextAchWindow(at(hour), bank), known[index]?.[hour], `${hour} ${bank.timeZone}`)
    }
  }
})
