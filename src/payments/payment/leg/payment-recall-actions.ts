import type { TxDeps } from '../../../foundation/db/deps.ts'
import { canRecallOrder } from '../../../money/iso20022/order/order-recall-actions.ts'
import { cancelPayout } from '../../../money/payout/payout-cancel-actions.ts'
import { applyLegEvent, legsOf } from '../../../money/rail/leg-actions.ts'
import { isInFlight } from '../../../money/rail/leg-status.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { isOrderRail, isRecallable } from '../../../money/rail/rail-rules.ts'
import type { PaymentRow } from '../payment-types.ts'
import { paymentLegs } from './payment-leg-actions.ts'
import { subjectOf } from './payment-money-actions.ts'

/** The outcome of a recall. `awaited`: it was requested before. `refused`: the bank has refused it before, which is final. */
export type Recall = { outcome: 'canceled' | 'asked' } | { outcome: 'awaited' | 'refused'; by: 'bank' | 'processor' }

/**
 * Asks the bank to call back an order that has left, or the processor to cancel it. The payment stays IN_PROCESS until the answer. The
 * order of a processor that has not left is canceled at once.
 *
 * @returns null if there is no order that can be called back
 */
export async function recallOrder(deps: TxDeps, payment: PaymentRow): Promise<Recall | null> {
  const order = await findSentOrder(deps, payment)
  if (!order) return null
  const by = isRecallable(order.rail) ? 'bank' : 'processor'
  if (order.status === 'STOPPING') return { outcome: 'awaited', by }
  if (by === 'processor') {
    const outcome = await cancelPayout(deps, paymentLegs, order)
    return outcome && { outcome }
  }
  if (!(await canRecallOrder(deps, order))) return { outcome: 'refused', by }
  return (await applyLegEvent(deps, paymentLegs, order, 'stop')) && { outcome: 'asked' }
}

/** Finds the order of a payment at a bank or processor whose money has not arrived yet. */
async function findSentOrder(deps: TxDeps, payment: PaymentRow): Promise<LegRow | undefined> {
  if (payment.status !== 'IN_PROCESS' || deps.settings.railNetwork !== 'file') return undefined
  const legs = await legsOf(deps, subjectOf(payment))
  return legs.find(({ purpose, rail, status }) => purpose === 'payment_push' && isOrderRail(rail) && isInFlight(status))
}
