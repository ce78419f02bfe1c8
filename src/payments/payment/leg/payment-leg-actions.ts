import type { TxDeps } from '../../../foundation/db/deps.ts'
import { areFilesAccepted } from '../../../money/ach/file/ach-follow-actions.ts'
import { applyConsequence } from '../../../money/bank/bank-block-actions.ts'
import { post, readPaymentDebt } from '../../../money/ledger/ledger-actions.ts'
import { OTHER_PLATFORM } from '../../../money/ledger/posting-rules.ts'
import {
  applyLegEvent,
  type LegHandler,
  type LegSubject,
  legsOf,
  postponeTrust,
} from '../../../money/rail/leg-actions.ts'
import { isInFlight, type LegEvent } from '../../../money/rail/leg-status.ts'
import type { LegPurpose, LegRow } from '../../../money/rail/leg-store.ts'
import { isOrderRail } from '../../../money/rail/rail-rules.ts'
import { mayBeAtBank } from '../../../money/rail/restore-hold-actions.ts'
import { isPaper } from '../../../money/rail/simulated-rail-rules.ts'
import { createStoppedUserFinder } from '../../../people/user/user-lock-actions.ts'
import type { StoppedUser, UserKey } from '../../../people/user/user-store.ts'
import { sendAccountReturn } from '../outbox/outbox-actions.ts'
import { applyPaymentEvent } from '../payment-change-actions.ts'
import { lockPayment, lockPayments, updateRefundTime } from '../payment-store.ts'
import type { PaymentRow } from '../payment-types.ts'
import { loadVirtualCard, unloadVirtualCard } from './card-payout-actions.ts'
import { giveBack } from './closed-user-actions.ts'
import { bankOf, checkAccount, correctMagicBank } from './leg-account-actions.ts'
import { awaitLost, findLost, lostPurposes, mayHaveLeft } from './lost-payout-actions.ts'
import { isOwnCheck, payOutOwnCheck } from './own-check-actions.ts'
import { markStopped } from './paper-stop-store.ts'
import { failPayment, followPayout, isWithPayee, recordDebt } from './payment-failure-actions.ts'
import {
  coverDebt,
  holdsFullAmount,
  isPullAwaited,
  isRefundHeld,
  keyOf,
  mayBeDebited,
  namesAtBank,
  postFor,
  pull,
  push,
  pushBack,
  pushOrWait,
  recordCase,
  subjectOf,
} from './payment-money-actions.ts'
import { reinstatePayout } from './reinstated-payout-actions.ts'

/** Starts to move the money of a payment that was deposited, printed or sent to the printer. */
export async function startMoneyMovement(deps: TxDeps, payment: PaymentRow): Promise<void> {
  if (await holdsFullAmount(deps, payment)) return pushOrWait(deps, payment)
  if (await payOutOwnCheck(deps, paymentLegs, payment)) return
  if (payment.fundingKind === 'bank') return pull(deps, payment)
  await post(deps, keyOf(payment), 'deposit', { cents: payment.amountCents, senderWallet: payment.fundingId })
  await push(deps, payment)
}

/** Moves money from a wallet into a wallet. A wallet on another platform receives it with the message about the change of the payment. */
export function transferToWallet(deps: TxDeps, payment: PaymentRow): Promise<void> {
  const { amountCents: cents, fundingId: senderWallet, platformId } = payment
  const recipientWallet = payment.destinationId as string
  return (payment.recipientPlatformId ?? platformId) === platformId
    ? post(deps, keyOf(payment), 'receive', { cents, senderWallet, recipientWallet })
    : post(deps, keyOf(payment), 'receive_elsewhere', { cents, senderWallet, rail: OTHER_PLATFORM })
}

/**
 * Reverses the funding of a payment that is voided or expires, if the money has not left yet. Stops paper checks.
 *
 * @returns false if the money has left and cannot be stopped, or if a case decides who gets it
 */
async function reverseFunding(deps: TxDeps, payment: PaymentRow): Promise<boolean> {
  if (payment.status === 'FAILED') return reverseFailed(deps, payment)
  if (payment.status === 'UNPAID') {
    if (await isRefundHeld(deps, payment)) return false
    if (payment.fundingKind === 'wallet') await postFor(deps, payment, 'release')
    return true
  }
  const legs = await legsOf(deps, subjectOf(payment))
  const isPaperCheck = payment.status === 'PRINTED' || payment.status === 'MAILED'
  const hasLeft = legs.some(({ status }) => isInFlight(status) || status === 'SETTLED' || status === 'TRUSTED')
  // The money of a stopped check waits for the bank and for the cases about it.
  if (!isPaperCheck && (hasLeft || (await isRefundHeld(deps, payment)))) return false
  if (await mayHaveLeft(deps, legs)) return false
  for (const leg of legs) {
    if (leg.purpose === 'payment_push') await cancelPush(deps, leg)
    else if (leg.status === 'WAITING') await applyLegEvent(deps, paymentLegs, leg, 'cancel')
  }
  await refundEndedPayment(deps, payment)
  return true
}

