import { addApproval, type ShownApproval } from '../approval/approval-actions.ts'
import type { InvoicePayments } from '../approval/approval-release-actions.ts'
import type { ApprovalRow } from '../approval/approval-store.ts'
import { ApiError } from '../core/errors.ts'
import type { TxDeps } from '../db/deps.ts'
import type { Caller } from '../http/caller.ts'
import { lockCaller } from '../user/user-lock-actions.ts'
import {
  findDestinationElsewhere,
  lockReceivedInvoice,
  orderOfInvoice,
  payWith,
  refusalOf,
} from './invoice-payment-actions.ts'
import { findInvoice, type InvoiceRow, lockInvoice } from './invoice-store.ts'

/**
 * Prepares the payment of an invoice, which somebody releases later. The account that it is paid into is part of what is approved.
 *
 * @throws ApiError invoice_not_found, invoice_not_payable, invalid_request, approval_limit_reached
 */
export async function prepareInvoicePayment(
  deps: TxDeps,
  caller: Caller,
  { id, amount, account = null }: { id: string; amount: number; account?: string | null },
): Promise<ShownApproval> {
  await lockCaller(deps, caller)
  const invoice = await lockReceivedInvoice(deps, caller, { id, amount })
  if (invoice.status !== 'UNPAID') throw new ApiError('invoice_not_payable')
  const { order, account: paidInto } = await orderOfInvoice(deps, { invoice, account })
  const prepared = { ...order, invoiced: { recipient: order.recipient, account: paidInto } }
  return addApproval(deps, caller, prepared).catch((error) => {
    throw refusalOf(error)
  })
}

/** Pays the invoice of an approval that was just released: its status changes in the same transaction. */
export const invoicePayments: InvoicePayments = {
  findDestination: async (deps, row) =>
    findDestinationElsewhere(deps, requireFound(await findInvoice(deps.sql, keyOf(row)))),
  pay: async (deps, { row, sender, destination }) => {
    const invoice = requireFound(await lockInvoice(deps.sql, keyOf(row)))
    const approval = { id: row.id, account: row.details.invoice?.account as string }
    return payWith(deps, sender, { invoice, account: row.fundingId, destination, approval })
  },
}

const keyOf = ({ platformId, invoiceId }: ApprovalRow) => ({ platformId, id: invoiceId as string })

/** An invoice is never deleted. */
function requireFound(invoice: InvoiceRow | null): InvoiceRow {
  if (!invoice) throw new ApiError('invoice_not_found')
  return invoice
}
