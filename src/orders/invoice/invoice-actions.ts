import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import { requireCents } from '../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Page } from '../../foundation/db/list-page.ts'
import type { Paging } from '../../foundation/db/paging.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { addDays, businessDate } from '../../foundation/lib/clock.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { holdAccount } from '../../money/destination/destination-actions.ts'
import { applyInvoiceEvent, createCopy } from '../../payments/invoice-status/invoice-change-actions.ts'
import type { InvoiceKey } from '../../payments/invoice-status/invoice-change-store.ts'
import { type AttachmentInput, decodeAttachment } from '../../payments/payment/accept/attachment-actions.ts'
import {
  type InvoiceMessage,
  recordAuditOnOtherPlatform,
  sendInvoiceMessage,
} from '../../payments/payment/outbox/outbox-actions.ts'
import { findKeyOnOtherPlatform, isOwnRecipient } from '../../payments/payment/payment-actions.ts'
import { parseRecipient, recipientProblem } from '../../payments/payment/payment-rules.ts'
import type { Attachment } from '../../payments/payment/payment-store.ts'
import { findStoppedUser, holdActiveUser, lockCaller } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { isInvoiceWaiting } from '../approval/approval-actions.ts'
import { type Direction, REMINDER_DAYS } from './invoice-rules.ts'
import {
  type FirstNotice,
  findInvoice,
  findInvoicedUser,
  findInvoicePayee,
  findReceivedInvoice,
  type InvoiceFilter,
  type InvoiceOfList,
  type InvoiceRow,
  insertInvoice,
  type ListedInvoice,
  listInvoices,
  listUnpaidInvoices,
  lockInvoice,
  senderPlatformOf,
  takeInvoiceNumber,
} from './invoice-store.ts'
import { type GivenTerms, readTerms } from './invoice-terms-rules.ts'

/** A request for a payment. The amount is in dollars. */
export type InvoiceOrder = {
  amount: number
  name: string
  recipient: string
  description: string
  /** The account that receives the money. Omitted: the default bank at the time of the payment. */
  account?: string | null
  /** The number of the invoice. Omitted: the next number of the user's counter. */
  number?: string | null
} & GivenTerms

/** Decodes the attachment of an invoice before it is sent. Returns null if it has none. @throws ApiError invalid_attachment */
export const decodeInvoiceAttachment = (deps: Deps, caller: Caller, attachment: AttachmentInput | null | undefined) =>
  attachment == null ? null : () => decodeAttachment(deps, caller, attachment)

/**
 * Sends an invoice whose attachment is already decoded.
 *
 * @throws ApiError as `createInvoiceIn`
 */
export async function createInvoice(
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
 * Creates an invoice in the caller's transaction, without an audit entry. It commits together with the caller's changes, such as the run of
 * a subscription. The caller holds the lock of the sender (`lockUser`).
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
  const terms = readTerms(order, { amountCents, today: businessDate(tx.clock.now(), tx.settings.timeZone) })
  if (!(await holdActiveUser(tx, sender))) throw new ApiError('user_not_active')
  const { user, email } = await findRecipient(tx, sender, order.recipient)
  const isOnOtherPlatform = user !== null && user.platformId !== platformId
  const accountId = order.account ?? null
  await requireAccount(tx, sender, { accountId, isFromOutside: user === null })
  const row = {
    platformId,
    id: newId(tx),
    senderId: userId,
    recipientId: isOnOtherPlatform ? null : (user?.userId ?? null),
    recipientPlatformId: isOnOtherPlatform ? user.platformId : null,
    recipient: order.recipient,
    status: 'UNPAID' as const,
    number: order.number ?? (await takeInvoiceNumber(tx.sql, sender)),
    amountCents,
    name: order.name,
    description: order.description,
    accountId,
    createdAt: tx.clock.now(),
    ...terms,
  }
  const isMailed = row.recipientId === null && email !== null
  await insertInvoice(tx.sql, row, { attachment, notice: isMailed ? firstNotice(tx) : null })
  const created = {
    ...row,
    paymentId: null,
    updatedAt: row.createdAt,
    hasAttachment: attachment !== null,
    senderPlatformId: null,
  }
  if (isOnOtherPlatform) await sendInvoiceMessage(tx, buildInvoiceCopy(created, user.platformId))
  if (isMailed) tx.afterCommit(tx.wake)
  return created
}

const firstNotice = ({ clock, realClock }: TxDeps): FirstNotice => ({
  noticeAt: realClock.now(),
  remindAt: addDays(clock.now(), REMINDER_DAYS[0]),
})

/**
 * Finds the recipient: a user of the platform, the owner of another platform, or a person without an account.
 *
 * @throws ApiError invalid_recipient, own_recipient, recipient_not_active
 */
