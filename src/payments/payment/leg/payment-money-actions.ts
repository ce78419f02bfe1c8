import { formatDollars } from '../../../foundation/core/money.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { isAnyLegHeld } from '../../../foundation/exception/bank-hold-actions.ts'
import { isExceptionOpen, type NewException, recordException } from '../../../foundation/exception/exception-actions.ts'
import { receiverIdOf } from '../../../money/ach/file/ach-file-rules.ts'
import { post, readPayableCents, readPaymentDebt } from '../../../money/ledger/ledger-actions.ts'
import type { PostingRule } from '../../../money/ledger/posting-rules.ts'
import { createLeg, legsOf } from '../../../money/rail/leg-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import type { Rail } from '../../../money/rail/rail-rules.ts'
import { mayBeAtBank } from '../../../money/rail/restore-hold-actions.ts'
import { lockUser } from '../../../people/user/user-lock-actions.ts'
import { updateRefundTime } from '../payment-store.ts'
import type { PaymentRow } from '../payment-types.ts'

/** Returns whether the full amount of a payment was pulled and has not left. */
export const holdsFullAmount = async (deps: Pick<TxDeps, 'sql'>, payment: PaymentRow): Promise<boolean> =>
  (await readPayableCents(deps, keyOf(payment))) >= payment.amountCents

export const pull = (deps: TxDeps, payment: PaymentRow) =>
  createLeg(deps, {
    ...legBasics(payment),
    purpose: 'payment_pull',
    userId: payment.senderId,
    accountId: payment.fundingId,
    rail: 'ACH',
    direction: 'debit',
  }).then(() => {})

export const push = (deps: TxDeps, payment: PaymentRow) =>
  createLeg(deps, {
    ...legBasics(payment),
    purpose: 'payment_push',
    userId: payment.recipientId ?? payment.senderId,
    accountId: payment.destinationId,
    rail: payment.rail as Rail,
    direction: 'credit',
  })

/** Starts the push if the pull is trusted. Otherwise the push starts when the pull becomes trusted. */
export async function pushOrWait(deps: TxDeps, payment: PaymentRow): Promise<void> {
  if (!(await isPullAwaited(deps, payment))) await push(deps, payment)
}

/** Returns whether a debit has settled and is not trusted yet. */
export const isPullAwaited = async (deps: TxDeps, payment: PaymentRow): Promise<boolean> =>
  (await legsOf(deps, subjectOf(payment))).some(
    ({ purpose, status }) => purpose === 'payment_pull' && status === 'SETTLED',
  )

export const pushBack = (deps: TxDeps, payment: PaymentRow, bankId = payment.fundingId) =>
  createLeg(deps, {
    ...legBasics(payment),
    purpose: 'payment_refund',
    userId: payment.senderId,
    accountId: bankId,
    rail: 'ACH',
    direction: 'credit',
  }).then(() => {})

const legBasics = (payment: PaymentRow) => ({
  platformId: payment.platformId,
  subjectId: payment.id,
  cents: payment.amountCents,
})

export const postFor = (deps: TxDeps, payment: PaymentRow, rule: PostingRule, leg?: LegRow): Promise<void> =>
  post(deps, { ...keyOf(payment), ...(leg && { legId: leg.id }) }, rule, {
    cents: payment.amountCents,
    ...(payment.fundingKind === 'wallet' && { senderWallet: payment.fundingId }),
    ...(leg && { rail: leg.rail }),
  })

export const keyOf = ({ platformId, id }: PaymentRow) => ({ platformId, paymentId: id })
export const subjectOf = ({ platformId, id }: PaymentRow) => ({ platformId, subjectId: id })
export const subjectOfLeg = ({ platformId, subjectId, id }: LegRow) => ({ platformId, paymentId: subjectId, legId: id })

/**
 * Uses returned money of a payment to cover the sender's debt for this payment, instead of refunding it. If the sender has already paid a
 * part of the debt, the operator decides. Either way, a refund that was planned is canceled.
 *
 * @param given.isReviewed whether the operator has found out that the money was not refunded before a restore of the database
 * @returns false if the sender owes nothing for this payment, or if the bank may have a refund that was lost
 */
export async function coverDebt(
  deps: TxDeps,
  payment: PaymentRow,
  what: string,
  { isReviewed = false } = {},
): Promise<boolean> {
  if ((await readPaymentDebt(deps, keyOf(payment))) === 0) return false
  if (!isReviewed && (await mayBeRefunded(deps, payment))) return false
  // `remit debt settle` holds this lock.
  await lockUser(deps, { platformId: payment.platformId, userId: payment.senderId })
  const owedCents = await readPaymentDebt(deps, keyOf(payment))
  if (owedCents === 0) return false
  if (payment.refundAt) await updateRefundTime(deps.sql, keyOf(payment), null)
  if (owedCents === payment.amountCents) {
    await post(deps, keyOf(payment), 'debt_covered', { cents: owedCents, debtor: payment.senderId })
    return true
  }
  const note = `${what}. The sender owes ${formatDollars(owedCents)} of it and has paid the rest.`
  await recordCase(deps, payment, { kind: 'debt_paid_in_part', note })
  return true
}

/**
 * Returns whether the money of a payment is here and an open case about the payment decides who gets it: the payee may have the money as
 * well. A case about a leg that could not be sent is about sending it again. An UNPAID payment has no legs, but after a restore the
 * bank may have its payout.
 */
export async function isRefundHeld(deps: TxDeps, payment: PaymentRow): Promise<boolean> {
  if (payment.status === 'UNPAID') return mayBeAtBank(deps, namesAtBank(payment))
  const legs = await legsOf(deps, subjectOf(payment))
  if (legs.every(({ heldAt }) => heldAt === null) || !(await holdsFullAmount(deps, payment))) return false
  const about = { platformId: payment.platformId, legIds: legs.map(({ id }) => id) }
  const isUnsent = await isExceptionOpen(deps, { ...about, kinds: ['order_refused', 'leg_unsendable'] })
  if (!isUnsent || (await mayBeAtBank(deps, namesAtBank(payment)))) return true
  return (await isExceptionOpen(deps, { ...about, kinds: ['maybe_at_bank'] })) || isAnyLegHeld(deps, about.legIds)
}

/** Returns whether the bank may have a refund of a payment that a restore of the database has lost. */
export const mayBeRefunded = (deps: TxDeps, payment: PaymentRow): Promise<boolean> =>
  mayBeAtBank(deps, { ...namesAtBank(payment), what: 'refunds' })

/** Returns whether the bank may have a debit of a payment that a restore of the database has lost. */
export const mayBeDebited = (deps: TxDeps, payment: PaymentRow): Promise<boolean> =>
  mayBeAtBank(deps, { ...namesAtBank(payment), what: 'debits' })

/** What an entry at the bank, or a check at the printer, has of a payment. */
export function namesAtBank({ id: paymentId, number, amountCents: cents }: PaymentRow) {
  const receiverId = receiverIdOf({ id: paymentId }, { receiverId: number })
  return { paymentId, receiverId: receiverId.slice(0, 15).trim(), cents }
}

/** Records that the operator has to decide about the money of a payment. */
export const recordCase = (
  deps: TxDeps,
  payment: PaymentRow,
  given: Pick<NewException, 'kind' | 'note' | 'legId'>,
): Promise<void> =>
  recordException(deps, { ...keyOf(payment), userId: payment.senderId, cents: payment.amountCents, ...given })
