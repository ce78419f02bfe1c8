import { holdBank } from '../bank/bank-actions.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { cutPage, type Paging, type Position } from '../db/paging.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Rail } from '../rail/rail-rules.ts'
import { type ReturnCode, returnCodes } from '../rail/return-code-rules.ts'
import { holdActiveUser } from '../user/user-lock-actions.ts'
import { BANK_RAIL, expectedOn, invalidDepositOption, paymentEventBody } from './payment-rules.ts'
import { type PaymentEvent, paymentTransitions } from './payment-status.ts'
import {
  type Attachment,
  changePaymentStatus,
  countPayments,
  findAttachment,
  findPayment,
  findSenderPlatform,
  type ListedPayment,
  listPayments,
  lockPayment,
  type PaymentFilter,
  type PaymentKey,
  type PaymentRow,
} from './payment-store.ts'

/**
 * Reads a payment that the caller sends or receives, or, for an owner, that a user of its platform does.
 *
 * @throws ApiError payment_not_found
 */
export const getPayment = (deps: Deps, caller: Caller, paymentId: string): Promise<PaymentRow> =>
  requirePayment(deps, caller, paymentId, findPayment)

/** The same, and keeps others from changing it until the end of the transaction. @throws ApiError payment_not_found */
export const lockVisiblePayment = (deps: TxDeps, caller: Caller, paymentId: string): Promise<PaymentRow> =>
  requirePayment(deps, caller, paymentId, lockPayment)

async function requirePayment(
  deps: Pick<TxDeps, 'sql'>,
  caller: Caller,
  paymentId: string,
  read: (sql: TxDeps['sql'], key: PaymentKey) => Promise<PaymentRow | null>,
): Promise<PaymentRow> {
  const { platformId } = caller
  let payment = await read(deps.sql, { platformId, paymentId })
  if (!payment) {
    const senderPlatformId = await findSenderPlatform(deps.sql, { platformId, paymentId })
    payment = senderPlatformId ? await read(deps.sql, { platformId: senderPlatformId, paymentId }) : null
  }
  if (!payment || !mayRead(caller, payment)) throw new ApiError('payment_not_found')
  return payment
}

const isSender = ({ platformId, userId }: Caller, payment: PaymentRow) =>
  payment.platformId === platformId && payment.senderId === userId

const isRecipient = ({ platformId, userId }: Caller, payment: PaymentRow) =>
  payment.recipientPlatformId === platformId && payment.recipientId === userId

/** An application reads what its grant made, whatever else its owner sends and receives (api.md 1). */
const mayRead = (caller: Caller, payment: PaymentRow) =>
  caller.credential.kind === 'token'
    ? payment.grantId === caller.credential.id
    : caller.isOwner || isSender(caller, payment) || isRecipient(caller, payment)

/** Lists what a user sent and receives; `total` is counted only where pages have numbers. */
export async function getPayments(
  deps: Deps,
  filter: PaymentFilter,
  paging: Paging,
): Promise<{ rows: ListedPayment[]; next: Position | null; total: number | null }> {
  const rows = await listPayments(deps.sql, filter, paging)
  const total = paging.after ? null : await countPayments(deps.sql, filter)
  return { ...cutPage(rows, paging), total }
}

/**
 * The one place of the program that changes the status of a payment: applies one event of the table and writes the
 * webhook event, in the transaction of `deps`.
 *
 * @returns the payment as it is then, or null when it is not in a state that the event may leave
 */
export async function applyPaymentEvent(
  deps: TxDeps,
  payment: PaymentRow,
  event: PaymentEvent,
  change: { rail?: Rail; destinationId?: string; returnCode?: ReturnCode } = {},
): Promise<PaymentRow | null> {
  const { from, to } = paymentTransitions[event]
  const now = deps.clock.now()
  const next: PaymentRow = {
    ...payment,
    status: to,
    rail: change.rail ?? payment.rail,
    destinationId: change.destinationId ?? payment.destinationId,
    returnCode: event === 'deposit' ? null : (change.returnCode ?? payment.returnCode),
    updatedAt: now,
  }
  const { changed, endpointIds } = await changePaymentStatus(
    deps.sql,
    { platformId: payment.platformId, paymentId: payment.id },
    {
      from,
      to,
      rail: next.rail,
      destinationId: next.destinationId,
      returnCode: next.returnCode,
      eventId: newId(deps),
      eventBody: paymentEventBody(next),
      now,
    },
  )
  if (!changed) return null
  if (endpointIds && endpointIds.length > 0) deps.afterCommit(deps.wake)
  return next
}

