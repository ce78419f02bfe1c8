import type { TxDeps } from '../../foundation/db/deps.ts'
import { applyLegEvent, type LegHandler, type LegHandlers } from '../rail/leg-actions.ts'
import type { LegRow } from '../rail/leg-store.ts'
import { applyPayoutEvent } from './payout-change-actions.ts'
import { lockPayout, updateAskedNow } from './payout-store.ts'

/**
 * Cancels the order of a payment that is being voided. An order that was not sent yet is canceled at once, or when its payment is no longer
 * held. Otherwise the processor is asked, and the payment keeps its status until the order is canceled, rejected or paid. The caller has
 * locked the payment.
 *
 * @param handler of the legs of payments
 * @returns null if the leg has no order, or its money has moved
 */
export async function cancelPayout(tx: TxDeps, handler: LegHandler, leg: LegRow): Promise<'canceled' | 'asked' | null> {
  const payout = await lockPayout(tx.sql, { platformId: leg.platformId, legId: leg.id })
  if (!payout) return null
  const stopping = await applyLegEvent(tx, handler, leg, 'stop')
  if (!stopping) return null
  tx.afterCommit(tx.wake)
  if (payout.status === 'READY') {
    await applyPayoutEvent(tx, handlersOf(handler), { payout, leg: stopping }, 'cancel')
    return stopping.heldAt ? 'asked' : 'canceled'
  }
  await updateAskedNow(tx.sql, payout, tx.clock.now())
  return 'asked'
}

/** The legs of orders belong to payments. */
const handlersOf = (handler: LegHandler): LegHandlers => ({
  ...{ payment_pull: handler, payment_push: handler, payment_refund: handler, micro_deposit: handler },
})
