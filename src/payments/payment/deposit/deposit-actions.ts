import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { clockOf } from '../../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { isExceptionOpen } from '../../../foundation/exception/exception-actions.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import type { KeyElsewhere } from '../../../foundation/http/idempotency/idempotency.ts'
import { holdBank } from '../../../money/bank/bank-actions.ts'
import { requireUnblocked } from '../../../money/bank/bank-block-actions.ts'
import { holdAccount } from '../../../money/destination/destination-actions.ts'
import type { HeldAccount } from '../../../money/destination/destination-store.ts'
import { readDebt } from '../../../money/ledger/ledger-actions.ts'
import { legsOf } from '../../../money/rail/leg-actions.ts'
import { holdActiveUser } from '../../../people/user/user-lock-actions.ts'
import { requireOrderable } from '../leg/order-details-actions.ts'
import { canBeDepositedAgain, endPayment, startMoneyMovement, transferToWallet } from '../leg/payment-leg-actions.ts'
import { holdsFullAmount, isRefundHeld } from '../leg/payment-money-actions.ts'
import { type Recall, recallOrder } from '../leg/payment-recall-actions.ts'
import { becomeDepositor, requireDepositor } from '../multi/depositor-actions.ts'
import { recordAuditOnOtherPlatform } from '../outbox/outbox-actions.ts'
import { hasPaper, requireDeliverable, requirePrintable } from '../paper-rules.ts'
import {
  findKeyOnOtherPlatform,
  getPayment,
  isRecipient,
  isSender,
  lockReadablePayment,
  lockSentPayment,
  lockVisiblePayment,
} from '../payment-actions.ts'
import { applyPaymentEvent, type Destination } from '../payment-change-actions.ts'
import { invalidDepositOption, type PostalAddress, railForAccount } from '../payment-rules.ts'
import { updatePaymentAddress } from '../payment-store.ts'
import type { PaymentKey, PaymentRow } from '../payment-types.ts'
import { requireCollectable } from './pull-limit-actions.ts'
import { retryRefusal } from './retry-rules.ts'

/**
 * Voids a payment. If necessary, also stops its paper check or asks the bank to cancel its order.
 *
 * @throws ApiError payment_not_found, not_the_sender, not_voidable
 */
export async function voidPayment(deps: TxDeps, caller: Caller, paymentId: string): Promise<void> {
  const payment = await lockSentPayment(deps, caller, paymentId)
  const isVoid = await endPayment(deps, payment, 'void')
  const recall = isVoid ? null : await recallOrder(deps, payment)
  const isAsked = recall?.outcome === 'asked'
  if (!isVoid && !isAsked && recall?.outcome !== 'canceled') throw await voidRefusal(deps, payment, recall)
  await recordAudit(deps, caller, isAsked ? 'payment_recalled' : 'payment_voided', paymentId)
}

async function voidRefusal(deps: TxDeps, payment: PaymentRow, recall: Recall | null): Promise<ApiError> {
  if (recall?.outcome === 'awaited') {
    const message = `Cancellation was already requested. The payment stays IN_PROCESS until the ${recall.by} answers.`
    return new ApiError('not_voidable', { message })
  }
  if (recall?.outcome === 'refused')
    return new ApiError('not_voidable', { message: `The ${recall.by} has refused to cancel this payment.` })
  if (await isRefundHeld(deps, payment)) {
    const message =
      'This payment cannot be voided now: its payee may have the money. The operator of this service is asking the bank. Try again later.'
    return new ApiError('not_voidable', { message })
  }
  if (payment.status !== 'FAILED') return new ApiError('not_voidable')
  const message =
    'This payment cannot be voided: its payee has the money, or it waits for the operator of this service.'
  return new ApiError('not_voidable', { message })
}

/**
 * Deposits a payment into the account that the recipient chose. If the sender is suspended, or its bank is deleted, the payment can only
 * be voided (specification.md 4.3).
 *
 * @throws ApiError payment_not_found, not_the_recipient, endorse_only, endorsements_missing, user_not_active, bank_not_found,
 * bank_blocked, invalid_deposit_option, not_depositable
 */
export async function depositPayment(
  deps: TxDeps,
  caller: Caller,
  { paymentId, accountId }: { paymentId: string; accountId: string },
): Promise<PaymentRow> {
  const locked = await lockVisiblePayment(deps, caller, paymentId)
  const payment = isSender(caller, locked) ? locked : await becomeDepositor(deps, locked, caller)
  if (!isRecipient(caller, payment)) throw new ApiError('not_the_recipient')
  const destination = await holdDestination(deps, caller, accountId)
  const deposited = await depositInto({ ...deps, clock: await clockOf(deps, payment.platformId) }, payment, destination)
  await recordAudit(deps, caller, 'payment_deposited', `${paymentId} into ${destination.kind} ${accountId}`)
  return deposited
}

