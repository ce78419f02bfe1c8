import { addDays, formatDate } from '../lib/clock.ts'

/**
 * Banking days of the Federal Reserve. A holiday on a Sunday is kept on the Monday; one on a Saturday is not moved.
 * Source: Federal Reserve Bank Services, "Holiday Schedules".
 */
export function isBankingDay(day: Date): boolean {
  const weekday = day.getUTCDay()
  return weekday !== 0 && weekday !== 6 && !holidaysOf(day.getUTCFullYear()).has(formatDate(day))
}

/** The banking day that lies `count` banking days after a day. */
export function addBankingDays(day: Date, count: number): Date {
  let result = day
  for (let left = count; left > 0; ) {
    result = addDays(result, 1)
    if (isBankingDay(result)) left--
  }
  return result
}

const holidaysByYear = new Map<number, Set<string>>()

function holidaysOf(year: number): Set<string> {
  let holidays = holidaysByYear.get(year)
  if (!holidays) {
    holidays = new Set(holidayList(year).map(formatDate))
    holidaysByYear.set(year, holidays)
  }
  return holidays
}

const holidayList = (year: number): Date[] => [
  observed(year, 1, 1), //            New Year's Day
  nthWeekday(year, 1, MONDAY, 3), //  Martin Luther King Day
  nthWeekday(year, 2, MONDAY, 3), //  Presidents' Day
  lastMonday(year, 5), //             Memorial Day
  observed(year, 6, 19), //           Juneteenth
  observed(year, 7, 4), //            Independence Day
  nthWeekday(year, 9, MONDAY, 1), //  Labor Day
  nthWeekday(year, 10, MONDAY, 2), // Columbus Day
  observed(year, 11, 11), //          Veterans Day
  nthWeekday(year, 11, THURSDAY, 4), // Thanksgiving Day
  observed(year, 12, 25), //          Christmas Day
]

const MONDAY = 1
const THURSDAY = 4

const utcDay = (year: number, month: number, day: number) => new Date(Date.UTC(year, month - 1, day))

function observed(year: number, month: number, day: number): Date {
  const date = utcDay(year, month, day)
  return date.getUTCDay() === 0 ? addDays(date, 1) : date
}

function nthWeekday(year: number, month: number, weekday: number, nth: number): Date {
  const first = utcDay(year, month, 1)
  return addDays(first, ((weekday - first.getUTCDay() + 7) % 7) + (nth - 1) * 7)
}

function lastMonday(year: number, month: number): Date {
  const last = addDays(utcDay(year, month + 1, 1), -1)
  return addDays(last, -((last.getUTCDay() - MONDAY + 7) % 7))
}
