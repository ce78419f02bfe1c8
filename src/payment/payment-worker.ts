import type { Deps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { applyPaymentEvent } from './payment-actions.ts'
import { listExpiredPayments } from './payment-store.ts'

const PAYMENTS_PER_PASS = 100

/** One pass: expires payments that nobody took in time. @returns how many it looked at */
export async function expireDuePayments(deps: Deps): Promise<number> {
  const payments = await listExpiredPayments(deps.sql, { now: deps.clock.now(), limit: PAYMENTS_PER_PASS })
  // A payment that was taken meanwhile is not in a state that may expire: the guarded update leaves it alone.
  for (const payment of payments) await inTransaction(deps, (tx) => applyPaymentEvent(tx, payment, 'expire'))
  return payments.length
}
