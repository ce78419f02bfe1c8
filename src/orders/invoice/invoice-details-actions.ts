import { getTimesOfReminders } from '../../foundation/audit/audit-actions.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { businessDate } from '../../foundation/lib/clock.ts'
import { getInvoicePayments } from '../../payments/payment/history/timeline-actions.ts'
import { findKeyOnOtherPlatform } from '../../payments/payment/payment-actions.ts'
import { getInvoice } from './invoice-actions.ts'
import { findInvoiceMails, type InvoiceRow, type ListedInvoice } from './invoice-store.ts'
import { isOverdue } from './invoice-terms-rules.ts'
import { type InvoiceEntry, type InvoiceStory, invoiceTimeline } from './invoice-timeline-rules.ts'

/** The details of an invoice. `hasLink`: whether the caller can copy a link to the payer's page. */
export type InvoiceDetails = {
  invoice: ListedInvoice
  isOverdue: boolean
  hasLink: boolean
  entries: InvoiceEntry[]
}

/**
 * Reads the terms, lines and timeline of an invoice. Only the sender sees mails in the timeline.
 *
 * @throws ApiError invoice_not_found
 */
export async function getInvoiceDetails(deps: Deps, caller: Caller, id: string): Promise<InvoiceDetails> {
  const invoice = await getInvoice(deps, caller, id)
  const isSender = invoice.direction === 'OUTGOING'
  const [mails, payments] = await Promise.all([
    isSender ? mailsOf(deps, invoice) : null,
    paymentsOf(deps, caller, invoice),
  ])
  return {
    invoice,
    isOverdue: isOverdue(invoice, businessDate(deps.clock.now(), deps.settings.timeZone)),
    hasLink: isSender && isForOutside(invoice, mails?.isMailed ?? false),
    entries: invoiceTimeline({ invoice, mails, payments }),
  }
}

const mailsOf = async (deps: Deps, { platformId, id }: InvoiceRow): Promise<NonNullable<InvoiceStory['mails']>> => {
  const [mails, requested] = await Promise.all([
    findInvoiceMails(deps.sql, { platformId, id }),
    getTimesOfReminders(deps, platformId, id),
  ])
  return { ...mails, requested }
}

/** Returns whether the sender of an invoice can get a link to its page. */
export const hasViewLink = async (deps: Pick<TxDeps, 'sql'>, invoice: InvoiceRow): Promise<boolean> =>
  isForOutside(invoice, (await findInvoiceMails(deps.sql, invoice)).isMailed)

/**
 * Returns whether the recipient is a person without an account. This stays true after the person has entered a bank account to pay from.
 */
const isForOutside = (
  { recipientId, recipientPlatformId }: Pick<InvoiceRow, 'recipientId' | 'recipientPlatformId'>,
  isMailed: boolean,
): boolean => recipientPlatformId === null && (recipientId === null || isMailed)

/**
 * Lists the payments for an invoice on the platforms of its sender and its recipient. The id of a payment that the caller cannot read is
 * null. A payment on another platform can be read after its copy has arrived.
 */
async function paymentsOf(
  deps: Deps,
  { platformId }: Caller,
  invoice: ListedInvoice,
): Promise<InvoiceStory['payments']> {
  const { id: invoiceId, recipientPlatformId } = invoice
  const here = await getInvoicePayments(deps, { platformId: invoice.platformId, invoiceId })
  const there = recipientPlatformId && (await getInvoicePayments(deps, { platformId: recipientPlatformId, invoiceId }))
  const isHere = invoice.platformId === platformId
  return Promise.all([
    ...here.map((payment) => ({ ...payment, id: isHere ? payment.id : null })),
    ...(there || []).map(async (payment) => {
      const key = await findKeyOnOtherPlatform(deps, { platformId, paymentId: payment.id })
      return { ...payment, id: key && payment.id }
    }),
  ])
}
