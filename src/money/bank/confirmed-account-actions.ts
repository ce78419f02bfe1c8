import { accountText } from '../../foundation/core/account-number.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { newId } from '../../foundation/lib/ids.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import {
  type ConfirmedAccountRow,
  deleteConfirmedAccounts,
  deleteConfirmedAccountsOfUser,
  insertConfirmedAccount,
  listConfirmedAccounts,
} from './confirmed-account-store.ts'

/** The time in which a confirmation verifies a bank that is added for the confirmed account. */
const MINUTES_TO_ADD = 60

type NamedAccount = { routing: string; account: string }

/** Stores the accounts that an institution confirmed for a user. The caller must hold the lock on the user. */
export async function confirmAccounts(
  deps: TxDeps,
  { platformId, userId }: UserKey,
  accounts: readonly NamedAccount[],
): Promise<void> {
  const expiresAt = new Date(deps.realClock.now().getTime() + MINUTES_TO_ADD * 60_000)
  for (const account of accounts) {
    await takeConfirmation(deps, { platformId, userId }, account) // replaces an earlier confirmation of the account
    const accountSealed = deps.keyRing.seal(accountText(account), 'bank account')
    await insertConfirmedAccount(deps.sql, { platformId, userId, id: newId(deps), accountSealed, expiresAt })
  }
}

/**
 * Uses the confirmation of an account for a user. A confirmation can be used once. The caller must hold the lock on the user.
 *
 * @returns whether there was one
 */
export async function takeConfirmation(deps: TxDeps, user: UserKey, account: NamedAccount): Promise<boolean> {
  const rows = await listConfirmedAccounts(deps.sql, user, deps.realClock.now())
  const isSame = ({ accountSealed }: ConfirmedAccountRow) =>
    deps.keyRing.openText(accountSealed, 'bank account') === accountText(account)
  const ids = rows.filter(isSame).map(({ id }) => id)
  if (ids.length > 0) await deleteConfirmedAccounts(deps.sql, user.platformId, ids)
  return ids.length > 0
}

export const forgetConfirmedAccounts = (deps: TxDeps, user: UserKey): Promise<void> =>
  deleteConfirmedAccountsOfUser(deps.sql, user)
