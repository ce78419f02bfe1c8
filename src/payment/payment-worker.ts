import type { TxDeps } from '../db/deps.ts'
import { endPayment, refundPayment } from './leg/payment-leg-actions.ts'
import { type DuePayment, lockPayment } from './payment-store.ts'

/** Expires a payment that nobody took in time: it may have been taken meanwhile. */
export async function expirePayment(deps: TxDeps, { platformId, id }: DuePayment): Promise<void> {
  const payment = await lockPayment(deps.sql, { platformId, paymentId: id })
  if (payment && ['UNPAID', 'PRINTED', 'MAILED'].includes(payment.status)) await endPayment(deps, payment, 'expire')
}

/** Gives the money of a failed payment back: it may have been deposited anew meanwhile. */
export async function refundFailedPayment(deps: TxDeps, { platformId, id }: DuePayment): Promise<void> {
  const payment = await lockPayment(deps.sql, { platformId, paymentId: id })
  if (payment?.refundAt) await refundPayment(deps, payment)
}
