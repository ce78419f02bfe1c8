import type { Connection } from '../../foundation/core/connections.ts'
import { isBankingDay } from '../../foundation/lib/banking-day.ts'
import { addDays, formatDate, instantOf, localClock } from '../../foundation/lib/clock.ts'
import { calendarOf } from './bank-calendar-rules.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Returns the time after which a file from the bank must have arrived by now, or null if none is expected. With a daily deadline, this is
 * the deadline before the last one that has passed, because each deadline expects a file since the previous deadline.
 */
export function expectedSince(connection: Connection, now: Date): Date | null {
  const { expected, timeZone } = connection
  if (expected === null) return null
  if ('everyHours' in expected) return new Date(now.getTime() - expected.everyHours * HOUR_MS)
  let passed = 0
  for (let day = localClock(now, timeZone); ; day = addDays(day, -1)) {
    if (!isBankingDay(day, calendarOf(connection))) continue
    const deadline = instantOf(new Date(`${formatDate(day)}T${expected.by}:00Z`), timeZone)
    if (deadline <= now && ++passed === 2) return deadline
  }
}
