import { ApiError } from '../../foundation/core/errors.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { cutPage, type Paging, type Position } from '../../foundation/db/paging.ts'
import { shareStatementsOfPlatform } from '../../foundation/db/shared-statements.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import type { Rail } from '../../money/rail/rail-rules.ts'
import type { ReturnCode } from '../../money/rail/return-code-rules.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { calendarNow, expectedDay } from './expected-day-rules.ts'
import {
  countPayments,
  type ListedPage,
  type ListedPayment,
  type ListedUser,
  listPayments,
  type PaymentConditions,
  type PaymentFilter,
} from './list/payment-list-store.ts'
import { type Contact, hasRecipient, isOwnContact } from './payment-recipient-store.ts'
import {
  type Attachment,
  findAttachment,
  findPayment,
  findPayments,
  findSenderPlatform,
  hasAttachment,
  lockPayment,
} from './payment-store.ts'
import type { PaymentKey, PaymentRow } from './payment-types.ts'

type ReadPayment = (sql: Sql, key: PaymentKey) => Promise<PaymentRow | null>

const MAX_PAYMENTS_PER_STATEMENT = 100

/** Creates a reader that reads all payments of a platform requested at the same time in one statement. Create one per database. */
export const createPaymentReader = (): ReadPayment =>
  shareStatementsOfPlatform(findPayments, { maxSize: MAX_PAYMENTS_PER_STATEMENT })

/** Returns whether the address of a recipient is the user's own. A user cannot pay or invoice itself. */
export const isOwnRecipient = (deps: Pick<TxDeps, 'sql'>, user: UserKey, contact: Contact): Promise<boolean> =>
  isOwnContact(deps.sql, user, contact)

/**
 * Reads a payment that the caller sends or receives. An owner can read all payments of its platform.
 *
 * @throws ApiError payment_not_found
 */
export async function getPayment(
  deps: Pick<TxDeps, 'sql'>,
  caller: Caller,
  paymentId: string,
  read: ReadPayment = findPayment,
): Promise<PaymentRow> {
  const { platformId } = caller
  let payment = await read(deps.sql, { platformId, paymentId })
  if (!payment) {
    const key = await findKeyOnOtherPlatform(deps, { platformId, paymentId })
    payment = key && (await read(deps.sql, key))
  }
  if (!payment || !(await isVisible(deps, caller, payment))) throw new ApiError('payment_not_found')
  return payment
}

/**
 * Locks a payment of the caller's platform that the caller sends or receives, until the end of the transaction. @throws ApiError
 * payment_not_found
 */
export const lockVisiblePayment = (deps: TxDeps, caller: Caller, paymentId: string): Promise<PaymentRow> =>
  lockReadablePayment(deps, caller, { platformId: caller.platformId, paymentId })

/**
 * Locks a payment for an action that only its sender may do.
 *
 * @throws ApiError payment_not_found, or not_the_sender, which is also thrown for a payment from another platform
 */
export async function lockSentPayment(deps: TxDeps, caller: Caller, paymentId: string): Promise<PaymentRow> {
  const payment = await lockPayment(deps.sql, { platformId: caller.platformId, paymentId })
  if (!payment || !(await isVisible(deps, caller, payment))) {
    await getPayment(deps, caller, paymentId)
    throw new ApiError('not_the_sender')
  }
  if (!mayActAsSender(caller, payment)) throw new ApiError('not_the_sender')
  return payment
}

/** Locks a payment that the caller may read, on the platform of its sender. @throws ApiError payment_not_found */
export async function lockReadablePayment(deps: TxDeps, caller: Caller, key: PaymentKey): Promise<PaymentRow> {
  const payment = await lockPayment(deps.sql, key)
  if (!payment || !(await isVisible(deps, caller, payment))) throw new ApiError('payment_not_found')
  return payment
}

/**
 * Returns the key of a payment that is stored on another platform. Returns null for a payment of this platform, even if one of its
 * recipients lists it.
 */
export async function findKeyOnOtherPlatform(deps: Pick<TxDeps, 'sql'>, key: PaymentKey): Promise<PaymentKey | null> {
  const platformId = await findSenderPlatform(deps.sql, key)
  return platformId === null || platformId === key.platformId ? null : { platformId, paymentId: key.paymentId }
}

/** Locks a payment of a platform for the operator. */
export const lockPaymentForOperator = (deps: Pick<TxDeps, 'sql'>, key: PaymentKey): Promise<PaymentRow | null> =>
  lockPayment(deps.sql, key)

/** Returns whether the caller may read a payment: as its sender, its recipient, or one of several recipients. */
async function isVisible(deps: Pick<TxDeps, 'sql'>, caller: Caller, payment: PaymentRow): Promise<boolean> {
  if (mayRead(caller, payment)) return true
  if (payment.kind !== 'MULTI' || caller.credential.kind === 'token') return false
  return hasRecipient(deps.sql, { platformId: payment.platformId, paymentId: payment.id }, caller)
}

export const isSender = ({ platformId, userId }: Caller, payment: PaymentRow) =>
  payment.platformId === platformId && payment.senderId === userId