/**
 * Reverses a failed payment: returned money goes to the sender, and a returned debit can no longer be retried. The money of a scanned
 * check belongs to its user, who chooses another account.
 */
async function reverseFailed(deps: TxDeps, payment: PaymentRow): Promise<boolean> {
  if (payment.kind === 'SCANNED' || !(await canBeDepositedAgain(deps, payment))) return false
  if (await isRefundHeld(deps, payment)) return false
  await refundEndedPayment(deps, payment)
  return true
}

/**
 * Cancels a payout that was not sent, and stops an issued check. Simulated rails stop it at once. On file rails, the bank may pay the check
 * until it accepts a stop file. A check that was never issued needs no stop. A check that waits to be printed again may be outstanding.
 */
async function cancelPush(deps: TxDeps, leg: LegRow): Promise<void> {
  if (!isPaper(leg.rail)) {
    if (leg.status === 'WAITING') await applyLegEvent(deps, paymentLegs, leg, 'cancel')
    return
  }
  if (!['WAITING', 'SENT', 'ACCEPTED'].includes(leg.status)) return
  const isOut = deps.settings.railNetwork === 'file' && (await markStopped(deps.sql, leg, deps.clock.now()))
  await applyLegEvent(deps, paymentLegs, leg, isOut ? 'stop' : 'cancel')
}

/**
 * Refunds a voided or expired payment if its money is here. If the debit can still be returned, the refund waits until the debit is
 * trusted. The money can also belong to a debt: the debit was returned, the sender paid the debt, and then the payout was returned or the
 * check was stopped.
 */
async function refundEndedPayment(deps: TxDeps, payment: PaymentRow): Promise<void> {
  if (!(await holdsFullAmount(deps, payment))) return
  if (payment.fundingKind === 'wallet') return giveBack(deps, payment)
  if (!(await isPullAwaited(deps, payment))) await pushBack(deps, payment)
}

/** Refunds a failed payment to its funding source. @returns false if its money is not here, or cannot go back */
export async function refundPayment(deps: TxDeps, payment: PaymentRow): Promise<boolean> {
  if (payment.status !== 'FAILED' || !(await holdsFullAmount(deps, payment))) return false
  if (await isOwnCheck(deps, payment)) return false
  if (!(await applyPaymentEvent(deps, payment, 'refund'))) return false
  await returnToSender(deps, payment)
  return true
}

const returnToSender = (deps: TxDeps, payment: PaymentRow): Promise<void> =>
  payment.fundingKind === 'wallet' ? giveBack(deps, payment) : pushBack(deps, payment)

/**
 * Returns whether a failed payment may be deposited again: the credit was returned or never sent, and the sender owes nothing for it. A
 * payment for an invoice may not, because the invoice itself can be paid again.
 */
export async function canBeDepositedAgain(deps: TxDeps, payment: PaymentRow): Promise<boolean> {
  if (payment.invoiceId !== null) return false
  const legs = await legsOf(deps, subjectOf(payment))
  const isOwed = (await readPaymentDebt(deps, keyOf(payment))) > 0
  // If the refund itself was returned, only the operator can send this money again.
  const isReturnedRefund = legs.some(({ purpose, status }) => purpose === 'payment_refund' && status !== 'CANCELLED')
  return !isOwed && !legs.some(isWithPayee) && !isReturnedRefund
}

/** Applies the events of legs to their payments. */
export const paymentLegs: LegHandler = async (deps, legs) => {
  const payments: PaymentRow[] = []
  const byPlatform = Map.groupBy(legs, ({ platformId }) => platformId)
  for (const platformId of [...byPlatform.keys()].sort()) {
    const ids = (byPlatform.get(platformId) ?? []).map(({ subjectId }) => subjectId)
    payments.push(...(await lockSubjects(deps, platformId, ids)))
  }
  const findStopped = createStoppedUserFinder(deps, payments.flatMap(partiesOf))
  const found = new Map(payments.map((payment) => [payment.id, subjectOfLegs(deps, payment, findStopped)]))
  return legs.map(({ subjectId }) => found.get(subjectId) ?? null)
}

