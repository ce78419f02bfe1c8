import type { Deps } from '../db/deps.ts'
import { SILENCE_MS } from './listener-rules.ts'
import { markSilentListenersRemoved } from './listener-store.ts'

const LISTENERS_PER_PASS = 20

/** One pass: removes listeners that have not polled for an hour. @returns how many it removed */
export const sweepListeners = (deps: Deps): Promise<number> =>
  markSilentListenersRemoved(deps.sql, {
    before: new Date(deps.realClock.now().getTime() - SILENCE_MS),
    now: deps.clock.now(),
    limit: LISTENERS_PER_PASS,
  })
