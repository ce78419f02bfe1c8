import type { Clock } from '../../src/foundation/lib/clock.ts'

/** A clock that changes only with `advance`. */
export type FakeClock = Clock & { advance(seconds: number): void }

export function fakeClock(start = '2026-03-02T15:00:00.000Z'): FakeClock {
  let now = new Date(start).getTime()
  return {
    now: () => new Date(now),
    advance: (seconds) => {
      now += seconds * 1000
    },
  }
}
