import type { TxDeps } from '../../foundation/db/deps.ts'
import { recordException } from '../../foundation/exception/exception-actions.ts'
import { findStoppedUser, holdExistingUser, lockUser } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { owedForWallets, post } from '../ledger/ledger-actions.ts'
import { findAnyWallet, findPlatformOfWallet, listWallets, lockAnyWallet, type WalletRow } from './wallet-store.ts'

export type WalletCredit = { platformId: string; walletId: string; cents: number }

/**
 * Adds money from outside to a wallet: in the sandbox on request, in production when the bank has booked it. The caller has locked the
 * wallet.
 */
export const creditWallet = (tx: TxDeps, { platformId, walletId, cents }: WalletCredit): Promise<void> =>
  post(tx, { platformId, paymentId: null }, 'fund', { cents, recipientWallet: walletId })

/**
 * Locks a wallet, which may be deleted, and the counters of its holder, who may owe money that the wallet does not have.
 *
 * @returns null if there is no such wallet
 */
async function lockWithHolder(tx: TxDeps, { platformId, walletId }: Omit<WalletCredit, 'cents'>) {
  const key = { platformId, id: walletId }
  const found = await findAnyWallet(tx.sql, key)
  if (!found) return null
  await lockUser(tx, found)
  return lockAnyWallet(tx.sql, key)
}

/** Finds the platform of a wallet by its id alone, or null. */
export const findWalletAnywhere = (tx: Pick<TxDeps, 'sql'>, id: string): Promise<{ platformId: string } | null> =>
  findPlatformOfWallet(tx.sql, id)

/**
 * Locks wallets for credits in the order in which payments lock them: the counters of their holders, then the wallets.
 *
 * @returns the ids of the wallets that exist and have a holder
 */
export async function lockForCredits(
  tx: TxDeps,
  wallets: readonly Omit<WalletCredit, 'cents'>[],
): Promise<Set<string>> {
  const ids = new Map(wallets.map(({ platformId, walletId }) => [walletId, platformId]))
  const found: WalletRow[] = []
  for (const [id, platformId] of ids) {
    const wallet = await findAnyWallet(tx.sql, { platformId, id })
    if (wallet) found.push(wallet)
  }
  const usable = new Set<string>()
  const held = new Set<string>()
  for (const user of found.toSorted((a, b) => compare(a.userId, b.userId))) {
    if ((await lockUser(tx, user)) && (await holdExistingUser(tx, user))) held.add(user.userId)
  }
  for (const wallet of found.toSorted((a, b) => compare(a.id, b.id))) {
    if ((await lockAnyWallet(tx.sql, wallet)) && held.has(wallet.userId)) usable.add(wallet.id)
  }
  return usable
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Locks the wallets of a user that hold available money, and returns that money. */
export async function lockAvailableMoney(tx: TxDeps, user: UserKey): Promise<WalletCredit[]> {
  await lockUser(tx, user)
  const found: WalletCredit[] = []
  for (const { id } of (await listWallets(tx.sql, user)).toSorted((a, b) => compare(a.id, b.id))) {
    const wallet = await lockAnyWallet(tx.sql, { ...user, id })
    const cents = wallet ? wallet.balanceCents - wallet.heldCents : 0
    if (cents > 0) found.push({ platformId: user.platformId, walletId: id, cents })
  }
  return found
}

/** Removes a credit from a wallet. The holder owes the part that was spent or is held for payments. @returns the owed cents */
export async function takeBackCredit(tx: TxDeps, { platformId, walletId, cents }: WalletCredit): Promise<number> {
  const wallet = await lockHeld(tx, { platformId, walletId })
  const takenCents = Math.min(cents, wallet.balanceCents - wallet.heldCents)
  const owedCents = cents - takenCents
  const subject = { platformId, paymentId: null }
  if (takenCents > 0) await post(tx, subject, 'fund_returned', { cents: takenCents, senderWallet: walletId })
  if (owedCents > 0) await post(tx, subject, 'fund_returned_late', { cents: owedCents, debtor: wallet.userId })
  return owedCents
}

/**
 * Restores a credit that was removed from a wallet by mistake. The credit first pays what the holder still owes because of the removal.
 * `owedCents`: the debt for the credit.
 *
 * @returns the cents of the debt that it paid
 */
export async function giveBackCredit(
  tx: TxDeps,
  { platformId, walletId, cents, owedCents }: WalletCredit & { owedCents: number },
): Promise<number> {
  const { userId } = await lockHeld(tx, { platformId, walletId })
  const endedCents = Math.min(cents, owedCents, await owedForWallets(tx, { platformId, userId }))
  const subject = { platformId, paymentId: null }
  if (endedCents > 0) await post(tx, subject, 'fund_return_undone', { cents: endedCents, debtor: userId })
  if (cents === endedCents) return endedCents
  await creditWallet(tx, { platformId, walletId, cents: cents - endedCents })
  await reportLockedMoney(tx, { platformId, userId }, { cents: cents - endedCents })
  return endedCents
}

/** Opens a case if money has arrived in a wallet whose holder cannot send it on, because the holder is closed or was deleted. */
export async function reportLockedMoney(
  tx: TxDeps,
  user: UserKey,
  { cents, paymentId = null }: { cents: number; paymentId?: string | null },
): Promise<void> {
  const about = { platformId: user.platformId, userId: user.userId, paymentId, cents }
  if (!(await holdExistingUser(tx, user))) {
    const note = 'Money arrived in a wallet whose holder was deleted.'
    await recordException(tx, { ...about, kind: 'holder_gone', note })
  } else if ((await findStoppedUser(tx, [user]))?.standing === 'CLOSED') {
    await recordException(tx, { ...about, kind: 'user_closed', note: 'Money arrived in the wallet of a closed user.' })
  }
}

async function lockHeld(tx: TxDeps, { platformId, walletId }: Omit<WalletCredit, 'cents'>): Promise<WalletRow> {
  const wallet = await lockWithHolder(tx, { platformId, walletId })
  if (!wallet) throw new Error(`the wallet ${walletId} of a credit does not exist`)
  return wallet
}
