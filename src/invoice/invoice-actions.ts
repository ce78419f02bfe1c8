import { recordAudit } from '../audit/audit-actions.ts'
import { ApiError, fieldError } from '../core/errors.ts'
import { requireCents } from '../core/money.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import type { Page } from '../db/list-page.ts'
import type { Paging } from '../db/paging.ts'
import { inTransaction } from '../db/transaction.ts'
import { holdAccount } from '../destination/destination-actions.ts'
import type { Caller } from '../http/caller.ts'
import { OutsideTransaction } from '../http/outside-transaction.ts'
import { addDays, formatDate } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { type AttachmentInput, attachmentPage, readAttachment } from '../payment/accept/attachment-actions.ts'
import { addressLines } from '../payment/paper-rules.ts'
import { parseRecipient } from '../payment/payment-rules.ts'
import type { Attachment } from '../payment/payment-store.ts'
import { getUser } from '../user/user-actions.ts'
import { holdActiveUser, lockCaller } from '../user/user-lock-actions.ts'
import { isWholeAddress } from '../user/user-rules.ts'
import type { UserKey } from '../user/user-store.ts'
import { applyInvoiceEvent } from './change/invoice-change-actions.ts'
import type { InvoiceKey } from './change/invoice-change-store.ts'
import type { PaperInvoice } from './invoice-drawing-actions.ts'
import { type Direction, REMINDER_DAYS } from './invoice-rules.ts'
import {
  type FirstNotice,
  findInvoice,
  findInvoiceAttachment,
  findInvoicedUser,
  findInvoicePayee,
  type InvoiceFilter,
  type InvoiceRow,
  insertInvoice,
  type ListedInvoice,
  listInvoices,
  listUnpaidInvoices,
  takeInvoiceNumber,
} from './invoice-store.ts'

/** A request for a payment. The amount is in dollars. */
export type InvoiceOrder = {
  amount: number
  name: string
  recipient: string
  description: string
  /** Is paid into. Omitted: the default bank at the time of the payment. */
  account?: string | null
  /** Omitted: the next number of the user's own counter. */
  number?: string | null
}

/**
 * Sends an invoice.
 *
 * @throws ApiError as `createInvoiceIn`, and invalid_attachment
 * @throws OutsideTransaction for an image, which waits in a queue to be decoded
 */
export async function createInvoice(
  deps: TxDeps,
  caller: Caller,
  { attachment: input, ...order }: InvoiceOrder & { attachment?: AttachmentInput | null },
): Promise<InvoiceRow> {
  const file = input == null ? null : readAttachment(input)
  if (!file || file.isPdf) return sendInvoice(deps, caller, { order, attachment: file && pdfOf(file) })
  const { platformId } = caller
  throw new OutsideTransaction(async (outside) => {
    const attachment = await outside.drawings.images.schedule({ platformId, bytes: file.bytes.length }, (run) =>
      attachmentPage(run, file),
    )
    return inTransaction(outside, (tx) => sendInvoice(tx, caller, { order, attachment }))
  })
}

const pdfOf = ({ filename, bytes }: { filename: string | null; bytes: Buffer }): Attachment => ({
  filename,
  pdf: bytes,
})

async function sendInvoice(
  deps: TxDeps,
  caller: Caller,
  given: { order: InvoiceOrder; attachment: Attachment | null },
): Promise<InvoiceRow> {
  await lockCaller(deps, caller)
  const row = await createInvoiceIn(deps, { sender: caller, ...given })
  await recordAudit(deps, caller, 'invoice_sent', row.id)
  return row
}

/**
 * Creates an invoice in the caller's transaction, without an audit entry, for what must commit with it, such as the run of a
 * subscription. The sender is locked (`lockUser`).
 *
 * @throws ApiError user_not_active, invalid_request, bank_not_found, invalid_recipient, own_recipient, recipient_not_active
 */
export async function createInvoiceIn(
  tx: TxDeps,
  {
    sender: { platformId, userId },
    order,
    attachment,
  }: { sender: UserKey; order: InvoiceOrder; attachment: Attachment | null },
): Promise<InvoiceRow> {
  const sender = { platformId, userId }
  const amountCents = requireCents(order.amount, 'amount')
  if (!(await holdActiveUser(tx, sender))) throw new ApiError('user_not_active')
  const { recipientId, email } = await findRecipient(tx, sender, order.recipient)
  const accountId = order.account ?? null
  await requireAccount(tx, sender, { accountId, isFromOutside: recipientId === null })
  const row = {
    platformId,
    id: newId(tx),
    senderId: userId,
    recipientId,
    recipient: order.recipient,
    status: 'UNPAID' as const,
    number: order.number ?? (await takeInvoiceNumber(tx.sql, sender)),
    amountCents,
    name: order.name,
    description: order.description,
    accountId,
    createdAt: tx.clock.now(),
  }
  const isMailed = recipientId === null && email !== null
  await insertInvoice(tx.sql, row, { attachment, notice: isMailed ? firstNotice(tx) : null })
  if (isMailed) tx.afterCommit(tx.wake)
  return { ...row, paymentId: null, hasAttachment: attachment !== null }
}

const firstNotice = ({ clock, realClock }: TxDeps): FirstNotice => ({
  noticeAt: realClock.now(),
  remindAt: addDays(clock.now(), REMINDER_DAYS[0]),
})

/**
 * Who a recipient is: a user of the platform, or a person outside with an email or a phone number.
 *
 * @throws ApiError invalid_recipient, own_recipient, recipient_not_active
 */
