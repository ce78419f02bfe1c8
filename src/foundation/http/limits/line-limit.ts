import type { Clock } from '../../lib/clock.ts'
import { createRateLimits } from './rate-limit.ts'

const LINES = { key: 'lines', limit: { burst: 50, perSecond: 5 } }

/** Fields of a log line. `omitted`: the number of lines that were left out before it. */
export type Omitted = { omitted?: number }

/** Limits the log lines of one kind, so that many requests do not flood the log. The first line after a gap says how many were left out. */
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