async function findRecipient(
  tx: TxDeps,
  sender: UserKey,
  recipient: string,
): Promise<{ user: UserKey | null; email: string | null }> {
  const { platformId, userId } = sender
  const { email, phone, isReachable } = parseRecipient(recipient)
  const user = await findInvoicedUser(tx.sql, { platformId, recipient, email })
  if (user === null && !isReachable) throw fieldError('invalid_recipient', 'recipient', recipientProblem(recipient))
  const isOwn = user ? user.userId === userId : await isOwnRecipient(tx, sender, { email, phone })
  if (isOwn) throw fieldError('own_recipient', 'recipient', 'is also the sender. Choose another recipient')
  if (user !== null && !(await isActive(tx, { user, platformId }))) throw new ApiError('recipient_not_active')
  return { user, email }
}

/** Returns whether a user is active. A user of another platform is read without a lock. */
const isActive = async (tx: TxDeps, { user, platformId }: { user: UserKey; platformId: string }): Promise<boolean> =>
  user.platformId === platformId ? holdActiveUser(tx, user) : (await findStoppedUser(tx, [user])) === null

/**
 * The payer of an invoice: a user of its platform (`payerId`), the owner of another platform, or a person without an account (both null).
 */
export type InvoicePayer = { payerId: string | null; recipientPlatformId: string | null }

/**
 * Checks the recipient and the account of invoices that will be sent later. Without an account, each invoice uses the default bank on its
 * day.
 *
 * @throws ApiError invalid_recipient, own_recipient, recipient_not_active, bank_not_found, invalid_request
 */
export async function checkLaterInvoices(
  tx: TxDeps,
  sender: UserKey,
  { recipient, account }: { recipient: string; account: string | null },
): Promise<InvoicePayer> {
  const { user } = await findRecipient(tx, sender, recipient)
  if (account !== null) await requireAccount(tx, sender, { accountId: account, isFromOutside: user === null })
  if (user === null) return { payerId: null, recipientPlatformId: null }
  return user.platformId === sender.platformId
    ? { payerId: user.userId, recipientPlatformId: null }
    : { payerId: null, recipientPlatformId: user.platformId }
}

/**
 * Checks the account that receives the money: a bank or a wallet. A person without an account pays by a debit, whose money cannot go to a
 * wallet.
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

/**
 * Reads an invoice as its sender or recipient sees it. `platformId` is the platform of the sender.
 *
 * @throws ApiError invoice_not_found
 */
export async function getInvoice(deps: Pick<TxDeps, 'sql'>, caller: Caller, id: string): Promise<ListedInvoice> {
  const { platformId } = caller
  const row =
    (await findInvoice(deps.sql, { platformId, id })) ?? (await findReceivedInvoice(deps.sql, { platformId, id }))
  const direction = row && directionFor(caller, row)
  if (!row || !direction) throw new ApiError('invoice_not_found')
  return { ...row, ...(await readRecipientState(deps, row)), direction }
}

/**
 * Reads the status on the recipient's platform, where it changes first. The sender can read the payment after its copy has arrived on the
 * sender's platform.
 */
async function readRecipientState(
  deps: Pick<TxDeps, 'sql'>,
  { platformId, recipientPlatformId, id }: InvoiceRow,
): Promise<Pick<InvoiceRow, 'status' | 'paymentId'> | null> {
  if (recipientPlatformId === null) return null
  const other = await findInvoice(deps.sql, { platformId: recipientPlatformId, id })
  if (!other) return null
  const { status, paymentId } = other
  const isReadable = paymentId !== null && (await findKeyOnOtherPlatform(deps, { platformId, paymentId })) !== null
  return { status, paymentId: isReadable ? paymentId : null }
}

/**
 * Reads the sender of a received invoice for its page. `isWaiting`: whether a payment for it waits for approval. @throws ApiError
 * invoice_not_found
 */
export async function getInvoiceSender(
  deps: Pick<TxDeps, 'sql'>,
  caller: Caller,
  id: string,
): Promise<{ platformId: string; sender: string; isFromOutside: boolean; isWaiting: boolean }> {
  const invoice = await getInvoice(deps, caller, id)
  if (invoice.direction !== 'INCOMING') throw new ApiError('invoice_not_found')
  const [platformId, userId] = [senderPlatformOf(invoice), invoice.senderId]
  const copy = await findReceivedInvoice(deps.sql, { platformId: caller.platformId, id })
  if (copy) return { platformId, sender: copy.sender, isFromOutside: true, isWaiting: false }
  const payee = await findInvoicePayee(deps.sql, { platformId, userId })
  const isWaiting = await isInvoiceWaiting(deps, { platformId: caller.platformId, id })
  return { platformId, sender: payee?.name ?? '', isFromOutside: false, isWaiting }
}

