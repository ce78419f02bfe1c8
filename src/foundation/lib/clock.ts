export const DAY_MS = 24 * 60 * 60 * 1000

/** The source of time. Nothing else reads the system clock where money is concerned. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** `YYYY-MM-DD HH:MM:SS` in UTC (specification.md 1.3). */
export function formatDateTime(date: Date): string {
  const text = date.toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

let lastDay = { number: Number.NaN, text: '' }

/** `YYYY-MM-DD` in UTC (specification.md 1.3). Nearly every call is about the day of the call before. */
export function formatDate(date: Date): string {
  const number = Math.floor(date.getTime() / DAY_MS)
  if (number !== lastDay.number) lastDay = { number, text: date.toISOString().slice(0, 10) }
  return lastDay.text
}

const longDates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** `May 3, 2026` in UTC, for people. */
export const formatLongDate = (date: Date): string => longDates.format(date)

/** Whether a `YYYY-MM-DD` date exists. 2026-02-30 does not, nor does the year 0, which SQL does not know. */
export function isCalendarDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && formatDate(date) === text && !text.startsWith('0000')
}

/** Parses `YYYY-MM-DD HH:MM:SS` in UTC, with a space or as ISO 8601; null when it is not a valid time. */
export function parseDateTime(text: string): Date | null {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?Z?$/.exec(text)
  const time = match ? new Date(`${match[1]}T${match[2]}Z`) : null
  return time && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(match?.[1] as string) ? time : null
}

export const addDays = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS)

const QUARTER_MS = 15 * 60 * 1000

let lastOffset = { timeZone: '', quarter: Number.NaN, ms: 0 }

/** The local time of a time zone at an instant, in the UTC fields of a date. */
export function localClock(at: Date, timeZone: string): Date {
  // Offsets change at a quarter of an hour, and nearly every call is about the quarter and the zone of the call before.
  const quarter = Math.floor(at.getTime() / QUARTER_MS)
  if (quarter !== lastOffset.quarter || timeZone !== lastOffset.timeZone)
    lastOffset = { timeZone, quarter, ms: offsetAt(new Date(quarter * QUARTER_MS), timeZone) }
  return new Date(at.getTime() + lastOffset.ms)
}

/** How much the clocks of a time zone are ahead of UTC at a full second, in milliseconds. */
function offsetAt(at: Date, timeZone: string): number {
  let format = clockFormats.get(timeZone)
  if (!format) {
    // The Swedish locale formats date and time like ISO 8601.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    clockFormats.set(timeZone, format)
  }
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - at.getTime()
}

const clockFormats = new Map<string, Intl.DateTimeFormat>()

/** When a day, given as its midnight in UTC, begins in a time zone. Years that no id has are left alone. */
export function startOfDay(day: Date, timeZone: string): Date {
  const year = day.getUTCFullYear()
  return year < 1970 || year > 9998 ? day : instantOf(day, timeZone)
}

/** The instant of a local time of a time zone, which is given in the UTC fields of a date. */
export function instantOf(local: Date, timeZone: string): Date {
  const guess = new Date(local.getTime() - offsetAt(local, timeZone))
  return new Date(local.getTime() - offsetAt(guess, timeZone))
}

/** The day of the business at an instant, as `YYYY-MM-DD`: on checks, invoices and pages, and what "today" is. */
export const businessDate = (at: Date, timeZone: string): string => formatDate(localClock(at, timeZone))

/** The same for people: `May 3, 2026`. */
export const longBusinessDate = (at: Date, timeZone: string): string => formatLongDate(localClock(at, timeZone))

/** A time zone for people: `Eastern Time`, or `ET`. */
export const timeZoneWords = (timeZone: string, length: 'long' | 'short' = 'long'): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: `${length}Generic` })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone

/** Whether this is a time zone name of the IANA database, such as America/Los_Angeles. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name) // excludes UTC offsets such as +01:00
  } catch {
    return false
  }
}
