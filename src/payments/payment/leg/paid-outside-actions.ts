import type { TxDeps } from '../../../foundation/db/deps.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { readOutsidePayoutAt, readPaymentDebt, recordOutsidePayment } from '../../../money/ledger/ledger-actions.ts'
import { legsOf } from '../../../money/rail/leg-actions.ts'
import { applyPaymentEvent } from '../payment-change-actions.ts'
import type { PaymentStatus } from '../payment-status.ts'
import type { PaymentRow } from '../payment-types.ts'
import { holdsFullAmount, isRefundHeld, keyOf, postFor, subjectOf } from './payment-money-actions.ts'

const ENDED: readonly PaymentStatus[] = ['FAILED', 'REFUNDED', 'VOID', 'EXPIRED']

/**
 * Returns whether only the operator can pay out the money of a payment: the payment has ended, and its money is here, covers no debt, and
 * is not moving. The recipient may have deposited the payment again after its case was opened.
 */
export async function waitsForOperator(deps: TxDeps, payment: PaymentRow): Promise<boolean> {
  if (!ENDED.includes(payment.status)) return false
  if (!(await holdsFullAmount(deps, payment))) return false
  if ((await readPaymentDebt(deps, keyOf(payment))) > 0) return false
  const legs = await legsOf(deps, subjectOf(payment))
  return legs.every(({ purpose, status }) => purpose === 'payment_pull' || status !== 'WAITING')
}

/**
 * Returns whether money of a payment is here and its sender still owes a part of it. The sender gets it back when the debt is paid.
 */
export const isOwedInPart = async (deps: TxDeps, payment: PaymentRow): Promise<boolean> =>
  (await holdsFullAmount(deps, payment)) && (await readPaymentDebt(deps, keyOf(payment))) > 0

/**
 * Refuses to pay out the money of a payment while a case decides whether its payee has it.
 *
 * @throws StartProblem
 */
export async function requireNotHeld(deps: TxDeps, payment: PaymentRow): Promise<void> {
  if (!(await isRefundHeld(deps, payment))) return
  throw new StartProblem(
    'Another case holds this payment, because its payee may have the money. Decide that case first: remit exceptions list.',
  )
}

/**
 * Records that the operator paid the money of a payment outside of the service, for example by wire. The money leaves the books, and a
 * failed payment becomes REFUNDED. The caller holds the lock of the payment and has checked `waitsForOperator`.
 *
 * @throws StartProblem when the reference is recorded already, or a case holds the payment
 */
export async function payOutside(
  deps: TxDeps,
  payment: PaymentRow,
  { way, reference }: { way: string; reference: string },
): Promise<void> {
  await requireNotHeld(deps, payment)
  const { platformId, id: subjectId, amountCents: cents } = payment
  await recordOutsidePayment(deps, { platformId, direction: 'OUT', subjectId, reference, way, cents })
  // The user of a scanned check is the payee, so nothing is refunded and the check stays FAILED.
  if (payment.status === 'FAILED' && payment.kind !== 'SCANNED') await applyPaymentEvent(deps, payment, 'refund')
  await postFor(deps, payment, 'paid_outside')
}

/** Returns when the operator paid a scanned check to its user outside of the service, or null. */
export const readPaidOutsideAt = async (
  deps: Pick<TxDeps, 'sql'>,
  { kind, platformId, id: subjectId }: PaymentRow,
): Promise<Date | null> => (kind === 'SCANNED' ? readOutsidePayoutAt(deps, { platformId, subjectId }) : null)
