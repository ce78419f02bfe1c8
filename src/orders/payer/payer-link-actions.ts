import { type Actor, recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { addDays, businessDate } from '../../foundation/lib/clock.ts'
import { newSecret } from '../../foundation/lib/ids.ts'
import { hashSecret } from '../../foundation/lib/secret.ts'
import { type Bank, getBanks, type Holder } from '../../money/bank/bank-actions.ts'
import { findByLink, type LinkVisit, visitorDeps, visitorOf } from '../../payments/recipient/recipient-link-actions.ts'
import { logoUrl } from '../../payments/recipient/recipient-rules.ts'
import { createGuest } from '../../people/user/user-actions.ts'
import { lockCaller, lockUser } from '../../people/user/user-lock-actions.ts'
import { getInvoice, getInvoiceSender } from '../invoice/invoice-actions.ts'
import { hasViewLink } from '../invoice/invoice-details-actions.ts'
import type { InvoiceRow } from '../invoice/invoice-store.ts'
import { isOverdue } from '../invoice/invoice-terms-rules.ts'
import { requestMail } from './payer-notice-actions.ts'
import { authorizationText, LINK_DAYS, OPENED_LINK_DAYS } from './payer-rules.ts'
import {
  findInvoiceLink,
  findLinkedInvoice,
  findPayee,
  type InvoiceLink,
  insertInvoiceLink,
  lockLinkedInvoice,
  updateInvoicePayer,
} from './payer-store.ts'

/** An invoice as a person without an account sees it. */
export type LinkedInvoice = {
  invoice: InvoiceRow
  sender: string
  /** The logo as a data URL, or null if the sender has no valid picture. */
  logo: string | null
  /** The account to pay from. Null: the person has not entered one yet. */
  bank: Bank | null
  /** The text to which the person must agree. Null: the invoice cannot be paid now. */
  authorization: string | null
  canSignIn: boolean
  isOverdue: boolean
  /** The day of the business on which the invoice was sent. */
  day: string
  /** Whether the link only shows the invoice, so that no account or payment can be entered. */
  isViewOnly: boolean
}

/** A visitor's invoice. `deps` has the time of the invoice's platform. */
export type OpenedInvoice = { deps: TxDeps; invoice: InvoiceRow; visitor: Actor }

/** Finds the link to an invoice. The refusal link_not_found is returned, not thrown. @throws ApiError too_many_tries */
const findLinked = (deps: TxDeps, visit: LinkVisit): Promise<InvoiceLink | ApiError> =>
  findByLink(deps, visit, async (tokenHash) => {
    const link = await findInvoiceLink(deps.sql, tokenHash)
    return link && link.expiresAt > deps.realClock.now() ? link : null
  })

/**
 * Reads the invoice of a link. The refusal link_not_found is returned, not thrown, so that the attempt is counted. @throws ApiError
 * too_many_tries
 */
export async function readLinkedInvoice(deps: TxDeps, visit: LinkVisit): Promise<LinkedInvoice | ApiError> {
  const link = await findLinked(deps, visit)
  if (link instanceof ApiError) return link
  const invoice = await findLinkedInvoice(deps.sql, link)
  if (!invoice) return new ApiError('link_not_found')
  const clock = await clockOf(deps, link.platformId)
  const described = await describeInvoice({ ...deps, clock }, invoice)
  return link.isViewOnly ? { ...described, bank: null, authorization: null, isViewOnly: true } : described
}

/**
 * Finds the invoice of a link. Locks first its payer and then the invoice, in the same order as the payment of an invoice.
 *
 * @throws ApiError invoice_not_payable for a link that only shows the invoice
 */
export async function openInvoice(given: TxDeps, visit: LinkVisit): Promise<OpenedInvoice | ApiError> {
  const link = await findLinked(given, visit)
  if (link instanceof ApiError) return link
  if (link.isViewOnly) throw new ApiError('invoice_not_payable', { message: VIEW_ONLY })
  const payerId = (await findLinkedInvoice(given.sql, link))?.recipientId ?? null
  if (payerId !== null) await lockUser(given, { platformId: link.platformId, userId: payerId })
  const invoice = await lockLinkedInvoice(given.sql, link)
  if (!invoice) return new ApiError('link_not_found')
  const deps = await visitorDeps(given, link)
  return { deps, invoice, visitor: visitorOf(invoice, visit) }
}

const VIEW_ONLY = 'This link only shows the invoice. Pay it with the link in its email.'

/** Returns the user of the person who pays a locked invoice. The user is created with the first account that the person enters. */
export async function findOrCreatePayer({ deps, invoice, visitor }: OpenedInvoice): Promise<Holder> {
  const { platformId, recipientId, name } = invoice
  if (recipientId !== null) return { ...visitor, platformId, userId: recipientId, isOwner: false }
  const { userId } = await createGuest(deps, { platformId, name })
  await updateInvoicePayer(deps.sql, invoice, userId)
  return { ...visitor, platformId, userId, isOwner: false }
}

/** Returns the content of the payer's page. */
export async function describeInvoice(deps: TxDeps, invoice: InvoiceRow): Promise<LinkedInvoice> {
  const { platformId, recipientId, status, amountCents, number } = invoice
  const payee = await findPayee(deps.sql, invoice)
  const banks = recipientId === null ? [] : await getBanks(deps, { platformId, userId: recipientId })
  const bank = banks.find(({ isDefault }) => isDefault) ?? null
  const sender = payee?.name ?? ''
  const isReady = status === 'UNPAID' && payee !== null && bank?.status === 'VERIFIED'
  return {
    invoice,
    sender,
    logo: logoUrl(payee?.logo ?? null),
    bank,
    authorization: isReady
      ? authorizationText({
          payee: sender,
          amountCents,
          number,
          name: bank.name ?? invoice.name,
          accountLast4: bank.accountLast4,
        })
      : null,
    canSignIn: deps.settings.institutionNetwork !== null,
    isOverdue: isOverdue(invoice, businessDate(deps.clock.now(), deps.settings.timeZone)),
    day: businessDate(invoice.createdAt, deps.settings.timeZone),
    isViewOnly: false,
  }
}

/**
 * Creates a link to an invoice from another platform, for the account that received it. The transaction writes only to the sender's
 * platform.
 *
 * @returns its token @throws ApiError invoice_not_found, invoice_not_payable
 */
export async function openReceivedInvoice(deps: Deps, caller: Caller, id: string): Promise<string> {
  const { platformId, isFromOutside } = await getInvoiceSender(deps, caller, id)
  if (!isFromOutside) throw new ApiError('invoice_not_payable', { message: NO_PAGE })
  const token = newSecret(deps)
  const expiresAt = addDays(deps.realClock.now(), OPENED_LINK_DAYS)
  const link = { platformId, invoiceId: id, expiresAt, isViewOnly: false }
  await inTransaction(deps, (tx) => insertInvoiceLink(tx.sql, hashSecret(token), link))
  return token
}

const NO_PAGE = 'This invoice comes from your own platform. Pay it with /v3/invoice/payment.'

/**
 * Creates a link that the sender can give to anybody. It only shows the invoice. If it also accepted payments, the sender could use the
 * bank account that the payer entered.
 *
 * @returns its token @throws ApiError invoice_not_found, not_the_sender, invoice_without_link
 */
export async function createViewLink(deps: TxDeps, caller: Caller, id: string): Promise<string> {
  await lockCaller(deps, caller)
  const invoice = await getInvoice(deps, caller, id)
  if (invoice.direction !== 'OUTGOING') throw new ApiError('not_the_sender', { message: ONLY_SENDER })
  if (!(await hasViewLink(deps, invoice))) throw new ApiError('invoice_without_link')
  const token = newSecret(deps)
  const expiresAt = addDays(deps.realClock.now(), LINK_DAYS)
  const link = { platformId: invoice.platformId, invoiceId: id, expiresAt, isViewOnly: true }
  await insertInvoiceLink(deps.sql, hashSecret(token), link)
  await recordAudit(deps, caller, 'invoice_link_created', id)
  return token
}

const ONLY_SENDER = 'Only the sender of the invoice can copy its link. Use the sender’s credentials.'

/**
 * Mails the recipient a link to pay, at the request of a visitor whose link only shows the invoice. Such mails count toward the limit of
 * reminders that the sender requests. The refusal link_not_found is returned, not thrown, so that the attempt is counted.
 *
 * @throws ApiError not_notifiable, notify_limit_reached
 */
export async function mailPayLink(deps: TxDeps, visit: LinkVisit): Promise<ApiError | undefined> {
  const link = await findLinked(deps, visit)
  if (link instanceof ApiError) return link
  const invoice = await findLinkedInvoice(deps.sql, link)
  if (!invoice) return new ApiError('link_not_found')
  await requestMail(deps, visitorOf(invoice, visit), invoice)
}
