import { recordAudit } from '../audit/audit-actions.ts'
import { ApiError, fieldError } from '../core/errors.ts'
import { dollarsOfCents, formatDollars, requireCents } from '../core/money.ts'
import type { TxDeps } from '../db/deps.ts'
import type { Caller } from '../http/caller.ts'
import { acceptPaymentIn } from '../payment/accept/accept-actions.ts'
import { type Sender, senderOf } from '../payment/accept/prepare-actions.ts'
import { lockCaller, lockUser } from '../user/user-lock-actions.ts'
import { applyInvoiceEvent } from './change/invoice-change-actions.ts'
import { findInvoicePayee, type InvoiceRow, lockInvoice } from './invoice-store.ts'

/** The payment of an invoice, as far as its answer shows it. */
export type InvoicePayment = { id: string; amount: number; date: string; name: string; status: string }

/**
 * Pays an invoice: makes a payment that is deposited at once into the account of the invoice. Both commit together.
 *
 * @throws ApiError invoice_not_found, invoice_not_payable, invalid_request, and as `acceptPayment`
 */
export async function payInvoice(
  deps: TxDeps,
  caller: Caller,
  { id, amount, account = null }: { id: string; amount: number; account?: string | null },
): Promise<InvoicePayment> {
  await lockCaller(deps, caller)
  const invoice = await lockInvoice(deps.sql, { platformId: caller.platformId, id })
  if (!invoice || !(invoice.senderId === caller.userId || invoice.recipientId === caller.userId)) {
    throw new ApiError('invoice_not_found')
  }
  if (invoice.senderId === caller.userId) throw notPayable('You sent this invoice. Only its recipient can pay it.')
  if (requireCents(amount, 'amount') !== invoice.amountCents) {
    throw fieldError('invalid_request', 'amount', `must be exactly ${formatDollars(invoice.amountCents)}`)
  }
  const payment = await payWith(deps, senderOf(caller), { invoice, account })
  await recordAudit(deps, caller, 'invoice_paid', `${id} with payment ${payment.id}`)
  return payment
}

/**
 * Pays an invoice from an account of the payer, or from its default bank, in the caller's transaction and without an audit entry: for what its payer allowed
 * beforehand.
 *
 * @throws ApiError as `payInvoice`
 */
export async function payInvoiceIn(
  tx: TxDeps,
  { payer, id, account = null }: { payer: Sender; id: string; account?: string | null },
): Promise<InvoicePayment> {
  await lockUser(tx, payer)
  const invoice = await lockInvoice(tx.sql, { platformId: payer.platformId, id })
  if (invoice?.recipientId !== payer.userId) throw new ApiError('invoice_not_found')
  return payWith(tx, payer, { invoice, account })
}

async function payWith(
  deps: TxDeps,
  payer: Sender,
  { invoice, account }: { invoice: InvoiceRow; account: string | null },
): Promise<InvoicePayment> {
  if (invoice.status !== 'UNPAID') throw new ApiError('invoice_not_payable')
  const payment = await makePayment(deps, payer, { invoice, account })
  const event = payment.status === 'PAID' ? 'receive' : 'pay'
  const isPaid = await applyInvoiceEvent(deps, invoice, event, { before: null, after: payment.id })
  if (!isPaid) throw new ApiError('invoice_not_payable')
  return payment
}

async function makePayment(
  deps: TxDeps,
  payer: Sender,
  { invoice, account }: { invoice: InvoiceRow; account: string | null },
): Promise<InvoicePayment> {
  const { platformId, senderId } = invoice
  const payee = await findInvoicePayee(deps.sql, { platformId, userId: senderId })
  const destination = invoice.accountId ?? payee?.defaultBankId
  if (!payee || !destination) throw cannotBeReached()
  const order = {
    amount: dollarsOfCents(invoice.amountCents),
    name: payee.name,
    recipient: { id: payee.payee, account: destination },
    account,
    description: invoice.description,
    attachment: null,
    invoiceId: invoice.id,
  }
  const { text } = await acceptPaymentIn(deps, { sender: payer, order }).catch((error) => {
    throw refusalOf(error)
  })
  const { id, amount, date, name, status } = JSON.parse(text) as InvoicePayment
  return { id, amount, date, name, status }
}

/** A refusal in the words of the payer, who did not choose the account that is paid into. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  if (error.code === 'invalid_deposit_option') {
    const problem = 'must be a wallet, because this invoice is paid into one'
    return new ApiError('invalid_deposit_option', { fields: { account: [problem] } })
  }
  const isAboutPayee = error.code === 'recipient_not_active' || Object.keys(error.fields ?? {}).some(isPayeeField)
  return isAboutPayee ? cannotBeReached() : error
}

const isPayeeField = (field: string): boolean => field.startsWith('recipient')

const cannotBeReached = () =>
  notPayable('The sender of this invoice cannot be paid now. Ask the sender for another invoice.')

const notPayable = (message: string) => new ApiError('invoice_not_payable', { message })
