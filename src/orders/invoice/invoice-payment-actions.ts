import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import { centsToDollars, formatDollars, requireCents } from '../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { requireUnblocked } from '../../money/bank/bank-block-actions.ts'
import { holdAccount } from '../../money/destination/destination-actions.ts'
import { applyInvoiceEvent } from '../../payments/invoice-status/invoice-change-actions.ts'
import { type Accepted, acceptPayment, type OrderInTransaction } from '../../payments/payment/accept/accept-actions.ts'
import { type Sender, senderOf } from '../../payments/payment/accept/prepare-actions.ts'
import { depositInto } from '../../payments/payment/deposit/deposit-actions.ts'
import { lockPaymentForOperator } from '../../payments/payment/payment-actions.ts'
import type { Destination } from '../../payments/payment/payment-change-actions.ts'
import type { RecipientInput } from '../../payments/payment/payment-rules.ts'
import type { PaymentRow } from '../../payments/payment/payment-types.ts'
import { holdActiveUser, lockCaller, lockUser } from '../../people/user/user-lock-actions.ts'
import {
  findInvoice,
  findInvoicePayee,
  findReceivedInvoice,
  type InvoiceRow,
  lockInvoice,
  senderPlatformOf,
} from './invoice-store.ts'

/** The payment for an invoice, in answers. */
export type InvoicePayment = { id: string; amount: number; date: string; name: string; status: string }

/**
 * Checks the account that receives the money for an invoice from another platform, before the invoice is paid. Returns null if the invoice
 * is not from another platform.
 *
 * @throws ApiError invalid_request, invoice_not_payable
 */
export async function findPayeeAccount(
  deps: Deps,
  { platformId, userId }: Caller,
  { id, amount }: { id: string; amount: number },
): Promise<(() => Promise<Destination>) | null> {
  const invoice = await findInvoice(deps.sql, { platformId, id })
  if (invoice?.recipientId !== userId || invoice.senderPlatformId === null) return null
  return () => {
    requireExactAmount(invoice, amount)
    return findInvoiceDestination(deps, invoice)
  }
}

/**
 * Pays an invoice with a payment that is deposited at once into the account of the invoice. Invoice and payment commit together.
 *
 * @param given.destination see `findPayeeAccount`
 * @throws ApiError invoice_not_found, invoice_not_payable, invalid_request, and as `acceptPayment`
 */
export async function payInvoice(
  deps: TxDeps,
  caller: Caller,
  {
    id,
    amount,
    account = null,
    destination,
  }: { id: string; amount: number; account?: string | null; destination: Destination | null },
): Promise<InvoicePayment> {
  await lockCaller(deps, caller)
  const invoice = await lockReceivedInvoice(deps, caller, { id, amount })
  const payment = await payWith(deps, senderOf(caller), { invoice, account, destination })
  await recordAudit(deps, caller, 'invoice_paid', `${id} with payment ${payment.id}`)
  return answerOf(payment)
}

/**
 * Locks the invoice that its recipient pays, and checks that the request contains its exact amount.
 *
 * @throws ApiError invoice_not_found, invoice_not_payable, invalid_request
 */
export async function lockReceivedInvoice(
  deps: TxDeps,
  caller: Caller,
  { id, amount }: { id: string; amount: number },
): Promise<InvoiceRow> {
  const invoice = await lockInvoice(deps.sql, { platformId: caller.platformId, id })
  if (!invoice && (await findReceivedInvoice(deps.sql, { platformId: caller.platformId, id })))
    throw notPayable(FROM_OUTSIDE)
  if (!invoice || !(invoice.senderId === caller.userId || invoice.recipientId === caller.userId)) {
    throw new ApiError('invoice_not_found')
  }
  if (invoice.senderId === caller.userId) throw notPayable('You sent this invoice. Only its recipient can pay it.')
  requireExactAmount(invoice, amount)
  return invoice
}

/** Refuses another amount than that of the invoice. @throws ApiError invalid_request */
export function requireExactAmount({ amountCents }: Pick<InvoiceRow, 'amountCents'>, amount: number): void {
  if (requireCents(amount, 'amount') === amountCents) return
  throw fieldError('invalid_request', 'amount', `must be exactly ${formatDollars(amountCents)}`)
}

const FROM_OUTSIDE =
  'This invoice was sent by email from another platform. Pay it on its page: open it in the dashboard, or use the link in its email. Or prepare its payment from an account here with /v3/approval/invoice.'

/**
 * Pays an invoice for a person without an account, in the caller's transaction and without an audit entry.
 *
 * @throws ApiError as `payInvoice`
 */
export async function payInvoiceIn(
  tx: TxDeps,
  { payer, id, account }: { payer: Sender; id: string; account: string },
): Promise<InvoicePayment> {
  await lockUser(tx, payer)
  const invoice = await lockInvoice(tx.sql, { platformId: payer.platformId, id })
  if (invoice?.recipientId !== payer.userId) throw new ApiError('invoice_not_found')
  return answerOf(await payWith(tx, payer, { invoice, account, destination: null }))
}

/**
 * Finds the account that receives the money for an invoice from another platform. If the account is deleted between the two transactions,
 * it still gets the money, like an account that is deleted afterward.
 */
