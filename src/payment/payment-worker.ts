import type { Deps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { applyPaymentEvent } from './payment-actions.ts'
import { listExpiredPayments, lockPayment } from './payment-store.ts'

const PAYMENTS_PER_PASS = 100

/** One pass: expires payments that nobody took in time. @returns how many it looked at */
export async function expireDuePayments(deps: Deps): Promise<number> {
  const payments = await listExpiredPayments(deps.sql, { now: deps.clock.now(), limit: PAYMENTS_PER_PASS })
  for (const { platformId, id } of payments) {
    await inTransaction(deps, async (tx) => {
      // Read again under the lock: it may have been taken meanwhile, or printed, which gave it a rail.
      const payment = await lockPayment(tx.sql, { platformId, paymentId: id })
      if (payment) await applyPaymentEvent(tx, payment, 'expire')
    })
  }
  return payments.length
}
