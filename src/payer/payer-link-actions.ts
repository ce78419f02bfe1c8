import type { Actor } from '../audit/audit-actions.ts'
import { type AttemptSubject, countAttempts, uncountAttempt } from '../auth/attempts/attempt-actions.ts'
import { type Bank, getBanks, type Holder } from '../bank/bank-actions.ts'
import { ApiError } from '../core/errors.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { clockOf } from '../db/platform-clock.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Caller } from '../http/caller.ts'
import { getInvoiceSender } from '../invoice/invoice-actions.ts'
import type { InvoiceRow } from '../invoice/invoice-store.ts'
import { addDays } from '../lib/clock.ts'
import { newSecret } from '../lib/ids.ts'
import { networkOf } from '../lib/network.ts'
import { hashSecret } from '../lib/secret.ts'
import type { LinkVisit } from '../recipient/recipient-link-actions.ts'
import { logoUrl } from '../recipient/recipient-rules.ts'
import { createGuest } from '../user/user-actions.ts'
import { lockUser } from '../user/user-lock-actions.ts'
import { authorizationText, OPENED_LINK_DAYS } from './payer-rules.ts'
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
  /** A data URL. Null if the sender has no valid picture. */
  logo: string | null
  /** The account to pay from. Null: none is given yet. */
  bank: Bank | null
  /** The text to agree to. Null: the invoice cannot be paid now. */
  authorization: string | null
  canSignIn: boolean
}

/** A visitor's invoice. `deps` has the time of the invoice's platform. */
export type OpenedInvoice = { deps: TxDeps; invoice: InvoiceRow; visitor: Actor }

/** Finds the invoice of a link. Invalid links are limited per network address. Refusals are returned: link_not_found. */
async function findLinked(deps: TxDeps, { token, address }: LinkVisit): Promise<InvoiceLink | ApiError> {
  const from: AttemptSubject = { kind: 'link', name: networkOf(address) }
  await countAttempts(deps, [from])
  const link = await findInvoiceLink(deps.sql, hashSecret(token))
  if (!link || link.expiresAt <= deps.realClock.now()) return new ApiError('link_not_found')
  await uncountAttempt(deps, from)
  return link
}

/** Reads the invoice of a link. Refusals are returned, so that the attempt counts: link_not_found. @throws ApiError too_many_tries */
export async function readLinkedInvoice(deps: TxDeps, visit: LinkVisit): Promise<LinkedInvoice | ApiError> {
  const link = await findLinked(deps, visit)
  if (link instanceof ApiError) return link
  const invoice = await findLinkedInvoice(deps.sql, link)
  return invoice ? describeInvoice(deps, invoice) : new ApiError('link_not_found')
}

/** Finds and locks the invoice of a link, after the person who pays it, as the payment of an invoice does. */
export async function openInvoice(given: TxDeps, visit: LinkVisit): Promise<OpenedInvoice | ApiError> {
  const link = await findLinked(given, visit)
  if (link instanceof ApiError) return link
  const payerId = (await findLinkedInvoice(given.sql, link))?.recipientId ?? null
  if (payerId !== null) await lockUser(given, { platformId: link.platformId, userId: payerId })
  const invoice = await lockLinkedInvoice(given.sql, link)
  if (!invoice) return new ApiError('link_not_found')
  const deps = {
    ...given,
    clock: await clockOf(given, link.platformId),
    actor: { kind: 'recipient', id: null } as const,
  }
  return { deps, invoice, visitor: visitorOf(invoice, visit) }
}

const visitorOf = ({ platformId }: InvoiceRow, { address }: LinkVisit): Actor => ({
  platformId,
  userId: null,
  credential: { kind: 'anonymous' },
  origin: { address, userAgent: null },
})

/** The person who pays a locked invoice. The first account that it gives makes it known. */
export async function payerOf({ deps, invoice, visitor }: OpenedInvoice): Promise<Holder> {
  const { platformId, recipientId, name } = invoice
  if (recipientId !== null) return { ...visitor, platformId, userId: recipientId, isOwner: false }
  const { userId } = await createGuest(deps, { platformId, name })
  await updateInvoicePayer(deps.sql, invoice, userId)
  return { ...visitor, platformId, userId, isOwner: false }
}

/** The content of the page. */
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
  }
}

/**
 * A new link to an invoice from another platform, for the account that has it. The transaction writes the sender's platform only.
 *
 * @returns its token @throws ApiError invoice_not_found, invoice_not_payable
 */
export async function openReceivedInvoice(deps: Deps, caller: Caller, id: string): Promise<string> {
  const { platformId, isFromOutside } = await getInvoiceSender(deps, caller, id)
  if (!isFromOutside) throw new ApiError('invoice_not_payable', { message: NO_PAGE })
  const token = newSecret(deps)
  const link = { platformId, invoiceId: id, expiresAt: addDays(deps.realClock.now(), OPENED_LINK_DAYS) }
  await inTransaction(deps, (tx) => insertInvoiceLink(tx.sql, hashSecret(token), link))
  return token
}

const NO_PAGE = 'This invoice comes from your own platform. Pay it with /v3/invoice/payment.'
