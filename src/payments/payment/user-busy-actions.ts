import type { TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { busyReason } from './user-busy-rules.ts'
import { findUserObligations } from './user-busy-store.ts'

/** The days after which a payment can no longer be returned. */
const DAYS_LOOKED_BACK = 180

/**
 * Explains why a user cannot be deleted or lose its last API key: because of money, payments, debts, or possible returns. Returns null if
 * it can.
 */
export async function findBusyReason(deps: TxDeps, user: UserKey): Promise<string | null> {
  const now = (await clockOf(deps, user.platformId)).now()
  return busyReason(await findUserObligations(deps.sql, { ...user, since: addDays(now, -DAYS_LOOKED_BACK) }), now)
}