/** Locks payments. In a group, the locks of single payments share a statement. */
async function lockSubjects({ sql }: TxDeps, platformId: string, ids: readonly string[]): Promise<PaymentRow[]> {
  const [paymentId, ...others] = ids
  if (paymentId === undefined || others.length > 0) return lockPayments(sql, platformId, ids)
  const payment = await lockPayment(sql, { platformId, paymentId })
  return payment ? [payment] : []
}

/** Returns the locked payment of some legs, in its state before their event. */
const subjectOfLegs = (deps: TxDeps, payment: PaymentRow, findStopped: FindStopped): LegSubject => ({
  checkAccount: (leg) => checkAccount(deps, payment, leg),
  applyEffects: async (leg, event, before) => {
    await effects[leg.purpose]?.[event]?.(deps, payment, leg, before)
    if (payment.status === 'FAILED') await followPayout(deps, payment, leg, event)
    const isOfBank = event === 'return' && before.status !== 'WAITING'
    const bank = isOfBank ? bankOf(payment, leg) : null
    if (bank) await applyConsequence(deps, leg, bank, (returned) => sendAccountReturn(deps, { leg, bank, returned }))
    if (event === 'settle' && leg.fate === 'corrected') await correctMagicBank(deps, payment, leg)
  },
  // A payout must wait until the bank has accepted the file of its debit.
  isReadyToSend: async (leg) => leg.purpose === 'payment_pull' || arePullsAccepted(deps, leg),
  stopOf: (leg) => stopOfLeg(payment, leg, findStopped),
  abandon: (leg) => abandonPayment(deps, payment, leg),
  afterReview: () => cancelUnneededLegs(deps, payment),
})

type FindStopped = (users: readonly UserKey[]) => Promise<StoppedUser | null>

/** Finds a suspended or closed user among sender and recipient. Refunds are sent even then. */
export const stopOfLeg = async (
  payment: PaymentRow,
  { purpose }: LegRow,
  findStopped: FindStopped,
): Promise<StoppedUser | null> => (purpose === 'payment_refund' ? null : findStopped(partiesOf(payment)))

/** Returns the sender, and the recipient if it has an account. */
const partiesOf = ({ platformId, senderId, recipientId, recipientPlatformId }: PaymentRow): UserKey[] => [
  { platformId, userId: senderId },
  ...(recipientId && recipientPlatformId ? [{ platformId: recipientPlatformId, userId: recipientId }] : []),
]

/**
 * Ends a payment whose next leg must not be sent. Collected money goes back to the sender. That of a scanned check of this service waits for
 * the operator.
 */
async function abandonPayment(deps: TxDeps, payment: PaymentRow, leg: LegRow): Promise<boolean> {
  if (await endPayment(deps, payment, 'void')) return true
  if (await isOwnCheck(deps, payment)) {
    await applyLegEvent(deps, paymentLegs, leg, 'cancel')
    await failPayment(deps, payment, leg)
    return true
  }
  if (!(await applyPaymentEvent(deps, payment, 'refund'))) return false
  await applyLegEvent(deps, paymentLegs, leg, 'cancel')
  await returnToSender(deps, payment)
  return true
}

/** Voids or expires a payment and reverses its funding. @returns false if it is too late */
export async function endPayment(deps: TxDeps, payment: PaymentRow, event: 'void' | 'expire'): Promise<boolean> {
  const isReversed = await reverseFunding(deps, payment)
  return isReversed && (await applyPaymentEvent(deps, payment, event)) !== null
}

async function arePullsAccepted(deps: TxDeps, { platformId, subjectId }: LegRow): Promise<boolean> {
  if (deps.settings.railNetwork !== 'file') return true
  // A scanned check of this service is in no file, so it has no debit.
  const isDebit = ({ purpose, rail }: LegRow) => purpose === 'payment_pull' && rail === 'ACH'
  return areFilesAccepted(deps, platformId, (await legsOf(deps, { platformId, subjectId })).filter(isDebit))
}

type Effect = (deps: TxDeps, payment: PaymentRow, leg: LegRow, before: LegRow) => Promise<unknown>

