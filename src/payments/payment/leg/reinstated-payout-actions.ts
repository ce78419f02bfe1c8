import type { TxDeps } from '../../../foundation/db/deps.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { applyLegEvent, type LegHandler, legsOf } from '../../../money/rail/leg-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { applyInvoiceEvent } from '../../invoice-status/invoice-change-actions.ts'
import { applyPaymentEvent } from '../payment-change-actions.ts'
import type { PaymentRow } from '../payment-types.ts'
import { holdsFullAmount, postFor, subjectOf } from './payment-money-actions.ts'

/**
 * Lets the money of a rejected order leave again, because the bank has executed it, as the operator found out. The payment is PAID and is
 * not refunded. A second payout that still waits is canceled.
 *
 * @throws StartProblem if the money is not here: it went back to the sender, or out in another way
 */
export async function reinstatePayout(
  deps: TxDeps,
  handler: LegHandler,
  { payment, leg }: { payment: PaymentRow; leg: LegRow },
): Promise<void> {
  const isOpen = payment.status === 'FAILED' || payment.status === 'IN_PROCESS'
  if (!isOpen || !(await holdsFullAmount(deps, payment))) {
    throw new StartProblem(
      'The payment is not recorded as paid: its money went back to the sender or out again. If the bank has paid the order too, settle this with the sender or the payee, then close the case with a note.',
    )
  }
  for (const other of await legsOf(deps, subjectOf(payment)))
    if (other.purpose === 'payment_push' && other.status === 'WAITING')
      await applyLegEvent(deps, handler, other, 'cancel')
  await postFor(deps, payment, 'push_sent', leg)
  if (payment.status !== 'FAILED') return
  await claimInvoice(deps, payment)
  await applyPaymentEvent(deps, payment, 'reinstate')
}

/** Assigns the invoice of a failed payment to it again. @throws StartProblem if it has another payment */
async function claimInvoice(deps: TxDeps, { platformId, id, invoiceId }: PaymentRow): Promise<void> {
  if (invoiceId === null) return
  const invoice = { platformId, id: invoiceId }
  if (await applyInvoiceEvent(deps, invoice, 'receive', { before: null, after: id })) return
  throw new StartProblem(
    'The invoice of the payment has another payment, or was voided. Settle this with the payee, then close the case with a note.',
  )
}
