import type { TxDeps } from '../../../foundation/db/deps.ts'
import { recordException } from '../../../foundation/exception/exception-actions.ts'
import { findStoppedUser, holdExistingUser } from '../../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import { lockPayment } from '../payment-store.ts'
import type { PaymentRow } from '../payment-types.ts'
import { listMoneyOfScannedChecks, listWalletMoney } from './closed-user-store.ts'
import { holdsFullAmount, postFor, recordCase } from './payment-money-actions.ts'

// Opens cases for the operator about money that waits for an action of a user that was closed.

const isClosed = async (deps: TxDeps, { platformId, senderId: userId }: PaymentRow): Promise<boolean> =>
  (await findStoppedUser(deps, [{ platformId, userId }]))?.standing === 'CLOSED'

/** Returns money to the wallet of its sender. */
export async function giveBack(deps: TxDeps, payment: PaymentRow): Promise<void> {
  // Either the sender is closed after this transaction, which finds the money, or this function sees that it is closed.
  await holdExistingUser(deps, { platformId: payment.platformId, userId: payment.senderId })
  await postFor(deps, payment, 'give_back')
  if (await isClosed(deps, payment)) {
    await recordCase(deps, payment, {
      kind: 'user_closed',
      note: 'The money went back into the wallet of a closed user.',
    })
  }
}

/**
 * Opens a case if a scanned check was not paid out and its user, who would choose another account, is closed.
 *
 * @returns whether that is the case
 */
export async function reportIfClosed(deps: TxDeps, payment: PaymentRow, legId: string): Promise<boolean> {
  if (payment.kind !== 'SCANNED' || !(await isClosed(deps, payment))) return false
  const note = 'The money of a scanned check is here, because it could not be paid out, and its user is closed.'
  await recordCase(deps, payment, { kind: 'user_closed', legId, note })
  return true
}

/**
 * Opens cases for the money that waits for a closed user, or for all users of a closed platform. `limit` bounds one call.
 *
 * @returns the number of cases
 */
export async function reportWaitingMoney(deps: TxDeps, user: UserKey, limit: number): Promise<number> {
  const { platformId } = user
  let count = 0
  for (const { paymentId, legId } of await listMoneyOfScannedChecks(deps.sql, user, limit)) {
    const payment = await lockPayment(deps.sql, { platformId, paymentId })
    const isHere = payment !== null && (await holdsFullAmount(deps, payment))
    if (isHere && (await reportIfClosed(deps, payment, legId))) count++
  }
  const wallets = await listWalletMoney(deps.sql, user, limit)
  for (const { userId, cents } of wallets) {
    const note = 'The wallets of a closed user hold money.'
    await recordException(deps, { platformId, kind: 'user_closed', userId, cents, note })
  }
  return count + wallets.length
}