const directionFor = ({ userId }: Caller, { senderId, recipientId }: InvoiceRow): Direction | null =>
  userId === senderId ? 'OUTGOING' : userId === recipientId ? 'INCOMING' : null

/** Lists the invoices that a user sent and received. */
export const getInvoices = (deps: Deps, filter: InvoiceFilter, paging: Paging): Promise<Page<InvoiceOfList>> =>
  listInvoices(deps.sql, filter, paging)

const ONLY_SENDER = 'Only the sender of the invoice can void it. Use the sender’s credentials.'

/** Voids an unpaid invoice to a recipient of its platform. @throws ApiError invoice_not_found, not_the_sender, invoice_not_payable */
export async function voidInvoice(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  await lockCaller(deps, caller)
  const { direction, ...key } = await getInvoice(deps, caller, id)
  if (direction !== 'OUTGOING') throw new ApiError('not_the_sender', { message: ONLY_SENDER })
  const row = await lockInvoice(deps.sql, key)
  // The account that found the invoice can have moved it to its platform since `voidAtOtherPlatform` read it.
  if (row?.recipientPlatformId !== null) throw new ApiError('invoice_not_payable')
  if (!(await voidOne(deps, row))) throw new ApiError('invoice_not_payable')
  await recordAudit(deps, caller, 'invoice_voided', id)
}

/**
 * Voids an unpaid invoice to another platform, in a transaction of that platform. Returns null if its recipient is not on another platform.
 */
export async function voidAtOtherPlatform(
  deps: Deps,
  caller: Caller,
  id: string,
): Promise<(() => Promise<object>) | null> {
  const row = await findInvoice(deps.sql, { platformId: caller.platformId, id })
  if (!row || row.senderId !== caller.userId || row.recipientPlatformId === null) return null
  const { recipientPlatformId } = row
  return async () => {
    await voidAtRecipientPlatform(deps, caller, { row, recipientPlatformId })
    return {}
  }
}

/**
 * Voids an invoice on the platform of its recipient. The invoice is also paid there, so only one of voiding and paying succeeds. @throws
 * ApiError invoice_not_payable
 */
async function voidAtRecipientPlatform(
  deps: Deps,
  actor: Caller,
  { row, recipientPlatformId: platformId }: { row: InvoiceRow; recipientPlatformId: string },
): Promise<void> {
  const { id } = row
  await inTransaction(deps, async (tx) => {
    await createCopy(tx, { platformId, id }, buildInvoiceCopy(row, platformId).content)
    const there = { ...tx, clock: await clockOf(tx, platformId) }
    if (!(await voidOne(there, { platformId, id }))) throw new ApiError('invoice_not_payable')
    const entry = { actor, action: 'invoice_voided', subject: id } as const
    await recordAuditOnOtherPlatform(tx, { platformId, subjectId: id, kind: 'invoice_audited', ...entry })
  })
}

/** Builds the message that creates the row of a recipient on another platform. */
export const buildInvoiceCopy = (row: InvoiceRow, targetPlatformId: string): InvoiceMessage => ({
  platformId: row.platformId,
  targetPlatformId,
  kind: 'invoice_created',
  subjectId: row.id,
  content: {
    sender_platform_id: row.platformId,
    sender_id: row.senderId,
    recipient: row.recipient,
    number: row.number,
    amount_cents: row.amountCents,
    name: row.name,
    description: row.description,
    account_id: row.accountId,
    has_file_elsewhere: row.hasAttachment,
    created_at: row.createdAt,
    due_date: row.dueDate,
    terms: row.terms,
    items: row.items,
  },
})

const voidOne = (deps: TxDeps, key: InvoiceKey): Promise<boolean> =>
  applyInvoiceEvent(deps, key, 'void', { before: null, after: null })

const voidMessage = ({ platformId, id }: InvoiceKey, targetPlatformId: string): InvoiceMessage => ({
  platformId,
  targetPlatformId,
  kind: 'invoice_voided',
  subjectId: id,
  content: {},
})

/**
 * Voids a limited number of unpaid invoices of a deleted user. Invoices to another platform are voided there. Here, their status changes
 * when the message of that platform arrives.
 */
export async function voidInvoicesOfUser(deps: TxDeps, user: UserKey): Promise<{ count: number; isDone: boolean }> {
  const found = await listUnpaidInvoices(deps.sql, user, INVOICES_PER_BATCH)
  for (const key of found) {
    const recipientPlatformId = (await lockInvoice(deps.sql, key))?.recipientPlatformId ?? null
    if (recipientPlatformId === null) await voidOne(deps, key)
    else await sendInvoiceMessage(deps, voidMessage(key, recipientPlatformId))
  }
  return { count: found.length, isDone: found.length < INVOICES_PER_BATCH }
}

const INVOICES_PER_BATCH = 100
