import type { TxDeps } from '../../../foundation/db/deps.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { holdBank } from '../../../money/bank/bank-actions.ts'
import { applyPaymentEvent } from '../payment-change-actions.ts'
import type { PaymentRow } from '../payment-types.ts'
import { isOwnCheck } from './own-check-actions.ts'
import { requireNotHeld, waitsForOperator } from './paid-outside-actions.ts'
import { pushBack } from './payment-money-actions.ts'

/**
 * Sends the refund of a failed payment by decision of the operator: a refund that was returned, or one that the service did not start.
 * `bankId` selects another bank of the sender.
 *
 * @returns false if the money is not here, covers a debt, or is already moving, or if the sender has no such bank
 * @throws StartProblem if a case holds the payment, a wallet paid for it, or the account is that of a check which this service issued
 */
export async function resendRefund(deps: TxDeps, payment: PaymentRow, bankId = payment.fundingId): Promise<boolean> {
  const { platformId, senderId: userId } = payment
  if (payment.fundingKind !== 'bank') throw new StartProblem(FROM_WALLET)
  if (bankId === payment.fundingId && (await isOwnCheck(deps, payment))) throw new StartProblem(DRAWN_HERE)
  const isThere = bankId === payment.fundingId || (await holdBank(deps, { platformId, userId, bankId }))
  if (!isThere || !(await waitsForOperator(deps, payment))) return false
  await requireNotHeld(deps, payment)
  if (payment.status === 'FAILED') await applyPaymentEvent(deps, payment, 'refund')
  await pushBack(deps, payment, bankId)
  return true
}

const FROM_WALLET =
  'A wallet paid for this payment, so its money cannot be sent to a bank. If you paid it, say how: remit exceptions close ID --paid-by.'
const DRAWN_HERE =
  'This service issued the scanned check, so its money cannot go back to the account of the check. Name a bank of the user with --bank. If you paid the user, say how: remit exceptions close ID --paid-by.'