export const findInvoiceDestination = (deps: Deps, invoice: InvoiceRow): Promise<Destination> =>
  inTransaction(deps, (tx) => holdDestination(tx, invoice))

/** Locks the account that receives the money, in a transaction of the sender's platform. @throws ApiError invoice_not_payable */
export async function holdDestination(tx: TxDeps, invoice: InvoiceRow): Promise<Destination> {
  const sender = { platformId: senderPlatformOf(invoice), userId: invoice.senderId }
  const id = invoice.accountId ?? (await findInvoicePayee(tx.sql, sender))?.defaultBankId
  const held = id && (await holdActiveUser(tx, sender)) && (await holdAccount(tx, { ...sender, id }))
  if (!held) throw cannotBeReached()
  if (held.kind === 'bank') {
    const bank = { platformId: sender.platformId, bankId: held.id }
    await requireUnblocked(tx, bank, { entry: 'credit', field: 'recipient' }).catch((error) => {
      throw rewordForPayer(error)
    })
  }
  return { kind: held.kind, id: held.id }
}

/**
 * The details of a payment for an invoice. `destination` is the account of an invoice from another platform. `approval` is released with
 * the payment.
 */
type Given = {
  invoice: InvoiceRow
  account: string | null
  destination: Destination | null
  approval?: { id: string; account: string }
}

type Made = Accepted & { status: string }

/** Creates the payment for a locked invoice. @throws ApiError as `payInvoice`, and approval_payee_changed */
export async function payWith(deps: TxDeps, payer: Sender, given: Given): Promise<Made> {
  const { invoice } = given
  if (invoice.status !== 'UNPAID') throw new ApiError('invoice_not_payable')
  if (invoice.senderPlatformId !== null && given.destination === null) throw cannotBeReached()
  const payment = await makePayment(deps, payer, given).catch((error) => {
    throw rewordForPayer(error)
  })
  const event = payment.status === 'PAID' ? 'receive' : 'pay'
  const isPaid = await applyInvoiceEvent(deps, invoice, event, { before: null, after: payment.id })
  if (!isPaid) throw new ApiError('invoice_not_payable')
  return payment
}

async function makePayment(
  deps: TxDeps,
  payer: Sender,
  { invoice, account, destination, approval }: Given,
): Promise<Made> {
  const { order, account: paidInto } = await prepareInvoiceOrder(deps, { invoice, account })
  if (approval && approval.account !== (destination?.id ?? paidInto)) throw accountChanged()
  const accepted = await acceptPayment(
    { how: 'inTransaction', deps },
    { sender: payer, order: { ...order, ...(approval && { approvalId: approval.id }) } },
  )
  if (destination === null) return { ...accepted, status: JSON.parse(accepted.text).status }
  const payment = await lockPaymentForOperator(deps, { platformId: payer.platformId, paymentId: accepted.id })
  const { status } = await depositInto(deps, payment as PaymentRow, destination)
  return { ...accepted, status, text: JSON.stringify({ ...JSON.parse(accepted.text), status }) }
}

/** Returns the payment for an invoice as an order, with the account that receives the money now. @throws ApiError invoice_not_payable */
export async function prepareInvoiceOrder(
  deps: TxDeps,
  { invoice, account }: { invoice: InvoiceRow; account: string | null },
): Promise<{ order: OrderInTransaction & { recipient: RecipientInput }; account: string }> {
  const payeeUser = { platformId: senderPlatformOf(invoice), userId: invoice.senderId }
  const payee = await findInvoicePayee(deps.sql, payeeUser)
  const paidInto = invoice.accountId ?? payee?.defaultBankId
  if (!payee || !paidInto) throw cannotBeReached()
  const order = {
    amount: centsToDollars(invoice.amountCents),
    name: payee.name,
    account,
    description: invoice.description,
    attachment: null,
    invoiceId: invoice.id,
  }
  return invoice.senderPlatformId === null
    ? { order: { ...order, recipient: { id: payee.payee, account: paidInto } }, account: paidInto }
    : { order: { ...order, recipient: payee.payee, payeeElsewhere: payeeUser }, account: paidInto }
}

function answerOf({ text }: Accepted): InvoicePayment {
  const { id, amount, date, name, status } = JSON.parse(text) as InvoicePayment
  return { id, amount, date, name, status }
}

const accountChanged = () =>
  new ApiError('approval_payee_changed', {
    message:
      'The sender of this invoice is paid into another account now than when its payment was prepared. Withdraw this payment and prepare it again.',
  })

/** Rewords a refusal for the payer, who did not choose the account that receives the money. */
export function rewordForPayer(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  if (error.code === 'invalid_deposit_option') {
    const problem = 'must be a wallet, because this invoice is paid into one'
    return new ApiError('invalid_deposit_option', { fields: { account: [problem] } })
  }
  const isAboutPayee = error.code === 'recipient_not_active' || Object.keys(error.fields ?? {}).some(isPayeeField)
  return isAboutPayee ? cannotBeReached() : error
}

const isPayeeField = (field: string): boolean => field.startsWith('recipient')

export const cannotBeReached = () =>
  notPayable('The sender of this invoice cannot be paid now. Ask the sender for another invoice.')

const notPayable = (message: string) => new ApiError('invoice_not_payable', { message })
