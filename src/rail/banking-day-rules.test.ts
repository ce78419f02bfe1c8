import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, formatDate } from '../lib/clock.ts'
import { addBankingDays, isBankingDay } from './banking-day-rules.ts'

const day = (text: string) => new Date(`${text}T15:00:00Z`)

/** Federal Reserve Bank Services, "Holiday Schedules": a holiday on a Sunday is kept on Monday, one on a Saturday not at all. */
const closedWeekdays: Record<number, string[]> = {
  2021: ['01-01', '01-18', '02-15', '05-31', '07-05', '09-06', '10-11', '11-11', '11-25'],
  2022: ['01-17', '02-21', '05-30', '06-20', '07-04', '09-05', '10-10', '11-11', '11-24', '12-26'],
  2023: ['01-02', '01-16', '02-20', '05-29', '06-19', '07-04', '09-04', '10-09', '11-23', '12-25'],
  2026: ['01-01', '01-19', '02-16', '05-25', '06-19', '09-07', '10-12', '11-11', '11-26', '12-25'],
  2027: ['01-01', '01-18', '02-15', '05-31', '07-05', '09-06', '10-11', '11-11', '11-25'],
  2028: ['01-17', '02-21', '05-29', '06-19', '07-04', '09-04', '10-09', '11-23', '12-25'],
}

test('every weekday is a banking day but for the holidays of the Federal Reserve', () => {
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

test('banking days are counted over weekends and holidays', () => {
  for (const [from, count, to] of [
    ['2026-03-02', 0, '2026-03-02'],
    ['2026-03-02', 4, '2026-03-06'],
    ['2026-03-02', 5, '2026-03-09'],
    ['2026-03-07', 1, '2026-03-09'],
    ['2026-11-25', 1, '2026-11-27'],
    ['2026-12-24', 1, '2026-12-28'],
    ['2026-12-31', 1, '2027-01-04'],
    ['2026-07-02', 1, '2026-07-03'],
  ] as const) {
    assert.equal(formatDate(addBankingDays(day(from), count)), to, `${from} + ${count}`)
  }
})
