import type { Deps } from '../../db/deps.ts'
import { sweepOldRows } from '../../db/old-rows.ts'
import { forgottenTries } from '../attempts/tries-store.ts'
import { endedSessions } from '../session/session-store.ts'
import { expiredVerifications } from '../sign-up/verification-store.ts'

const ROWS_PER_PASS = 1_000

const batch = (deps: Deps) => ({ until: deps.realClock.now(), limit: ROWS_PER_PASS })

/** One pass: deletes sessions that have ended. @returns how many it deleted */
export const sweepSessions = (deps: Deps): Promise<number> =>
  sweepOldRows(deps, 'sweep sessions', endedSessions, batch(deps))

/** One pass: deletes verifications that nobody finished in time. @returns how many it deleted */
export const sweepVerifications = (deps: Deps): Promise<number> =>
  sweepOldRows(deps, 'sweep verifications', expiredVerifications, batch(deps))

/** One pass: deletes tries that are forgotten. @returns how many it deleted */
export const sweepTries = (deps: Deps): Promise<number> =>
  sweepOldRows(deps, 'sweep tries', forgottenTries, batch(deps))
