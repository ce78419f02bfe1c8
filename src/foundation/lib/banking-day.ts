import { addDays, formatDate, instantOf, localClock } from './clock.ts'

/**
 * The hours and days on which a bank works. `windows`: its cut-offs on a banking day, in order, HH:MM in `timeZone`. `holidays`: dates
 * (YYYY-MM-DD) in addition to the holidays of the Federal Reserve.
 */
export type BankCalendar = { windows: readonly string[]; timeZone: string; holidays: readonly string[] }

/**
 * Returns whether a day is a banking day of the Federal Reserve and not a holiday of the bank. A holiday of the Federal Reserve on a Sunday
 * moves to Monday. A holiday on a Saturday does not move. Source: Federal Reserve Bank Services, "Holiday Schedules".
 */
export function isBankingDay(day: Date, { holidays }: Pick<BankCalendar, 'holidays'> = FEDERAL): boolean {
  const weekday = day.getUTCDay()
  const date = formatDate(day)
  return weekday !== 0 && weekday !== 6 && !holidaysOf(day.getUTCFullYear()).has(date) && !holidays.includes(date)
}

/** Returns the day that is `count` banking days after a day, or before it if `count` is negative. For an instant, see `afterBankingDays`. */
export function addBankingDays(day: Date, count: number, calendar: Pick<BankCalendar, 'holidays'> = FEDERAL): Date {
  let result = day
  for (let left = Math.abs(count); left > 0; ) {
    result = addDays(result, Math.sign(count))
    if (isBankingDay(result, calendar)) left--
  }
  return result
}

/**
 * Returns the same time of day, `count` banking days later. The days are those of the calendar's time zone: Friday at 17:00 Pacific time is
 * already a Saturday in UTC, and two banking days later it is Tuesday at 17:00.
 */
export const afterBankingDays = (at: Date, count: number, calendar: BankCalendar = FEDERAL): Date =>
  instantOf(addBankingDays(localClock(at, calendar.timeZone), count, calendar), calendar.timeZone)

/** The settlement time of ACH entries, in Eastern time. */
const SETTLEMENT_TIME = '08:30'

const PACIFIC = 'America/Los_Angeles'
const EASTERN = 'America/New_York'

/** The calendar of simulated rails: cut-offs at 14:00 and 17:00 Pacific time. */
export const FEDERAL: BankCalendar = { windows: ['14:00', '17:00'], timeZone: PACIFIC, holidays: [] }

let lastWindow = { calendar: FEDERAL, from: Number.NaN, to: Number.NaN }

/** Returns the first ACH cut-off at or after an instant. Keeps the last result, because most calls are about the same cut-off. */
export function nextAchWindow(at: Date, calendar: BankCalendar = FEDERAL): Date {
  const { from, to } = lastWindow
  const isSame = at.getTime() >= from && at.getTime() <= to && isSameCalendar(calendar, lastWindow.calendar)
  if (!isSame) lastWindow = { calendar, from: at.getTime(), to: findAchWindow(at, calendar).getTime() }
  return new Date(lastWindow.to)
}

const isSameCalendar = (one: BankCalendar, other: BankCalendar): boolean =>
  one.windows === other.windows && one.timeZone === other.timeZone && one.holidays === other.holidays

function findAchWindow(at: Date, calendar: BankCalendar): Date {
  const { windows: times, timeZone } = calendar
  for (let day = localClock(at, timeZone); ; day = addDays(day, 1)) {
    if (!isBankingDay(day, calendar)) continue
    const windows = times.map((time) => atTime(day, time, timeZone))
    const window = windows.find((cutOff) => cutOff >= at)
    if (window) return window
  }
}

/** Returns when the entries of a window settle: 08:30 Eastern time on the next banking day, which is the same day in UTC. */
export function nextSettlementDate(window: Date, calendar: BankCalendar = FEDERAL): Date {
  return atTime(addBankingDays(localClock(window, calendar.timeZone), 1, calendar), SETTLEMENT_TIME, EASTERN)
}

const atTime = (day: Date, time: string, timeZone: string): Date =>
  instantOf(new Date(`${formatDate(day)}T${time}:00Z`), timeZone)

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
