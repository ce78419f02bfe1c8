import type { TxDeps } from '../../../foundation/db/deps.ts'
import { isExceptionOpen } from '../../../foundation/exception/exception-actions.ts'
import type { LegPurpose, LegRow } from '../../../money/rail/leg-store.ts'
import { holdForReview, mayBeAtBank } from '../../../money/rail/restore-hold-actions.ts'
import type { PaymentRow } from '../payment-types.ts'
import { mayBeRefunded, namesAtBank, push, pushBack } from './payment-money-actions.ts'

// Payouts and refunds that the bank has or may have, and that a restore of the database has lost.

/** What the bank may have of a payment. `held`: the operator is already finding out about one of its legs. */
export type Lost = 'held' | 'payout' | 'refund'

export const lostPurposes = { payout: 'payment_push', refund: 'payment_refund' } as const satisfies Record<
  Exclude<Lost, 'held'>,
  LegPurpose
>

/** Returns what a restore of the database may have lost of a payment, or null. `legs`: those of the payment. */
export async function findLost(deps: TxDeps, payment: PaymentRow, legs: readonly LegRow[]): Promise<Lost | null> {
  if (await mayHaveLeft(deps, legs)) return 'held'
  if (await mayBeRefunded(deps, payment)) return 'refund'
  return (await mayBeAtBank(deps, namesAtBank(payment))) ? 'payout' : null
}

/** Returns whether a restore of the database left it open if a leg has left. The operator finds out. */
export async function mayHaveLeft(deps: TxDeps, legs: readonly LegRow[]): Promise<boolean> {
  const [held] = legs.filter(({ heldAt }) => heldAt !== null)
  if (!held) return false
  const legIds = legs.map(({ id }) => id)
  return isExceptionOpen(deps, { platformId: held.platformId, legIds, kinds: ['maybe_at_bank'] })
}

/**
 * Lets a lost payout or refund wait, although the debit came back. A refund is assigned to its entry when the next file is made. A payout waits
 * for the operator, because it must not be sent. `waiting`: its leg, if the restored database has one.
 */
export async function awaitLost(
  deps: TxDeps,
  payment: PaymentRow,
  lost: Exclude<Lost, 'held'>,
  waiting: LegRow | undefined,
): Promise<void> {
  if (lost === 'refund') {
    if (!waiting && !payment.refundAt) await pushBack(deps, payment)
    return
  }
  const payout = waiting ?? (await push(deps, payment))
  const note =
    'The debit of the payment came back, and the bank or the printer may have its payout from before the restore.'
  await holdForReview(deps, payout, note)
}
