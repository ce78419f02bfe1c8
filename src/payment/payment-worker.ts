import type { TxDeps } from '../db/deps.ts'
import { endPayment, refundPayment } from './leg/payment-leg-actions.ts'
import { type PaymentStatus, paymentTransitions } from './payment-status.ts'
import { type DuePayment, lockPayment } from './payment-store.ts'

const EXPIRABLE: readonly PaymentStatus[] = paymentTransitions.expire.from

/** Expires a payment that was not deposited in time. It may have been deposited since it was listed. */
export async function expirePayment(deps: TxDeps, { platformId, id }: DuePayment): Promise<void> {
  const payment = await lockPayment(deps.sql, { platformId, paymentId: id })
  if (payment && EXPIRABLE.includes(payment.status)) await endPayment(deps, payment, 'expire')
}

/** Refunds a failed payment. It may have been deposited again since it was listed. */
export async function refundFailedPayment(deps: TxDeps, { platformId, id }: DuePayment): Promise<void> {
  const payment = await lockPayment(deps.sql, { platformId, paymentId: id })
  if (payment?.refundAt) await refundPayment(deps, payment)
}