async function findRecipient(
  tx: TxDeps,
  { platformId, userId }: UserKey,
  recipient: string,
): Promise<{ recipientId: string | null; email: string | null }> {
  const { email, isReachable } = parseRecipient(recipient)
  const recipientId = await findInvoicedUser(tx.sql, { platformId, recipient, email })
  if (recipientId === null && !isReachable)
    throw fieldError('invalid_recipient', 'recipient', 'must be an email, a phone number or a user_id')
  if (recipientId === userId) throw fieldError('own_recipient', 'recipient', 'is also the sender')
  if (recipientId !== null && !(await holdActiveUser(tx, { platformId, userId: recipientId }))) {
    throw new ApiError('recipient_not_active')
  }
  return { recipientId, email }
}

/** The user that a recipient names. @returns its id. @throws ApiError invalid_recipient, own_recipient, recipient_not_active */
export async function requireInvoicedUser(tx: TxDeps, sender: UserKey, recipient: string): Promise<string> {
  const { recipientId } = await findRecipient(tx, sender, recipient)
  if (recipientId !== null) return recipientId
  throw fieldError('invalid_recipient', 'recipient', 'must be the user_id of a user of this platform')
}

/**
 * Only banks and wallets are paid into, and a person outside pays from a bank, which cannot reach a wallet.
 *
 * @throws ApiError bank_not_found, invalid_request
 */
async function requireAccount(
  tx: TxDeps,
  sender: UserKey,
  { accountId, isFromOutside }: { accountId: string | null; isFromOutside: boolean },
): Promise<void> {
  if (accountId === null) {
    if ((await findInvoicePayee(tx.sql, sender))?.defaultBankId) return
    throw fieldError('invalid_request', 'account', 'is required because the user has no default bank')
  }
  const held = await holdAccount(tx, { ...sender, id: accountId })
  if (held?.kind === 'bank') return
  if (held?.kind === 'wallet') {
    if (!isFromOutside) return
    throw fieldError('invalid_request', 'account', 'must be a bank, because the recipient pays from a bank account')
  }
  throw fieldError('bank_not_found', 'account', 'is not a bank or wallet of this user. Check its id')
}

/** An invoice as its sender or recipient sees it. @throws ApiError invoice_not_found */
export async function getInvoice(deps: Pick<TxDeps, 'sql'>, caller: Caller, id: string): Promise<ListedInvoice> {
  const { platformId } = caller
  const row = await findInvoice(deps.sql, { platformId, id })
  const direction = row && directionFor(caller, row)
  if (!row || !direction) throw new ApiError('invoice_not_found')
  return { ...row, direction }
}

const directionFor = ({ userId }: Caller, { senderId, recipientId }: InvoiceRow): Direction | null =>
  userId === senderId ? 'OUTGOING' : userId === recipientId ? 'INCOMING' : null

/** What a user invoiced, and what it was invoiced for. */
export const getInvoices = (deps: Deps, filter: InvoiceFilter, paging: Paging): Promise<Page<ListedInvoice>> =>
  listInvoices(deps.sql, filter, paging)

/** The attachment as a PDF. An invoice without one is drawn. @throws ApiError invoice_not_found, overloaded, rate_limited */
export async function getInvoiceAttachment(deps: Deps, caller: Caller, id: string): Promise<Attachment> {
  return attachmentOf(deps, await getInvoice(deps, caller, id))
}

/** The same for an invoice that was read already. */
export async function attachmentOf(deps: Deps, invoice: InvoiceRow): Promise<Attachment> {
  if (invoice.hasAttachment) return (await findInvoiceAttachment(deps.sql, invoice)) as Attachment
  const paper = await paperInvoiceOf(deps, invoice)
  const { platformId } = invoice
  const pdf = await deps.drawings.paper.schedule({ platformId }, (run) => run<Buffer>('invoice', paper))
  return { filename: `invoice-${invoice.number}`, pdf }
}

async function paperInvoiceOf(deps: Deps, invoice: InvoiceRow): Promise<PaperInvoice> {
  const { platformId, senderId, number, createdAt, description, amountCents } = invoice
  const sender = await getUser(deps, { platformId, userId: senderId }).catch(nullIfDeleted)
  const address = sender?.merchant.address
  return {
    number,
    date: formatDate(createdAt),
    from: sender
      ? [sender.businessName ?? sender.name, ...(address && isWholeAddress(address) ? addressLines(address) : [])]
      : [],
    to: [invoice.name, invoice.recipient],
    description,
    amountCents,
    createdAt,
  }
}

function nullIfDeleted(error: unknown): null {
  if (error instanceof ApiError && error.code === 'user_not_found') return null
  throw error
}

const ONLY_SENDER = 'Only the sender of the invoice can void it. Use the sender’s credentials.'

/** Voids an unpaid invoice. @throws ApiError invoice_not_found, not_the_sender, invoice_not_payable */
export async function voidInvoice(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  await lockCaller(deps, caller)
  const row = await getInvoice(deps, caller, id)
  if (row.direction !== 'OUTGOING') throw new ApiError('not_the_sender', { message: ONLY_SENDER })
  if (!(await voidOne(deps, row))) throw new ApiError('invoice_not_payable')
  await recordAudit(deps, caller, 'invoice_voided', id)
}

const voidOne = (deps: TxDeps, key: InvoiceKey): Promise<boolean> =>
  applyInvoiceEvent(deps, key, 'void', { before: null, after: null })

/** Voids the unpaid invoices of a user that is deleted. */
export async function voidInvoicesOfUser(deps: TxDeps, user: UserKey): Promise<void> {
  for (const key of await listUnpaidInvoices(deps.sql, user)) await voidOne(deps, key)
}
