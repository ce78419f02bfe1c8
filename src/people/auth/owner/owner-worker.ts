import type { Deps } from '../../../foundation/db/deps.ts'
import { sweepOldRows } from '../../../foundation/db/old-rows.ts'
import { forgottenAttempts } from '../attempts/attempt-store.ts'
import { endedSessions } from '../session/session-store.ts'
import { expiredVerifications } from '../sign-up/verification-store.ts'
import { expiredInvitations } from '../team/invitation-store.ts'

const ROWS_PER_PASS = 1_000

const batch = (deps: Deps) => ({ until: deps.realClock.now(), limit: ROWS_PER_PASS })

/** One pass: deletes ended sessions. @returns the number of deleted sessions */
export const sweepSessions = (deps: Deps): Promise<number> =>
  sweepOldRows(deps, 'sweep sessions', endedSessions, batch(deps))

/** One pass: deletes expired verifications and invitations. @returns their number */
export const sweepVerifications = async (deps: Deps): Promise<number> =>
  (await sweepOldRows(deps, 'sweep verifications', expiredVerifications, batch(deps))) +
  (await sweepOldRows(deps, 'sweep verifications', expiredInvitations, batch(deps)))

/** One pass: deletes attempts that no longer count. @returns the number of deleted rows */
export const sweepAttempts = (deps: Deps): Promise<number> =>
  sweepOldRows(deps, 'sweep tries', forgottenAttempts, batch(deps))
