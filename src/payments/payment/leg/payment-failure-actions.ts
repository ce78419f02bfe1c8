import type { TxDeps } from '../../../foundation/db/deps.ts'
import { addDays } from '../../../foundation/lib/clock.ts'
import { post } from '../../../money/ledger/ledger-actions.ts'
import { legsOf } from '../../../money/rail/leg-actions.ts'
import { isInFlight, type LegEvent } from '../../../money/rail/leg-status.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { isOrderRail } from '../../../money/rail/rail-rules.ts'
import { holdExistingUser } from '../../../people/user/user-lock-actions.ts'
import { followPayment } from '../../invoice-status/invoice-change-actions.ts'
import { applyPaymentEvent } from '../payment-change-actions.ts'
import { updateRefundTime } from '../payment-store.ts'
import type { PaymentRow } from '../payment-types.ts'
import { reportIfClosed } from './closed-user-actions.ts'
import { holdsFullAmount, keyOf, recordCase, subjectOf, subjectOfLeg } from './payment-money-actions.ts'

/** The days in which a failed payment can be deposited again. After that, its money is returned to the sender. */
const DAYS_UNTIL_REFUND = 5

/** Returns whether a leg is a payout that the payee has or may still get. */
export const isWithPayee = ({ purpose, status }: LegRow): boolean =>
  purpose === 'payment_push' && (isInFlight(status) || status === 'SETTLED')

/** Records that the sender owes money that had already left. */
export async function recordDebt(deps: TxDeps, payment: PaymentRow, leg: LegRow): Promise<void> {
  await post(deps, subjectOfLeg(leg), 'pull_returned_late', { cents: leg.cents, debtor: payment.senderId })
  if (await holdUserOf(deps, payment)) return
  await recordHolderGone(deps, payment, leg, 'The debit came back, and the sender, who owes the money, was deleted.')
}

/**
 * Makes a payment FAILED. Money that is here will be refunded. Money that is owed, or was never pulled, cannot be. A payment for an invoice
 * does not wait for another deposit. A payment that failed before, because its debit was returned, is refunded if its sender has paid the
 * debt.
 */
export async function failPayment(
  deps: TxDeps,
  payment: PaymentRow,
  leg: LegRow,
  { isForDebt = false }: { isForDebt?: boolean } = {},
): Promise<void> {
  const { returnCode } = leg
  const isHere = await holdsFullAmount(deps, payment)
  const isGone = isHere && !(await holdUserOf(deps, payment))
  // The money of a scanned check belongs to the user, who deposits it into another account.
  const isRefunded = isHere && !isForDebt && !isGone && payment.kind !== 'SCANNED'
  const refundAt = addDays(deps.clock.now(), payment.invoiceId === null ? DAYS_UNTIL_REFUND : 0)
  const isPayeePaid = payment.invoiceId !== null && (await legsOf(deps, subjectOf(payment))).some(isWithPayee)
  const change = { ...(returnCode && { returnCode }), ...(isRefunded && { refundAt }), isPayeePaid }
  if (payment.status !== 'FAILED') await applyPaymentEvent(deps, payment, 'fail', change)
  else if (isRefunded) await updateRefundTime(deps.sql, keyOf(payment), refundAt)
  if (isHere && !isGone) await reportIfClosed(deps, payment, leg.id)
  if (isGone) await recordHolderGone(deps, payment, leg, 'The credit came back, and the sender was deleted.')
}

/** Locks the sender against deletion until the end of the transaction. @returns whether the sender exists */
const holdUserOf = ({ sql }: TxDeps, { platformId, senderId }: PaymentRow): Promise<boolean> =>
  holdExistingUser({ sql }, { platformId, userId: senderId })

/** Opens a case because the user was deleted. The operator must find out whom to pay, or who has to pay. */
const recordHolderGone = (deps: TxDeps, payment: PaymentRow, leg: LegRow, note: string) =>
  recordCase(deps, payment, { kind: 'holder_gone', legId: leg.id, note })

/**
 * Changes the invoice of a failed payment according to its payout. The debit can be returned before or after the payout arrives. In both
 * cases, the sender owes the money to the operator, and the payee is paid unless the payout is returned as well.
 */
export async function followPayout(
  deps: TxDeps,
  { platformId, id, invoiceId }: PaymentRow,
  { purpose, rail }: LegRow,
  event: LegEvent,
): Promise<void> {
  if (invoiceId === null || purpose !== 'payment_push') return
  const invoice = { platformId, id: invoiceId }
  if (event === 'settle' || (event === 'accept' && !isOrderRail(rail)))
    await followPayment(deps, invoice, { id, status: 'PAID' })
  if (event === 'return' || event === 'cancel') await followPayment(deps, invoice, { id, status: 'FAILED' })
}
