import type { Clock } from '../../lib/clock.ts'
import { createRateLimits } from './rate-limit.ts'

const LINES = { key: 'lines', limit: { burst: 50, perSecond: 5 } }

/** Fields of a line: how many lines before it were omitted. */
export type Omitted = { omitted?: number }

/** Limits log lines of one kind, so that a flood of requests does not flood the log. The next line says how many were omitted. */
export function limitLines(clock: Clock): (write: (fields: Omitted) => void) => void {
  const limits = createRateLimits(clock)
  let omitted = 0
  return (write) => {
    if (!limits.hasLeft(LINES)) {
      omitted += 1
      return
    }
    limits.charge(LINES)
    write(omitted > 0 ? { omitted } : {})
    omitted = 0
  }
}
