import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import { requireCents } from '../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { cutPage, type Paging, type Position } from '../../foundation/db/paging.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { lockCaller } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { creditWallet } from './wallet-funding-actions.ts'
import { giveNumber, type ShownWallet, withNumbers } from './wallet-number-actions.ts'
import type { WalletType } from './wallet-rules.ts'
import {
  countWalletEntries,
  findWallet,
  insertWallet,
  listWalletEntries,
  listWallets,
  lockWallet,
  markWalletDeleted,
  updateWalletName,
  type WalletEntry,
  type WalletRow,
} from './wallet-store.ts'

/** Creates an empty wallet. */
export async function createWallet(
  deps: TxDeps,
  caller: Caller,
  { name, type }: { name: string | null; type: WalletType },
): Promise<ShownWallet> {
  await lockCaller(deps, caller)
  const { platformId, userId } = caller
  const wallet = { platformId, userId, id: newId(deps), name, createdAt: deps.clock.now() }
  await insertWallet(deps.sql, { ...wallet, type })
  await giveNumber(deps, wallet)
  await recordAudit(deps, caller, 'wallet_added', wallet.id)
  const [shown] = await withNumbers(deps, [{ ...wallet, balanceCents: 0, heldCents: 0 }])
  return shown as ShownWallet
}

export const getWallets = async (deps: Deps, user: UserKey): Promise<ShownWallet[]> =>
  withNumbers(deps, await listWallets(deps.sql, user))

/** Reads a wallet with its account numbers. @throws ApiError wallet_not_found */
export async function getShownWallet(
  deps: Pick<TxDeps, 'sql' | 'settings' | 'connections' | 'keyRing'>,
  caller: Caller,
  id: string,
): Promise<ShownWallet> {
  const [shown] = await withNumbers(deps, [await getWallet(deps, caller, id)])
  return shown as ShownWallet
}

/** Reads a wallet of the caller. An owner can read all wallets of its platform. @throws ApiError wallet_not_found */
export async function getWallet(deps: Pick<TxDeps, 'sql'>, caller: Caller, id: string): Promise<WalletRow> {
  const wallet = await findWallet(deps.sql, { platformId: caller.platformId, id })
  if (!wallet || (wallet.userId !== caller.userId && !caller.isOwner)) throw new ApiError('wallet_not_found')
  return wallet
}

async function lockOwnWallet(deps: TxDeps, caller: Caller, id: string): Promise<WalletRow> {
  await getWallet(deps, caller, id)
  const wallet = await lockWallet(deps.sql, { platformId: caller.platformId, id })
  if (!wallet) throw new ApiError('wallet_not_found')
  if (wallet.userId !== caller.userId) throw new ApiError('not_the_holder')
  return wallet
}

/** Changes the name of a wallet. @throws ApiError wallet_not_found, not_the_holder */
export async function renameWallet(deps: TxDeps, caller: Caller, id: string, name: string | null): Promise<void> {
  await updateWalletName(deps.sql, await lockOwnWallet(deps, caller, id), name)
}

/** Functions of higher folders (operation/app/removal.ts). `isInUse`: whether the wallet funds a payment that has not ended. */
export type WalletHooks = { isInUse(deps: TxDeps, wallet: WalletRow): Promise<boolean> }

/**
 * Deletes an empty wallet without payments in transit. Money that is returned later reopens it.
 *
 * @throws ApiError wallet_not_found, not_the_holder, wallet_busy
 */
export async function deleteWallet(deps: TxDeps, caller: Caller, id: string, hooks: WalletHooks): Promise<void> {
  const wallet = await lockOwnWallet(deps, caller, id)
  if (!(await deleteUnused(deps, wallet, hooks))) throw new ApiError('wallet_busy')
  await recordAudit(deps, caller, 'wallet_removed', id)
}

/** Deletes all wallets of a user. @throws ApiError user_busy if a wallet holds money */
export async function deleteWalletsOfUser(deps: TxDeps, user: UserKey, hooks: WalletHooks): Promise<void> {
  for (const { id } of await listWallets(deps.sql, user)) {
    const wallet = await lockWallet(deps.sql, { platformId: user.platformId, id })
    if (!wallet || (await deleteUnused(deps, wallet, hooks))) continue
    throw new ApiError('user_busy', {
      message:
        'The user cannot be deleted because a wallet holds money or funds an open payment. Empty the wallet first.',
    })
  }
}

/** Deletes a wallet that is not used. @param wallet must be locked @returns false if it holds money, or money can return to it */
async function deleteUnused(deps: TxDeps, wallet: WalletRow, hooks: WalletHooks): Promise<boolean> {
  if (await hooks.isInUse(deps, wallet)) return false
  return markWalletDeleted(deps.sql, wallet, deps.clock.now())
}

/** Lists the entries of a wallet. `total` is set only for numbered pages. @throws ApiError wallet_not_found */
export async function getWalletEntries(
  deps: Deps,
  caller: Caller,
  { id, paging }: { id: string; paging: Paging },
): Promise<{ rows: WalletEntry[]; next: Position | null; total: number | null }> {
  const wallet = await getWallet(deps, caller, id)
  const rows = await listWalletEntries(deps.sql, wallet, paging)
  const total = paging.after ? null : await countWalletEntries(deps.sql, wallet)
  return { ...cutPage(rows, paging), total }
}

/** Adds simulated money to a wallet. `amount` is in dollars. @throws ApiError wallet_not_found */
export async function fundWallet(
  deps: TxDeps,
  caller: Caller,
  { id, amount }: { id: string; amount: number },
): Promise<ShownWallet> {
  const { platformId } = caller
  await getWallet(deps, caller, id)
  const cents = requireCents(amount, 'amount')
  if (!(await lockWallet(deps.sql, { platformId, id }))) throw new ApiError('wallet_not_found')
  await creditWallet(deps, { platformId, walletId: id, cents })
  return getShownWallet(deps, caller, id)
}
