import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { businessDate } from '../../foundation/lib/clock.ts'
import { addressLines } from '../../payments/payment/paper-rules.ts'
import type { Attachment } from '../../payments/payment/payment-store.ts'
import { getUser } from '../../people/user/user-actions.ts'
import { isWholeAddress } from '../../people/user/user-rules.ts'
import { getInvoice } from './invoice-actions.ts'
import type { PaperInvoice } from './invoice-drawing-actions.ts'
import { findInvoiceAttachment, type InvoiceRow, senderPlatformOf } from './invoice-store.ts'

/** Returns the attachment as a PDF. If there is none, the invoice is drawn. @throws ApiError invoice_not_found, overloaded, rate_limited */
export async function getInvoiceAttachment(deps: Deps, caller: Caller, id: string): Promise<Attachment> {
  return readInvoiceAttachment(deps, await getInvoice(deps, caller, id))
}

/** Returns the attachment of an invoice as a PDF. @throws ApiError overloaded, rate_limited */
export async function readInvoiceAttachment(deps: Deps, invoice: InvoiceRow): Promise<Attachment> {
  const sentFrom = senderPlatformOf(invoice)
  if (invoice.hasAttachment) {
    return (await findInvoiceAttachment(deps.sql, { platformId: sentFrom, id: invoice.id })) as Attachment
  }
  const paper = await paperInvoiceOf(deps, invoice)
  const { platformId } = invoice
  const pdf = await deps.drawings.paper.schedule({ platformId }, (run) => run<Buffer>('invoice', paper))
  return { filename: `invoice-${invoice.number}`, pdf }
}

async function paperInvoiceOf(deps: Deps, invoice: InvoiceRow): Promise<PaperInvoice> {
  const { senderId, number, createdAt, description, amountCents, dueDate, terms, items } = invoice
  const sender = await getUser(deps, { platformId: senderPlatformOf(invoice), userId: senderId }).catch(nullIfDeleted)
  const address = sender?.merchant.address
  return {
    number,
    date: businessDate(createdAt, deps.settings.timeZone),
    from: sender
      ? [sender.businessName ?? sender.name, ...(address && isWholeAddress(address) ? addressLines(address) : [])]
      : [],
    to: [invoice.name, invoice.recipient],
    description,
    amountCents,
    createdAt,
    ...{ dueDate, terms, items },
  }
}

function nullIfDeleted(error: unknown): null {
  if (error instanceof ApiError && error.code === 'user_not_found') return null
  throw error
}
