import { getTimesOfReminders } from '../../foundation/audit/audit-actions.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { businessDate } from '../../foundation/lib/clock.ts'
import { getInvoicePayments } from '../../payments/payment/history/timeline-actions.ts'
import { findKeyElsewhere } from '../../payments/payment/payment-actions.ts'
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

/** Whether the sender of an invoice can have a link to its page. */
export const hasViewLink = async (deps: Pick<TxDeps, 'sql'>, invoice: InvoiceRow): Promise<boolean> =>
  isForOutside(invoice, (await findInvoiceMails(deps.sql, invoice)).isMailed)

/** Whether the recipient has no account. One who gave an account to pay from is known by its mail. */
const isForOutside = (
  { recipientId, recipientPlatformId }: Pick<InvoiceRow, 'recipientId' | 'recipientPlatformId'>,
  isMailed: boolean,
): boolean => recipientPlatformId === null && (recipientId === null || isMailed)

/**
 * The payments of an invoice on its own platform, and then those on the platform of its recipient. Ids that the caller cannot read are
 * null: a payment on another platform can be read as soon as its copy arrived, and the copy of an invoice names none, because a person
 * outside pays it.
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
      const key = await findKeyElsewhere(deps, { platformId, paymentId: payment.id })
      return { ...payment, id: key && payment.id }
    }),
  ])
}
