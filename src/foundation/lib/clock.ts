export const DAY_MS = 24 * 60 * 60 * 1000

/** The source of time. Code that concerns money never reads the system clock directly. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** Formats a time in UTC as `YYYY-MM-DD HH:MM:SS` (specification.md 1.3). */
export function formatDateTime(date: Date): string {
  const text = date.toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

let lastDay = { number: Number.NaN, text: '' }

/** Formats a day in UTC as `YYYY-MM-DD` (specification.md 1.3). Keeps the last result, because most calls format the same day. */
export function formatDate(date: Date): string {
  const number = Math.floor(date.getTime() / DAY_MS)
  if (number !== lastDay.number) lastDay = { number, text: date.toISOString().slice(0, 10) }
  return lastDay.text
}

const longDates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** Formats a day in UTC for people: `May 3, 2026`. */
export const formatLongDate = (date: Date): string => longDates.format(date)

/** Returns whether a date `YYYY-MM-DD` exists. 2026-02-30 does not exist, and neither does the year 0, which SQL does not have. */
export function isCalendarDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && formatDate(date) === text && !text.startsWith('0000')
}

/** Parses `YYYY-MM-DD HH:MM:SS` in UTC, with a space or as ISO 8601. Returns null for other texts and invalid times. */
export function parseDateTime(text: string): Date | null {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?Z?$/.exec(text)
  const time = match ? new Date(`${match[1]}T${match[2]}Z`) : null
  return time && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(match?.[1] as string) ? time : null
}

export const addDays = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS)

const QUARTER_MS = 15 * 60 * 1000

let lastOffset = { timeZone: '', quarter: Number.NaN, ms: 0 }

/** Returns the local time of an instant in a time zone, in the UTC fields of a date. */
export function localClock(at: Date, timeZone: string): Date {
  // The last offset is kept. Offsets change only at a quarter of an hour, and most calls concern the same quarter and zone.
  const quarter = Math.floor(at.getTime() / QUARTER_MS)
  if (quarter !== lastOffset.quarter || timeZone !== lastOffset.timeZone)
    lastOffset = { timeZone, quarter, ms: offsetAt(new Date(quarter * QUARTER_MS), timeZone) }
  return new Date(at.getTime() + lastOffset.ms)
}

/** Returns how far a time zone is ahead of UTC at a full second, in milliseconds. */
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

/**
 * Returns when a day begins in a time zone. The day is given as its midnight in UTC. Years outside of the range of ids are returned
 * unchanged.
 */
export function startOfDay(day: Date, timeZone: string): Date {
  const year = day.getUTCFullYear()
  return year < 1970 || year > 9998 ? day : instantOf(day, timeZone)
}

/** Returns when the day after an instant begins in a time zone. */
export const startOfNextDay = (now: Date, timeZone: string): Date =>
  startOfDay(addDays(new Date(`${businessDate(now, timeZone)}T00:00:00Z`), 1), timeZone)

/** Returns the instant of a local time in a time zone. The local time is given in the UTC fields of a date. */
export function instantOf(local: Date, timeZone: string): Date {
  const guess = new Date(local.getTime() - offsetAt(local, timeZone))
  return new Date(local.getTime() - offsetAt(guess, timeZone))
}

/** Returns the business day at an instant, as `YYYY-MM-DD`. Checks, invoices and pages use it, and it defines "today". */
export const businessDate = (at: Date, timeZone: string): string => formatDate(localClock(at, timeZone))

/** Returns the business day at an instant for people: `May 3, 2026`. */
export const longBusinessDate = (at: Date, timeZone: string): string => formatLongDate(localClock(at, timeZone))

/** Returns the name of a time zone for people: `Eastern Time`, or `ET`. */
export const timeZoneWords = (timeZone: string, length: 'long' | 'short' = 'long'): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: `${length}Generic` })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone

/** Returns whether a text is a time zone of the IANA database, such as America/Los_Angeles. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name) // excludes UTC offsets such as +01:00
  } catch {
    return false
  }
}
