import type { TxDeps } from '../../foundation/db/deps.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { legsOf } from '../../money/rail/leg-actions.ts'
import { endPayment, refundPayment } from './leg/payment-leg-actions.ts'
import { type PaymentStatus, paymentTransitions } from './payment-status.ts'
import { type DuePayment, lockPayment, updateExpiry, updateRefundTime } from './payment-store.ts'

const EXPIRABLE: readonly PaymentStatus[] = paymentTransitions.expire.from

/**
 * Expires a payment that was not deposited in time. Does nothing if it was deposited after it was listed. While the bank or the printer may have
 * paid the payment, it expires a day later.
 */
export async function expirePayment(deps: TxDeps, { platformId, id }: DuePayment): Promise<void> {
  const key = { platformId, paymentId: id }
  const payment = await lockPayment(deps.sql, key)
  if (!payment || !EXPIRABLE.includes(payment.status)) return
  if (!(await endPayment(deps, payment, 'expire'))) await updateExpiry(deps.sql, key, addDays(deps.clock.now(), 1))
}

/**
 * Refunds a failed payment. Does nothing if it was deposited again after it was listed. While an exception holds its legs, the money cannot
 * leave and the payment stays FAILED.
 */
export async function refundFailedPayment(deps: TxDeps, { platformId, id }: DuePayment): Promise<void> {
  const key = { platformId, paymentId: id }
  const payment = await lockPayment(deps.sql, key)
  if (!payment?.refundAt) return
  const legs = await legsOf(deps, { platformId, subjectId: id })
  const isHeld = legs.some(({ heldAt }) => heldAt !== null)
  await (isHeld ? updateRefundTime(deps.sql, key, addDays(deps.clock.now(), 1)) : refundPayment(deps, payment))
}