/** Deposits a payment from another platform, in its own transactions. Returns null if the payment is not from another platform. */
export async function prepareDepositFromOtherPlatform(
  deps: Deps,
  caller: Caller,
  { paymentId, accountId }: { paymentId: string; accountId: string },
): Promise<((idempotencyKey: KeyElsewhere) => Promise<PaymentRow>) | null> {
  const key = await findKeyOnOtherPlatform(deps, { platformId: caller.platformId, paymentId })
  return key && ((idempotencyKey) => depositFromElsewhere(deps, caller, { key, accountId, idempotencyKey }))
}

/**
 * Deposits a payment from another platform. The account is checked on its own platform first. If the account is deleted between the two
 * transactions, it still gets the money, like an account that is deleted afterward.
 */
async function depositFromElsewhere(
  deps: Deps,
  caller: Caller,
  { key, accountId, idempotencyKey }: { key: PaymentKey; accountId: string; idempotencyKey: KeyElsewhere },
): Promise<PaymentRow> {
  const { platformId, paymentId } = key
  const seen = await getPayment(deps, caller, paymentId)
  if (await inTransaction(deps, (tx) => idempotencyKey.isUsed(tx, platformId))) return seen
  if (seen.kind === 'MULTI') await requireDepositor(deps, seen, caller)
  else if (!isRecipient(caller, seen)) throw new ApiError('not_the_recipient')
  const destination = await inTransaction(deps, async (tx) => {
    const held = await holdDestination(tx, caller, accountId)
    if (held.kind === 'bank') await requireUnblocked(tx, creditOf(caller.platformId, accountId), CREDITED)
    const rail = railForAccount(held, seen.depositOptions, tx)
    await requireOrderable(tx, { ...seen, rail, account: { ...held, platformId: caller.platformId } })
    return held
  })
  return inTransaction(deps, async (tx) => {
    const payment = await becomeDepositor(tx, await lockReadablePayment(tx, caller, key), caller)
    if (!isRecipient(caller, payment)) throw new ApiError('not_the_recipient')
    const deposited = await depositInto({ ...tx, clock: await clockOf(tx, platformId) }, payment, destination)
    const subject = `${paymentId} into ${destination.kind} ${accountId}`
    await recordAuditOnOtherPlatform(tx, {
      platformId,
      subjectId: paymentId,
      actor: caller,
      action: 'payment_deposited',
      subject,
    })
    await idempotencyKey.record(tx, platformId)
    return deposited
  })
}

/** Locks the destination account. @throws ApiError user_not_active, bank_not_found */
async function holdDestination(deps: TxDeps, caller: Caller, accountId: string): Promise<HeldAccount> {
  if (!(await holdActiveUser(deps, caller))) throw new ApiError('user_not_active')
  const destination = await holdAccount(deps, { ...caller, id: accountId })
  if (destination) return destination
  throw new ApiError('bank_not_found', { fields: { account: ['is not an account of this user. Check its id'] } })
}

const CREDITED = { entry: 'credit', field: 'account' } as const
const creditOf = (platformId: string, bankId: string) => ({ platformId, bankId })

/** Deposits a payment into an account. @throws ApiError invalid_deposit_option, bank_blocked, not_depositable */
export async function depositInto(
  deps: TxDeps,
  payment: PaymentRow,
  destination: Destination & { isAbroad?: boolean },
): Promise<PaymentRow> {
  const { kind, id, isAbroad = false } = destination
  if (payment.fundingKind === 'bank' && kind !== 'bank') {
    throw invalidDepositOption('account', `is a ${kind}, which a payment from a bank cannot reach`)
  }
  const rail = railForAccount({ kind, isAbroad }, payment.depositOptions, deps)
  const isHere = payment.recipientPlatformId === null || payment.recipientPlatformId === payment.platformId
  if (kind === 'bank' && isHere) await requireUnblocked(deps, creditOf(payment.platformId, id), CREDITED)
  if (isHere) await requireOrderable(deps, { ...payment, rail, account: { kind, id, platformId: payment.platformId } })
  await requireDepositable(deps, payment)
  if (!(await holdsFullAmount(deps, payment))) await requireCollectable(deps, payment)
  if (payment.status === 'FAILED' && kind === 'wallet') throw new ApiError('not_depositable')
  const event = rail === 'WALLET' ? 'receive' : 'deposit'
  if (event === 'receive' && (await isRefundHeld(deps, payment))) throw new ApiError('not_depositable', MAYBE_PAID)
  const deposited = await applyPaymentEvent(deps, payment, event, { rail, destination: { kind, id } })
  if (!deposited) throw new ApiError('not_depositable')
  await (event === 'receive' ? transferToWallet : startMoneyMovement)(deps, deposited)
  return deposited
}

