import { fieldError } from '../../foundation/core/errors.ts'
import { nextSettlementDate } from '../../foundation/lib/banking-day.ts'
import { DAY_MS, formatDateTime, parseDateTime } from '../../foundation/lib/clock.ts'

/** The maximum number of years by which a clock may be ahead of real time (specification.md 8.3). */
const MAX_YEARS_AHEAD = 10

const DURATION = /^P(?!$)(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/

/**
 * Returns the milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as `P3D` or `PT36H`. Returns null for
 * other texts.
 */
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
 * Returns the target time of a clock. `advance` is a duration from its current time or `next_banking_day`, `now` an absolute time. A clock
 * never goes backward. A clock that is already too far ahead stays unchanged until real time catches up.
 *
 * @throws ApiError invalid_request
 */
export function advanceTarget(
  { advance, now: wanted }: { advance?: string; now?: string },
  { now, realNow }: { now: Date; realNow: Date },
): Date {
  if ((advance === undefined) === (wanted === undefined)) {
    throw fieldError('invalid_request', 'advance', 'or now is required, but not both')
  }
  const field = advance === undefined ? 'now' : 'advance'
  const target = advance === undefined ? parseDateTime(wanted as string) : after(now, advance)
  if (target === null) {
    throw fieldError(
      'invalid_request',
      field,
      field === 'now'
        ? 'must be a time as YYYY-MM-DD HH:MM:SS (UTC)'
        : 'must be an ISO 8601 duration, such as P3D or PT12H',
    )
  }
  if (target < now) throw fieldError('invalid_request', field, 'would move the clock backward. Choose a later time')
  const latest = latestTime(realNow)
  if (target > latest) {
    const limit = `${MAX_YEARS_AHEAD} years ahead of real time (${formatDateTime(latest)})`
    throw fieldError('invalid_request', field, `must lead to at most ${limit}`)
  }
  return target
}

function latestTime(realNow: Date): Date {
  const latest = new Date(realNow)
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_YEARS_AHEAD)
  return latest
}

/** A value of `advance`: the clock advances to the next banking day, by which the debits and payouts of today have settled. */
const NEXT_BANKING_DAY = 'next_banking_day'

function after(now: Date, duration: string): Date | null {
  if (duration === NEXT_BANKING_DAY) return nextSettlementDate(now)
  const ms = durationMs(duration)
  return ms === null ? null : new Date(now.getTime() + ms)
}
