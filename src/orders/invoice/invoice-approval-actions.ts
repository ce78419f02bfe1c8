import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { createCopy } from '../../payments/invoice-status/invoice-change-actions.ts'
import type { Sender } from '../../payments/payment/accept/prepare-actions.ts'
import { sendInvoiceMessage } from '../../payments/payment/outbox/outbox-actions.ts'
import type { Destination } from '../../payments/payment/payment-change-actions.ts'
import { holdActiveUser, lockCaller } from '../../people/user/user-lock-actions.ts'
import {
  addApproval,
  countNeeded,
  isInvoiceWaiting,
  prepareApprovalFor,
  type ShownApproval,
} from '../approval/approval-actions.ts'
import type { InvoicePayments, MovedInvoice } from '../approval/approval-release-actions.ts'
import type { ApprovalRow } from '../approval/approval-store.ts'
import { buildInvoiceCopy } from './invoice-actions.ts'
import {
  cannotBeReached,
  findInvoiceDestination,
  lockReceivedInvoice,
  payWith,
  prepareInvoiceOrder,
  requireExactAmount,
  rewordForPayer,
} from './invoice-payment-actions.ts'
import { findInvoice, findReceivedInvoice, type InvoiceRow, lockInvoice, moveInvoice } from './invoice-store.ts'

type GivenPayment = { id: string; amount: number; account?: string | null }

/**
 * Prepares a payment for an invoice, to be released later. The approval includes the account that receives the money.
 *
 * @param given.moved see `moveFoundInvoice`
 * @throws ApiError invoice_not_found, invoice_not_payable, invalid_request, approval_limit_reached
 */
export async function prepareInvoicePayment(
  deps: TxDeps,
  caller: Caller,
  { moved, ...given }: GivenPayment & { moved: MovedInvoice | null },
): Promise<ShownApproval> {
  await lockCaller(deps, caller)
  if (moved) await createCopy(deps, { platformId: caller.platformId, id: moved.id }, moved.content)
  return prepare(deps, caller, given)
}

/**
 * Moves an invoice that was sent by mail into the invoices of the account that found it by its address, before its payment is prepared.
 * Returns null for other invoices.
 *
 * @throws ApiError invalid_request, invoice_not_payable
 */
export async function moveFoundInvoice(
  deps: Deps,
  caller: Caller,
  { id, amount }: GivenPayment,
): Promise<(() => Promise<MovedInvoice>) | null> {
  const { platformId, userId } = caller
  const found = userId === platformId ? await findReceivedInvoice(deps.sql, { platformId, id }) : null
  if (!found) return null
  return async () => {
    requireExactAmount(found, amount)
    return { id: found.id, content: await moveToAccount(deps, caller, found) }
  }
}

/**
 * Assigns an invoice to the account that found it, on the platform of its sender. From then on, the link in its mail cannot pay it. If the
 * caller fails afterward, the message to the account's platform completes the change.
 *
 * @returns the columns of the recipient's row @throws ApiError invoice_not_payable
 */
async function moveToAccount(deps: Deps, { platformId }: Caller, found: InvoiceRow): Promise<object> {
  return inTransaction(deps, async (tx) => {
    const isMoved = await moveInvoice(tx.sql, found, platformId)
    const invoice = requireFound(await findInvoice(tx.sql, found))
    if (!isMoved && (invoice.recipientPlatformId !== platformId || invoice.status !== 'UNPAID')) {
      throw new ApiError('invoice_not_payable')
    }
    const message = buildInvoiceCopy(invoice, platformId)
    if (isMoved) await sendInvoiceMessage(tx, message)
    return message.content
  })
}

async function prepare(
  deps: TxDeps,
  caller: Caller,
  { id, amount, account = null }: GivenPayment,
): Promise<ShownApproval> {
  const invoice = await lockReceivedInvoice(deps, caller, { id, amount })
  if (invoice.status !== 'UNPAID') throw new ApiError('invoice_not_payable')
  const order = await preparedOrder(deps, { invoice, account })
  return addApproval(deps, caller, order).catch((error) => {
    throw rewordForPayer(error)
  })
}

/**
 * Pays an invoice by autopay from the default bank of the payer, or prepares the payment if it needs approval (`needsRelease`: whatever the policy says). The caller holds the lock of
 * the payer (`lockUser`).
 *
 * @param destination the account of an invoice from another platform, or null if it has none now
 * @param preparedBy the person who may not release the payment
 * @throws ApiError as `payInvoice` and `prepareInvoicePayment`
 */
export async function payAllowedInvoice(
  deps: TxDeps,
  {
    payer,
    id,
    destination,
    preparedBy,
    needsRelease,
  }: {
    payer: Sender
    id: string
    destination: Destination | null
    preparedBy: string
    needsRelease: boolean
  },
): Promise<void> {
  const key = { platformId: payer.platformId, id }
  const invoice = await lockInvoice(deps.sql, key)
  if (invoice?.recipientId !== payer.userId) throw new ApiError('invoice_not_found')
  if (invoice.status !== 'UNPAID' || (await isInvoiceWaiting(deps, key))) throw new ApiError('invoice_not_payable')
  if (invoice.senderPlatformId !== null && destination === null) throw cannotBeReached()
  const order = await preparedOrder(deps, { invoice, account: null })
  if (!needsRelease && (await countNeeded(deps, payer, order)) === 0) {
    await payWith(deps, payer, { invoice, account: null, destination })
    return
  }
  if (!(await holdActiveUser(deps, payer))) throw new ApiError('user_not_active')
  await prepareApprovalFor(deps, { user: payer, order, preparedBy, source: 'RECURRING' })
}

/** Returns the payment for an invoice as an order that needs approval. @throws ApiError invoice_not_payable */
async function preparedOrder(deps: TxDeps, given: { invoice: InvoiceRow; account: string | null }) {
  const { order, account } = await prepareInvoiceOrder(deps, given)
  return { ...order, invoiced: { recipient: order.recipient, account } }
}

/** Pays the invoice of an approval that was just released. The invoice changes its status in the same transaction. */
export const invoicePayments: InvoicePayments = {
  findDestination: async (deps, row) =>
    findInvoiceDestination(deps, requireFound(await findInvoice(deps.sql, keyOf(row)))),
  pay: async (deps, { row, sender, destination }) => {
    const invoice = requireFound(await lockInvoice(deps.sql, keyOf(row)))
    const approval = { id: row.id, account: row.details.invoice?.account as string }
    return payWith(deps, sender, { invoice, account: row.fundingId, destination, approval })
  },
}

const keyOf = ({ platformId, invoiceId }: ApprovalRow) => ({ platformId, id: invoiceId as string })

/** Invoices are never deleted, so an approval always finds its invoice. */
function requireFound(invoice: InvoiceRow | null): InvoiceRow {
  if (!invoice) throw new ApiError('invoice_not_found')
  return invoice
}