/** A payout into a wallet or on paper that is handed out cannot wait for the operator, as others do after a restore. */
export const MAYBE_PAID = {
  message:
    'This payment may be paid already. The operator of this service is asking the bank. Try again later, or choose a bank account.',
}

/**
 * Mails a paper check to the recipient.
 *
 * @throws ApiError invalid_deposit_option, not_depositable, paper_unavailable, unprintable_text, invalid_request
 */
export async function depositByMail(deps: TxDeps, payment: PaymentRow, address: PostalAddress): Promise<PaymentRow> {
  if (!payment.depositOptions.includes('MAIL')) throw new ApiError('invalid_deposit_option')
  if (!hasPaper(deps, payment.fundingKind, 'MAIL')) throw new ApiError('paper_unavailable')
  requirePrintable({ name: payment.name, ...address })
  requireDeliverable(address, { within: null })
  await requireDepositable(deps, payment)
  await updatePaymentAddress(deps.sql, { platformId: payment.platformId, paymentId: payment.id }, address)
  const toNoAccount = { ...payment, destinationKind: null, destinationId: null }
  const deposited = await applyPaymentEvent(deps, toNoAccount, 'deposit', { rail: 'MAIL' })
  if (!deposited) throw new ApiError('not_depositable')
  await startMoneyMovement(deps, deposited)
  return deposited
}

/** Refuses a payment that cannot be deposited. @throws ApiError not_depositable */
async function requireDepositable(deps: TxDeps, payment: PaymentRow): Promise<void> {
  const refusal = await depositRefusal(deps, payment)
  if (refusal) throw refusal
}

/**
 * Explains why a payment cannot be deposited: its sender cannot pay, or it failed and cannot be retried. Returns null if it can be
 * deposited.
 */
export async function depositRefusal(deps: TxDeps, payment: PaymentRow): Promise<ApiError | null> {
  if (!(await canBePaid(deps, payment))) {
    const why = isExpired(deps, payment) ? 'This payment has expired.' : 'The sender cannot fund this payment now.'
    return new ApiError('not_depositable', { message: `${why} Ask the sender for a new one.` })
  }
  return payment.status === 'FAILED' ? redepositRefusal(deps, payment) : null
}

/** Explains why a failed payment cannot be deposited again, regardless of the sender's funds. Returns null if it can. */
export async function redepositRefusal(deps: TxDeps, payment: PaymentRow): Promise<ApiError | null> {
  if (!(await canBeDepositedAgain(deps, payment))) return new ApiError('not_depositable')
  if (payment.fundingKind === 'wallet' || (await holdsFullAmount(deps, payment))) return null
  const { platformId, id } = payment
  const message = (await isExceptionOpen(deps, { platformId, paymentId: id, kinds: ['return_needs_review'] }))
    ? `The debit came back with ${payment.returnCode}. The operator of this service has to look at it first.`
    : retryRefusal(await legsOf(deps, { platformId, subjectId: id }), deps.clock.now())
  return message === null ? null : new ApiError('not_depositable', { message })
}

const isExpired = ({ clock }: Pick<TxDeps, 'clock'>, { expiresAt }: PaymentRow): boolean => expiresAt <= clock.now()

/**
 * Returns whether the money of a payment may start to move. The payment must not have expired, and its sender must be allowed to send and
 * owe nothing. The sender's bank must be VERIFIED, except for a scanned check, which is its own authorization. Locks the sender and the
 * bank. `deps` has the clock of the platform.
 */
export async function canBePaid(deps: TxDeps, payment: PaymentRow): Promise<boolean> {
  const { platformId, senderId, kind, fundingKind, fundingId } = payment
  // The worker that expires payments may be late, so the expiry is checked here as well.
  if (payment.status === 'UNPAID' && isExpired(deps, payment)) return false
  const sender = { platformId, userId: senderId }
  if (!(await holdActiveUser(deps, sender))) return false
  // Money that was pulled and that the recipient's bank returned is not pulled again.
  if (await holdsFullAmount(deps, payment)) return true
  if (isExpired(deps, payment)) return false
  if ((await readDebt(deps, sender)) > 0) return false
  return (
    fundingKind === 'wallet' ||
    kind === 'SCANNED' ||
    (await holdBank(deps, { ...sender, bankId: fundingId })) === 'VERIFIED'
  )
}