/** Cancels a payment. @throws ApiError payment_not_found, not_the_sender, not_voidable */
export async function voidPayment(deps: TxDeps, caller: Caller, paymentId: string): Promise<void> {
  const payment = await lockVisiblePayment(deps, caller, paymentId)
  if (!isSender(caller, payment)) throw new ApiError('not_the_sender')
  if (!(await applyPaymentEvent(deps, payment, 'void'))) throw new ApiError('not_voidable')
}

/**
 * The recipient says into which of its banks the money goes. A payment whose sender was suspended, or whose bank is
 * gone, can only be voided (api.md 4).
 *
 * @throws ApiError payment_not_found, not_the_recipient, user_not_active, bank_not_found, invalid_deposit_option,
 *   not_depositable
 */
export async function depositPayment(
  deps: TxDeps,
  caller: Caller,
  { paymentId, bankId }: { paymentId: string; bankId: string },
): Promise<PaymentRow> {
  const payment = await lockVisiblePayment(deps, caller, paymentId)
  if (!isRecipient(caller, payment)) throw new ApiError('not_the_recipient')
  if (!(await holdActiveUser(deps, caller))) throw new ApiError('user_not_active')
  if (!(await holdBank(deps, { ...caller, bankId }))) {
    throw new ApiError('bank_not_found', { fields: { account: ['is not a bank of this user'] } })
  }
  if (!payment.depositOptions.includes('BANK'))
    throw invalidDepositOption('account', 'is a bank, and the sender does not offer BANK')
  if (!(await canBePaid(deps, payment))) {
    throw new ApiError('not_depositable', {
      message: 'The sender cannot pay this now. Ask the sender for a new payment.',
    })
  }
  const deposited = await applyPaymentEvent(deps, payment, 'deposit', { rail: BANK_RAIL, destinationId: bankId })
  if (!deposited) throw new ApiError('not_depositable')
  return deposited
}

/** Whether the sender may still send, and the bank it is drawn on is still there: both are held. */
async function canBePaid(deps: TxDeps, { platformId, senderId, fundingId }: PaymentRow): Promise<boolean> {
  const sender = { platformId, userId: senderId }
  return (await holdActiveUser(deps, sender)) && (await holdBank(deps, { ...sender, bankId: fundingId }))
}

/** On which rail a payment is paid and when it is expected. @throws ApiError payment_not_found, not_deposited */
export async function getDeposit(deps: Deps, caller: Caller, paymentId: string): Promise<{ rail: Rail; eta: Date }> {
  const payment = await getPayment(deps, caller, paymentId)
  const { rail, depositedAt } = payment
  if (rail === null || depositedAt === null) throw new ApiError('not_deposited')
  return { rail, eta: expectedOn({ rail, depositedAt }) }
}

/** Why a payment failed and what can be done. @throws ApiError payment_not_found, not_failed */
export async function getFailure(
  deps: Deps,
  caller: Caller,
  paymentId: string,
): Promise<{ code: ReturnCode; reason: string; action: string }> {
  const payment = await getPayment(deps, caller, paymentId)
  if (payment.status !== 'FAILED' || payment.returnCode === null) throw new ApiError('not_failed')
  const [reason, action] = returnCodes[payment.returnCode]
  return { code: payment.returnCode, reason, action }
}

/** The attachment as a PDF. @throws ApiError payment_not_found, attachment_not_found */
export async function getAttachment(deps: Deps, caller: Caller, paymentId: string): Promise<Attachment> {
  const payment = await getPayment(deps, caller, paymentId)
  const attachment = await findAttachment(deps.sql, { platformId: payment.platformId, paymentId: payment.id })
  if (!attachment) throw new ApiError('attachment_not_found')
  return attachment
}
