import { ApiError } from '../../foundation/core/errors.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import type { StoppedGuard } from '../../foundation/http/caller.ts'
import {
  findPerson,
  findStanding,
  firstStopped,
  holdUser,
  listStoppedUsers,
  lockUserCounters,
  type StoppedUser,
  type UserKey,
} from './user-store.ts'

/**
 * Locks a user until the end of the transaction. Every change of its payments, banks, keys and status takes this lock first.
 *
 * @returns whether the user exists
 */
export const lockUser = (deps: TxDeps, user: UserKey): Promise<boolean> => lockUserCounters(deps.sql, user)

/**
 * Locks the user of a caller until the end of the transaction. It may have been deleted after authentication.
 *
 * @throws ApiError unauthorized
 */
export async function lockCaller(deps: TxDeps, caller: UserKey): Promise<void> {
  const isThere = (await lockUser(deps, caller)) && (await findPerson(deps.sql, caller)) !== null
  if (!isThere) throw new ApiError('unauthorized')
}

/** Returns whether a user exists. Prevents its deletion until the end of the transaction. */
export const holdExistingUser = async (deps: Pick<TxDeps, 'sql'>, user: UserKey): Promise<boolean> =>
  (await holdUser(deps.sql, user)) !== null

/** Returns whether a user may send and receive. Prevents its suspension and deletion until the end of the transaction. */
export const holdActiveUser = async (deps: Pick<TxDeps, 'sql'>, user: UserKey): Promise<boolean> =>
  (await holdUser(deps.sql, user)) === 'ACTIVE'

/** Returns whether the operator verified a user. */
export const isVerified = async (deps: Pick<TxDeps, 'sql'>, user: UserKey): Promise<boolean> =>
  (await findPerson(deps.sql, user))?.status === 'VERIFIED'

/** Finds the first stopped user among these, or null. */
export const findStoppedUser = async (
  deps: Pick<TxDeps, 'sql'>,
  users: readonly UserKey[],
): Promise<StoppedUser | null> => firstStopped(await listStoppedUsers(deps.sql, users))

/**
 * Creates a finder of stopped users for one batch. It reads the status of all these users once, at the first call, and does not see later
 * changes.
 *
 * @returns a function that returns the first stopped user among some of them, or null
 */
export function createStoppedUserFinder(
  deps: Pick<TxDeps, 'sql'>,
  users: readonly UserKey[],
): (some: readonly UserKey[]) => Promise<StoppedUser | null> {
  let reading: Promise<StoppedUser[]> | undefined
  return async (some) => {
    reading ??= listStoppedUsers(deps.sql, users)
    const stopped = await reading
    return firstStopped(stopped.filter((one) => some.some((user) => isSameUser(one, user))))
  }
}

const isSameUser = (a: UserKey, b: UserKey): boolean => a.platformId === b.platformId && a.userId === b.userId

/** Refuses stopped users on the routes that `refusesStopped` matches. @throws ApiError user_not_active */
export const requireActive: StoppedGuard['requireActive'] = async ({ sql }, caller) => {
  const standing = await findStanding(sql, caller)
  // If the user was deleted after authentication, the action refuses the request.
  if (standing !== null && standing !== 'ACTIVE') throw new ApiError('user_not_active')
}
