import { getTimesOfReminders } from '../audit/audit-actions.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import type { Caller } from '../http/caller.ts'
import { businessDate } from '../lib/clock.ts'
import { getInvoicePayments } from '../payment/history/timeline-actions.ts'
import { findKeyElsewhere } from '../payment/payment-actions.ts'
import { getInvoice } from './invoice-actions.ts'
import { findInvoiceMails, type InvoiceRow, type ListedInvoice } from './invoice-store.ts'
import { isOverdue } from './invoice-terms-rules.ts'
import { type InvoiceEntry, type InvoiceStory, invoiceTimeline } from './invoice-timeline-rules.ts'

/** `hasLink`: a link to the payer's page can be made for the caller. */
export type InvoiceDetails = {
  invoice: ListedInvoice
  isOverdue: boolean
  hasLink: boolean
  entries: InvoiceEntry[]
}

/**
 * The terms and lines of an invoice, and its timeline. Only the sender sees mails.
 *
 * @throws ApiError invoice_not_found
 */
export async function getInvoiceDetails(deps: Deps, caller: Caller, id: string): Promise<InvoiceDetails> {
  const invoice = await getInvoice(deps, caller, id)
  const isSender = invoice.direction === 'OUTGOING'
  const [mails, payments] = await Promise.all([
    isSender ? mailsOf(deps, invoice) : null,
    getInvoicePayments(deps, { platformId: invoice.recipientPlatformId ?? invoice.platformId, invoiceId: id }),
  ])
  const entries = invoiceTimeline({ invoice, mails, payments })
  return {
    invoice,
    isOverdue: isOverdue(invoice, businessDate(deps.clock.now(), deps.settings.timeZone)),
    hasLink: isSender && isForOutside(invoice, mails?.isMailed ?? false),
    entries: await Promise.all(entries.map((entry) => withReadablePayment(deps, { caller, invoice, entry }))),
  }
}

const mailsOf = async (deps: Deps, { platformId, id }: InvoiceRow): Promise<NonNullable<InvoiceStory['mails']>> => {
  const [mails, requested] = await Promise.all([
    findInvoiceMails(deps.sql, { platformId, id }),
    getTimesOfReminders(deps, platformId, id),
  ])
  return { ...mails, requested }
}

/** Whether the sender of an invoice can have a link to its page. */
export const hasViewLink = async (deps: Pick<TxDeps, 'sql'>, invoice: InvoiceRow): Promise<boolean> =>
  isForOutside(invoice, (await findInvoiceMails(deps.sql, invoice)).isMailed)

/** Whether the recipient has no account. One who gave an account to pay from is known by its mail. */
const isForOutside = (
  { recipientId, recipientPlatformId }: Pick<InvoiceRow, 'recipientId' | 'recipientPlatformId'>,
  isMailed: boolean,
): boolean => recipientPlatformId === null && (recipientId === null || isMailed)

/** A payment on another platform can be read as soon as its copy arrived. The copy of an invoice names none, because the payer is outside. */
async function withReadablePayment(
  deps: Deps,
  { caller: { platformId }, invoice, entry }: { caller: Caller; invoice: ListedInvoice; entry: InvoiceEntry },
): Promise<InvoiceEntry> {
  const { paymentId } = entry
  const paidOn = invoice.recipientPlatformId ?? invoice.platformId
  if (paymentId === null || paidOn === platformId) return entry
  const isReadable =
    invoice.direction === 'OUTGOING' && (await findKeyElsewhere(deps, { platformId, paymentId })) !== null
  return isReadable ? entry : { ...entry, paymentId: null }
}
