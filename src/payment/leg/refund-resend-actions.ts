import { holdBank } from '../../bank/bank-actions.ts'
import type { TxDeps } from '../../db/deps.ts'
import { owedFor } from '../../ledger/ledger-actions.ts'
import { legsOf } from '../../rail/leg-actions.ts'
import { applyPaymentEvent } from '../payment-change-actions.ts'
import type { PaymentStatus } from '../payment-status.ts'
import type { PaymentRow } from '../payment-types.ts'
import { holdsFullAmount, keyOf, pushBack, subjectOf } from './payment-money-actions.ts'

const ENDED: readonly PaymentStatus[] = ['FAILED', 'REFUNDED', 'VOID', 'EXPIRED']

/**
 * Sends the refund of a failed payment on the operator's decision: a returned refund, or one that the service did not
 * start. `bankId` selects another bank of the sender.
 *
 * @returns false when the money is not here, the sender owes it, it is already on its way to somebody, or the sender has
 * no such bank
 */
export async function resendRefund(deps: TxDeps, payment: PaymentRow, bankId = payment.fundingId): Promise<boolean> {
  const isOwed = (await owedFor(deps, keyOf(payment))) > 0
  const isHere = payment.fundingKind === 'bank' && !isOwed && (await holdsFullAmount(deps, payment))
  const legs = await legsOf(deps, subjectOf(payment))
  // The recipient can have deposited it again since the operator was asked.
  const isUnderWay =
    !ENDED.includes(payment.status) ||
    legs.some(({ purpose, status }) => purpose !== 'payment_pull' && status === 'WAITING')
  const { platformId, senderId: userId } = payment
  const isThere = bankId === payment.fundingId || (await holdBank(deps, { platformId, userId, bankId }))
  if (!isHere || isUnderWay || !isThere) return false
  if (payment.status === 'FAILED') await applyPaymentEvent(deps, payment, 'refund')
  await pushBack(deps, payment, bankId)
  return true
}