const effects: Partial<Record<LegPurpose, Partial<Record<LegEvent, Effect>>>> = {
  payment_pull: {
    send: (deps, payment, leg) => postFor(deps, payment, 'pull_sent', leg),
    settle: async (deps, payment, leg) => {
      await postFor(deps, payment, 'pull_settled', leg)
      if (payment.kind === 'SCANNED') await postponeTrust(deps, leg, deps.settings.checkHoldBankingDays)
    },
    trust: async (deps, payment) => {
      if (hasEnded(payment)) await refundEndedPayment(deps, payment)
      else if (payment.status !== 'FAILED') await push(deps, payment)
    },
    return: pullReturned,
    recall: async (deps, payment, leg) => {
      await postFor(deps, payment, 'pull_returned_unsettled', leg)
      // A payment that has ended is not put into another file. After a restore, the bank may have its debit in one already.
      if (hasEnded(payment) && !(await mayBeDebited(deps, payment)))
        await applyLegEvent(deps, paymentLegs, leg, 'cancel')
    },
  },
  payment_push: {
    send: async (deps, payment, leg) => {
      await postFor(deps, payment, 'push_sent', leg)
      const isAcceptedAtOnce = deps.settings.railNetwork === 'simulated'
      if (isAcceptedAtOnce && leg.rail !== 'PRINT') await pushHandedOver(deps, payment, leg)
    },
    // An accepted order is not paid yet: its provider can still reject it.
    accept: async (deps, payment, leg) => {
      if (!isOrderRail(leg.rail)) await pushHandedOver(deps, payment, leg)
    },
    // If the payee may have the check, its money waits for the answer of the bank.
    stop: async (deps, payment, leg, before) => {
      if (before.status === 'WAITING') await postFor(deps, payment, 'push_sent', leg)
    },
    recall: pushRecalled,
    settle: async (deps, payment, leg, before) => {
      await postFor(deps, payment, 'push_settled', leg)
      await loadVirtualCard(deps, payment, leg)
      if (isPaidWhenSettled(deps, leg)) await applyPaymentEvent(deps, payment, 'pay')
      if (before.status === 'STOPPING' && isPaper(leg.rail)) await recordPaidStop(deps, payment, leg)
    },
    return: async (deps, payment, leg, before) => {
      await unpostPush(deps, payment, before)
      const isForDebt = await coverDebt(deps, payment, 'The credit came back')
      await failPayment(deps, payment, leg, { isForDebt })
    },
    reinstate: (deps, payment, leg) => reinstatePayout(deps, paymentLegs, { payment, leg }),
    cancel: async (deps, payment, leg, before) => {
      await unpostPush(deps, payment, before)
      if (isPaper(leg.rail)) await markStopped(deps.sql, leg, deps.clock.now())
      if (before.status !== 'STOPPING') return
      // A check is VOID when its stop is requested. An order is VOID when the bank has canceled it.
      const voided = isPaper(leg.rail) ? null : await applyPaymentEvent(deps, payment, 'void')
      await releaseStoppedMoney(deps, voided ?? payment, leg)
    },
  },
  payment_refund: {
    send: (deps, payment, leg) => postFor(deps, payment, 'push_sent', leg),
    settle: (deps, payment, leg) => postFor(deps, payment, 'push_settled', leg),
    return: refundReturned,
    recall: pushRecalled,
  },
}

/** Makes a payment PAID when the recipient's bank has the credit, or MAILED when the postal service has the check. */
const pushHandedOver = (deps: TxDeps, payment: PaymentRow, { rail }: LegRow) =>
  applyPaymentEvent(deps, payment, rail === 'MAIL' ? 'mail' : 'pay')

/** Returns whether only the settlement of a payout proves that the payee is paid. This is so for paper, and for orders in production. */
const isPaidWhenSettled = ({ settings }: TxDeps, { rail }: LegRow): boolean =>
  isPaper(rail) || (settings.railNetwork === 'file' && isOrderRail(rail))

/** Records that the bank paid a check before it accepted the stop. */
const recordPaidStop = (deps: TxDeps, payment: PaymentRow, leg: LegRow) =>
  recordCase(deps, payment, {
    kind: 'stopped_check_paid',
    legId: leg.id,
    note: `The check was cashed before the stop took effect. The payment is ${payment.status}; its money went to the payee.`,
  })

/** Releases the money of a stopped check or order, which the bank does not pay: it covers the sender's debt or goes back to the sender. */
async function releaseStoppedMoney(deps: TxDeps, payment: PaymentRow, leg: LegRow): Promise<void> {
  // The debit may have been returned after the payment was voided, so the money first covers that debt.
  if (await coverDebt(deps, payment, 'The check was stopped')) return
  if (payment.status === 'FAILED') await failPayment(deps, payment, leg)
  if (hasEnded(payment)) await refundEndedPayment(deps, payment)
}

