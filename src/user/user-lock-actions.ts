import type { TxDeps } from '../db/deps.ts'
import { ApiError } from '../lib/errors.ts'
import { isActive } from './user-status.ts'
import { findUser, holdUser, lockUserCounters, type UserKey } from './user-store.ts'

/**
 * Locks what every change of a user's payments, banks, keys and status locks first, until the end of the transaction.
 *
 * @returns whether the user is there
 */
export const lockUser = (deps: TxDeps, user: UserKey): Promise<boolean> => lockUserCounters(deps.sql, user)

/** The same for a caller, whose user may have been deleted since it was authenticated. @throws ApiError unauthorized */
export async function lockCaller(deps: TxDeps, caller: UserKey): Promise<void> {
  const isThere = (await lockUser(deps, caller)) && (await findUser(deps.sql, caller)) !== null
  if (!isThere) throw new ApiError('unauthorized')
}

/** Whether a user was not deleted. It cannot be deleted until the end of the transaction. */
export const holdUserThatIsThere = async (deps: Pick<TxDeps, 'sql'>, user: UserKey): Promise<boolean> =>
  (await holdUser(deps.sql, user)) !== null

/** Whether a user may send and receive. It cannot be suspended or deleted until the end of the transaction. */
export async function holdActiveUser(deps: TxDeps, user: UserKey): Promise<boolean> {
  const status = await holdUser(deps.sql, user)
  return status !== null && isActive(status)
}
