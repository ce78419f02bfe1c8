import type { TxDeps } from '../../foundation/db/deps.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { insertOutsidePayment, type OutsidePayment } from './outside-payment-store.ts'

/**
 * Records money that moved outside of the service, in the transaction that posts it. The reference, such as that of a wire, identifies the
 * movement. Each reference is recorded once for each subject.
 *
 * @throws StartProblem if it is already recorded
 */
export async function recordOutsidePayment(deps: TxDeps, row: Omit<OutsidePayment, 'createdAt'>): Promise<void> {
  const reference = row.reference.trim().replace(/\s+/g, ' ').toLowerCase()
  if (reference === '') throw new StartProblem('--reference must not be empty.')
  if (await insertOutsidePayment(deps.sql, { ...row, reference, createdAt: deps.clock.now() })) return
  throw new StartProblem(`The reference ${row.reference.trim()} is recorded already, so nothing was changed.`)
}
