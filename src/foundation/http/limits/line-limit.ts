import type { Clock } from '../../lib/clock.ts'
import { createRateLimits } from './rate-limit.ts'

const LINES = { key: 'lines', limit: { burst: 50, perSecond: 5 } }

/** Fields of a log line. `omitted`: how many lines were omitted before it. */
export type Omitted = { omitted?: number }

/** Limits log lines of one kind, so that many requests do not flood the log. The next line says how many were omitted. */
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
