import type { Deps, TxDeps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { applyPaymentEvent } from './payment-actions.ts'
import { listExpiredPayments, lockPayment, type PaymentKey } from './payment-store.ts'

const PAYMENTS_PER_PASS = 100

/** One pass: expires payments that nobody took in time. @returns how many */
export async function expireDuePayments(deps: Deps): Promise<number> {
  const payments = await listExpiredPayments(deps.sql, { now: deps.clock.now(), limit: PAYMENTS_PER_PASS })
  let count = 0
  for (const { platformId, id } of payments) {
    const isExpired = await inTransaction(deps, (tx) => expire(tx, { platformId, paymentId: id })).catch((error) => {
      // One that cannot be done does not stop the others.
      deps.log.error({ err: error, payment: id }, 'payment not expired')
      return false
    })
    if (isExpired) count++
  }
  return count
}

/** Reads again under the lock: it may have been taken meanwhile, or printed, which gave it a rail. */
async function expire(deps: TxDeps, key: PaymentKey): Promise<boolean> {
  const payment = await lockPayment(deps.sql, key)
  return payment !== null && (await applyPaymentEvent(deps, payment, 'expire')) !== null
}
