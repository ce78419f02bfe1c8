import type { TxDeps } from '../../../foundation/db/deps.ts'
import type { ExceptionKind } from '../../../foundation/exception/exception-rules.ts'
import type { ExceptionRow } from '../../../foundation/exception/exception-store.ts'
import { post, readPayableCents, recordOutsidePayment } from '../../../money/ledger/ledger-actions.ts'
import { lockAvailableMoney } from '../../../money/wallet/wallet-funding-actions.ts'
import { findStoppedUser, holdExistingUser } from '../../../people/user/user-lock-actions.ts'
import { lockPayment } from '../payment-store.ts'
import { payOutside, waitsForOperator } from './paid-outside-actions.ts'

/** How the operator paid money outside of the service. */
export type OutsidePayout = { way: string; reference: string }

/** Money that only the operator can pay out. `isRefundable`: it can be sent to a bank. */
export type WaitingMoney = {
  cents: number
  of: 'payment' | 'user'
  isRefundable: boolean
  payOut(given: OutsidePayout): Promise<void>
}

/**
 * Finds the money that waits for the decision about an exception: money of its payment, money that arrived from another platform for a
 * deleted user, or the money in the wallets of a closed or deleted user. Locks it. `deps` has the clock of the platform.
 */
export async function findWaitingMoney(
  deps: TxDeps,
  { kind, platformId, paymentId, legId, userId }: ExceptionRow,
): Promise<WaitingMoney | null> {
  const payment = paymentId === null ? null : await lockPayment(deps.sql, { platformId, paymentId })
  if (payment && (await waitsForOperator(deps, payment))) {
    const isRefundable = payment.fundingKind === 'bank'
    return {
      cents: payment.amountCents,
      of: 'payment',
      isRefundable,
      payOut: (given) => payOutside(deps, payment, given),
    }
  }
  const unclaimed = paymentId !== null && payment === null ? await findUnclaimed(deps, { platformId, paymentId }) : null
  // An exception about a payout is about the money of its payment only.
  if (unclaimed || userId === null || legId !== null || !OF_WALLETS.includes(kind)) return unclaimed
  return findInWallets(deps, { platformId, userId })
}

/** The kinds of exceptions about money in the wallets of a user that cannot send it on. */
const OF_WALLETS: readonly ExceptionKind[] = ['user_closed', 'holder_gone']

/** Finds money that arrived from another platform and belongs to no wallet. The payment itself is on the other platform. */
async function findUnclaimed(
  deps: TxDeps,
  payment: { platformId: string; paymentId: string },
): Promise<WaitingMoney | null> {
  const cents = await readPayableCents(deps, payment)
  if (cents <= 0) return null
  const { platformId, paymentId: subjectId } = payment
  return {
    ...{ cents, of: 'payment', isRefundable: false },
    payOut: async (given) => {
      await recordOutsidePayment(deps, { platformId, direction: 'OUT', subjectId, cents, ...given })
      await post(deps, payment, 'paid_outside', { cents })
    },
  }
}

async function findInWallets(deps: TxDeps, user: { platformId: string; userId: string }): Promise<WaitingMoney | null> {
  const { platformId, userId: subjectId } = user
  const isLocked = !(await holdExistingUser(deps, user)) || (await findStoppedUser(deps, [user]))?.standing === 'CLOSED'
  if (!isLocked) return null
  const wallets = await lockAvailableMoney(deps, user)
  const cents = wallets.reduce((sum, wallet) => sum + wallet.cents, 0)
  if (cents === 0) return null
  return {
    ...{ cents, of: 'user', isRefundable: false },
    payOut: async (given) => {
      await recordOutsidePayment(deps, { platformId, direction: 'OUT', subjectId, cents, ...given })
      for (const wallet of wallets) {
        const amounts = { cents: wallet.cents, senderWallet: wallet.walletId }
        await post(deps, { platformId, paymentId: null }, 'wallet_paid_outside', amounts)
      }
    },
  }
}
