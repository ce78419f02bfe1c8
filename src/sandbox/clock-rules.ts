import { addDays, DAY_MS, parseDateTime } from '../lib/clock.ts'
import { fieldError } from '../lib/errors.ts'

/** A clock goes at most so far ahead at once. */
const MAX_DAYS = 3_660

const DURATION = /^P(?!$)(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/

/** Milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as `P3D` or `PT36H`. */
export function durationMs(text: string): number | null {
  const match = DURATION.exec(text)
  if (!match) return null
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return (weeks * 7 + days) * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1000
}

/**
 * Where a clock is sent: `advance` is a duration from now, `now` a time. Never backwards.
 *
 * @throws ApiError invalid_request
 */
export function targetOf({ advance, now: wanted }: { advance?: string; now?: string }, now: Date): Date {
  if ((advance === undefined) === (wanted === undefined)) {
    throw fieldError('invalid_request', 'advance', 'or now must be given, and not both')
  }
  const field = advance === undefined ? 'now' : 'advance'
  const target = advance === undefined ? parseDateTime(wanted as string) : after(now, advance)
  if (target === null) {
    throw fieldError(
      'invalid_request',
      field,
      field === 'now'
        ? 'must be a time, as YYYY-MM-DD HH:MM:SS (UTC)'
        : 'must be an ISO 8601 duration, such as P3D or PT12H',
    )
  }
  if (target < now) throw fieldError('invalid_request', field, 'would take the clock backwards')
  if (target > addDays(now, MAX_DAYS))
    throw fieldError('invalid_request', field, `must be at most ${MAX_DAYS} days ahead`)
  return target
}

function after(now: Date, duration: string): Date | null {
  const ms = durationMs(duration)
  return ms === null ? null : new Date(now.getTime() + ms)
}