/** Handles a credit whose file never took effect. The credit waits for another file, unless its debit was returned. */
async function pushRecalled(deps: TxDeps, payment: PaymentRow, leg: LegRow, before: LegRow): Promise<void> {
  await unpostPush(deps, payment, before)
  const isPayout = leg.purpose === 'payment_push'
  if (isPayout && payment.status === 'FAILED' && (await mayBeAtBank(deps, namesAtBank(payment))))
    return awaitLost(deps, payment, 'payout', leg)
  const isForDebt = await coverDebt(deps, payment, 'The file of the credit never took effect')
  if (isForDebt || payment.status === 'FAILED') await applyLegEvent(deps, paymentLegs, leg, 'cancel')
  if (payment.status === 'FAILED' && isPayout) await failPayment(deps, payment, leg, { isForDebt })
}

/** Handles a returned refund. The money stays here until the operator decides where to send it. */
async function refundReturned(deps: TxDeps, payment: PaymentRow, leg: LegRow, before: LegRow): Promise<void> {
  await unpostPush(deps, payment, before)
  await applyPaymentEvent(deps, payment, 'refund_return', { ...(leg.returnCode && { returnCode: leg.returnCode }) })
  if (await coverDebt(deps, payment, 'The refund came back')) return
  const note = `The refund of a payment came back with ${leg.returnCode ?? 'no code'}.`
  await recordCase(deps, payment, { kind: 'refund_returned', legId: leg.id, note })
}

/** Handles a returned debit. Its consequences depend on whether the money had already left, or may have left before a restore of the database. */
async function pullReturned(deps: TxDeps, payment: PaymentRow, leg: LegRow, before: LegRow): Promise<void> {
  const legs = await legsOf(deps, subjectOf(payment))
  const lost = await findLost(deps, payment, legs)
  if (isInFlight(before.status)) {
    // The payout or refund at the bank proves that the debit had settled.
    const hadSettled = lost !== null && lost !== 'held'
    await postFor(deps, payment, hadSettled ? 'pull_settled' : 'pull_returned_unsettled', leg)
    if (!hadSettled) return void (await failPayment(deps, payment, leg))
  }
  if (before.status === 'WAITING') return void (await failPayment(deps, payment, leg))
  const isLost = lost !== null && (await holdsFullAmount(deps, payment))
  const stays = ({ purpose, status }: LegRow) =>
    isLost && status === 'WAITING' && (lost === 'held' || purpose === lostPurposes[lost])
  for (const push of legs.filter(({ purpose }) => purpose !== 'payment_pull')) {
    if (stays(push)) continue
    if (push.purpose === 'payment_push') await cancelPush(deps, push)
    else if (push.status === 'WAITING') await applyLegEvent(deps, paymentLegs, push, 'cancel')
  }
  if (!isLost && (await holdsFullAmount(deps, payment))) await postFor(deps, payment, 'pull_returned', leg)
  else await recordDebt(deps, payment, leg)
  // The payout was returned before the debit, and its money was waiting to be refunded.
  if (payment.refundAt && !(isLost && lost === 'refund')) await updateRefundTime(deps.sql, keyOf(payment), null)
  await failPayment(deps, payment, leg, { isForDebt: isLost })
  if (isLost && lost !== 'held') await awaitLost(deps, payment, lost, legs.find(stays))
}

/**
 * Cancels what waited while it was held, because the operator has found out that it has not left: the debit of a payment that ended in the
 * meantime, and a payout or refund whose debit came back in the meantime.
 */
async function cancelUnneededLegs(deps: TxDeps, payment: PaymentRow): Promise<void> {
  const waiting = (await legsOf(deps, subjectOf(payment))).filter(
    ({ status, heldAt }) => status === 'WAITING' && heldAt === null,
  )
  const isOwed =
    (await holdsFullAmount(deps, payment)) && (await coverDebt(deps, payment, 'It was not sent', { isReviewed: true }))
  for (const leg of waiting)
    if (leg.purpose === 'payment_pull' ? hasEnded(payment) : isOwed)
      await applyLegEvent(deps, paymentLegs, leg, 'cancel')
}

const hasEnded = ({ status }: PaymentRow): boolean => status === 'VOID' || status === 'EXPIRED'

async function unpostPush(deps: TxDeps, payment: PaymentRow, before: LegRow): Promise<void> {
  if (isInFlight(before.status)) await postFor(deps, payment, 'push_returned_unsettled', before)
  if (before.status !== 'SETTLED') return
  await postFor(deps, payment, 'push_returned', before)
  await unloadVirtualCard(deps, payment, before)
}