/** Returns whether the caller is the sender or the owner of its platform. The owner may act for its users. */
export const isSenderSide = (caller: Caller, payment: PaymentRow) =>
  isSender(caller, payment) || (caller.isOwner && payment.platformId === caller.platformId)

/**
 * Returns whether the caller may void a payment or send mail to its payee. The user of a scanned check may do neither, because it is only
 * stored as the sender.
 */
export const mayActAsSender = (caller: Caller, payment: PaymentRow) =>
  isSenderSide(caller, payment) && !(isSender(caller, payment) && payment.kind === 'SCANNED')

export const isRecipient = ({ platformId, userId }: Caller, payment: PaymentRow) =>
  payment.recipientPlatformId === platformId && payment.recipientId === userId

/** Returns whether an application may read a payment. It may only read those that its grant created (specification.md 2.2). */
const mayRead = (caller: Caller, payment: PaymentRow) =>
  caller.credential.kind === 'token'
    ? payment.grantId === caller.credential.id
    : caller.isOwner || isSender(caller, payment) || isRecipient(caller, payment)

type ReadPage = (sql: Sql, filter: PaymentFilter, paging: Paging) => Promise<ListedPage>

const MAX_PAGES_PER_STATEMENT = 8
const PAGE_STATEMENTS_AT_ONCE = 4

/**
 * Creates a reader that reads all similar pages of a platform requested at the same time in one statement. Searches and rare statuses are
 * slow, so they run alone. Create one per database.
 */
export function createPageReader(): ReadPage {
  const limits = { maxSize: MAX_PAGES_PER_STATEMENT, maxAtOnce: PAGE_STATEMENTS_AT_ONCE }
  const read = shareStatementsOfPlatform<Sql, Listing, ListedPage>(listInOneStatement, limits)
  return async (sql, { platformId, userId, ...conditions }, paging) => {
    const listing = { platformId, userId, conditions, paging }
    const isQuick = !conditions.status && !conditions.q && paging.sort.field === 'DATE' && paging.offset < paging.limit
    return isQuick ? read(sql, listing) : ((await listInOneStatement(sql, platformId, [listing]))[0] as ListedPage)
  }
}

type Listing = ListedUser & { conditions: PaymentConditions; paging: Paging }

/** Reads lists that differ only in the user with one statement. */
async function listInOneStatement(sql: Sql, platformId: string, listings: readonly Listing[]): Promise<ListedPage[]> {
  const alike = Map.groupBy(listings, ({ conditions, paging }) => JSON.stringify([conditions, paging]))
  const pages = new Map<Listing, ListedPage>()
  const readAlike = async (same: Listing[]) => {
    const userIds = same.map(({ userId }) => userId)
    const lists = await listPayments(sql, { platformId, userIds }, same[0] as Listing)
    same.forEach((listing, index) => {
      pages.set(listing, lists[index] as ListedPage)
    })
  }
  await Promise.all(alike.values().map(readAlike))
  return listings.map((listing) => pages.get(listing) as ListedPage)
}

/** Lists the payments that a user sends and receives. `total` is set only for numbered pages. */
export async function getPayments(
  deps: Deps,
  { filter, paging }: { filter: PaymentFilter; paging: Paging },
  readPage: ReadPage,
): Promise<{ rows: ListedPayment[]; next: Position | null; total: number | null }> {
  const { rows, total } = await readPage(deps.sql, filter, paging)
  const page = cutPage(rows, paging)
  return { ...page, total: paging.after ? null : (total ?? (await countPayments(deps.sql, filter))) }
}

/** Returns the rail and the expected day (`YYYY-MM-DD`) of a payment, both null before the deposit. @throws ApiError payment_not_found */
export async function getDeposit(
  deps: Deps,
  caller: Caller,
  paymentId: string,
): Promise<{ rail: Rail | null; eta: string | null }> {
  const payment = await getPayment(deps, caller, paymentId)
  const eta = expectedDay(payment, calendarNow(deps))
  return { rail: eta === null ? null : payment.rail, eta }
}

/** Returns the return code of a payment, or null unless it is FAILED. @throws ApiError payment_not_found */
export async function getReturnCode(deps: Deps, caller: Caller, paymentId: string): Promise<ReturnCode | null> {
  const { status, returnCode } = await getPayment(deps, caller, paymentId)
  return status === 'FAILED' ? returnCode : null
}

/** Returns whether a payment that the caller has opened by a link has an attachment. */
export const paymentHasAttachment = (deps: Pick<TxDeps, 'sql'>, { platformId, id }: PaymentRow) =>
  hasAttachment(deps.sql, { platformId, paymentId: id })

/** Returns the attachment of a payment that the caller has opened by a link, as a PDF. @throws ApiError attachment_not_found */
export async function attachmentOf(deps: Pick<TxDeps, 'sql'>, { platformId, id }: PaymentRow): Promise<Attachment> {
  const attachment = await findAttachment(deps.sql, { platformId, paymentId: id })
  if (!attachment) throw new ApiError('attachment_not_found')
  return attachment
}

/** Returns the attachment as a PDF. @throws ApiError payment_not_found, attachment_not_found */
export async function getAttachment(deps: Deps, caller: Caller, paymentId: string): Promise<Attachment> {
  return attachmentOf(deps, await getPayment(deps, caller, paymentId))
}
