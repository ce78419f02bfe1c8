import type { Deps } from '../db/deps.ts'
import { deleteExpiredSessions } from './session-store.ts'
import { deleteForgottenTries } from './tries-store.ts'
import { deleteExpiredVerifications } from './verification-store.ts'

const ROWS_PER_PASS = 1_000

const limits = (deps: Deps) => ({ now: deps.realClock.now(), limit: ROWS_PER_PASS })

/** One pass: deletes sessions that have ended. @returns how many it deleted */
export const sweepSessions = (deps: Deps): Promise<number> => deleteExpiredSessions(deps.sql, limits(deps))

/** One pass: deletes verifications that nobody finished in time. @returns how many it deleted */
export const sweepVerifications = (deps: Deps): Promise<number> => deleteExpiredVerifications(deps.sql, limits(deps))

/** One pass: deletes tries that are forgotten. @returns how many it deleted */
export const sweepTries = (deps: Deps): Promise<number> => deleteForgottenTries(deps.sql, limits(deps))
