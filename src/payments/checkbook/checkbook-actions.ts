import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import { connectionOfRail, isConfiguredAccount } from '../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Page } from '../../foundation/db/list-page.ts'
import type { Paging } from '../../foundation/db/paging.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { accountDigestOf } from '../../money/bank/bank-account-actions.ts'
import { getBanks, holdBank } from '../../money/bank/bank-actions.ts'
import { requireUnblocked } from '../../money/bank/bank-block-actions.ts'
import { bankAccountNumber } from '../../money/bank/bank-correction-actions.ts'
import { findStoppedUser, lockCaller, lockUser } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { recordStatusEvent } from '../../webhook/event/event-actions.ts'
import { requireDeliverable } from '../payment/paper-rules.ts'
import {
  CHECKS_PER_BOOK,
  MAGIC_RETURNED_ZIP,
  MAX_CHECK_NUMBER,
  nextSimulatedStep,
  POSTPONED_MS,
  simulatedEvents,
  TIME_TO_CANCEL_MS,
  type TrackingStep,
  trackingOf,
} from './checkbook-rules.ts'
import { type CheckbookEvent, type CheckbookStatus, checkbookTransitions } from './checkbook-status.ts'
import {
  type CheckbookRow,
  type DueCheckbook,
  findCheckbook,
  findReservedNumber,
  insertCheckbook,
  listCheckbooks,
  listPendingCheckbooks,
  lockBanksOfAccount,
  postponeCheckbook,
  updateCheckbookStatus,
  updateReservedNumbers,
} from './checkbook-store.ts'

type CheckbookOrder = Pick<CheckbookRow, 'bankId' | 'firstNumber' | 'mailType' | 'name' | 'address'>

/**
 * Orders a book of blank checks and reserves their numbers. @throws ApiError bank_not_found, bank_not_verified,
 * bank_blocked, check_numbers_taken, paper_unavailable, invalid_request
 */
export async function orderCheckbook(deps: TxDeps, caller: Caller, order: CheckbookOrder): Promise<CheckbookRow> {
  const { platformId, userId } = caller
  const isPrintedByFile = deps.settings.railNetwork === 'file'
  if (isPrintedByFile && !connectionOfRail(deps.connections.current(), 'MAIL')) throw new ApiError('paper_unavailable')
  if (isPrintedByFile || order.address.zip !== MAGIC_RETURNED_ZIP) {
    requireDeliverable(order.address, { within: 'recipient', mailType: order.mailType })
  }
  await lockCaller(deps, caller)
  const now = deps.clock.now()
  const book: CheckbookRow = {
    ...order,
    platformId,
    userId,
    id: newId(deps),
    lastNumber: order.firstNumber + CHECKS_PER_BOOK - 1,
    status: 'PENDING',
    ...plannedWork(deps, { status: 'PENDING', zip: order.address.zip }),
    fileId: null,
    createdAt: now,
    printedAt: null,
    mailedAt: null,
    endedAt: null,
  }
  await requireFreeNumbers(deps, caller, book)
  await insertCheckbook(deps.sql, book)
  await updateReservedNumbers(deps.sql, book)
  await recordAudit(deps, caller, 'checkbook_ordered', `${book.id} ${book.firstNumber}-${book.lastNumber}`)
  return book
}

/** Returns when a new order is due for printing. With a print file, that is when the order can no longer be canceled. */
function plannedWork(
  { clock, settings }: Pick<TxDeps, 'clock' | 'settings'>,
  { status, zip }: { status: CheckbookStatus; zip: string },
): Pick<CheckbookRow, 'dueAt' | 'printAt'> {
  if (settings.railNetwork === 'simulated') {
    return { dueAt: nextSimulatedStep({ status, zip }, clock.now())?.at ?? null, printAt: null }
  }
  const printAt = status === 'PENDING' ? new Date(clock.now().getTime() + TIME_TO_CANCEL_MS) : null
  return { dueAt: null, printAt }
}

async function requireFreeNumbers(deps: TxDeps, caller: Caller, book: CheckbookRow): Promise<void> {
  const { platformId, bankId, firstNumber: first, lastNumber: last } = book
  if (last > MAX_CHECK_NUMBER) {
    throw fieldError('invalid_request', 'number', `must be at most ${MAX_CHECK_NUMBER - CHECKS_PER_BOOK + 1}`)
  }
  const bank = (await getBanks(deps, caller)).find(({ id }) => id === bankId)
  if (!bank) throw new ApiError('bank_not_found', { fields: { account: ['does not exist'] } })
  if (bank.status !== 'VERIFIED') throw fieldError('bank_not_verified', 'account', 'is not a VERIFIED bank')
  await requireUnblocked(deps, { platformId, bankId }, { entry: 'debit', field: 'account' })
  const account = (await bankAccountNumber(deps, { platformId, bankId })) as string
  if (isConfiguredAccount(deps, { routing: bank.routing, account })) {
    throw fieldError('invalid_request', 'account', 'is the account on which this service draws checks itself')
  }
  const accountDigest = await accountDigestOf(deps, { platformId, routing: bank.routing, account })
  const bankIds = await lockBanksOfAccount(deps.sql, { platformId, accountDigest })
  const taken = await findReservedNumber(deps.sql, { platformId, bankIds, first, last })
  if (taken !== null) {
    throw fieldError('check_numbers_taken', 'number', `overlaps with another checkbook. Use ${taken + 1} or higher`)
  }
}

/** Returns a checkbook of the caller. @throws ApiError checkbook_not_found */
export async function getCheckbook(deps: Pick<TxDeps, 'sql'>, caller: Caller, id: string): Promise<CheckbookRow> {
  const book = await findCheckbook(deps.sql, { platformId: caller.platformId, id })
  if (book?.userId !== caller.userId) throw new ApiError('checkbook_not_found')
  return book
}

/** Lists the checkbooks of a user, newest first. */
export const getCheckbooks = (
  deps: Deps,
  { platformId, userId }: UserKey,
  { q, paging }: { q: string | undefined; paging: Paging },
): Promise<Page<CheckbookRow>> => listCheckbooks(deps.sql, { platformId, userId, q }, paging)

/** Returns the tracking steps of a checkbook. @throws ApiError checkbook_not_found */
export const getCheckbookTracking = async (deps: Deps, caller: Caller, id: string): Promise<TrackingStep[]> =>
  trackingOf(await getCheckbook(deps, caller, id))

/** Cancels an order that has not gone to the printer. @throws ApiError checkbook_not_found, checkbook_not_cancelable */
export async function cancelCheckbook(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  await lockUser(deps, caller)
  const book = await getCheckbook(deps, caller, id)
  if (!(await applyCheckbookEvent(deps, book, 'cancel'))) throw new ApiError('checkbook_not_cancelable')
  await recordAudit(deps, caller, 'checkbook_canceled', id)
}

/** Cancels the orders of a locked user that have not gone to the printer. */
export async function cancelCheckbooksOfUser(deps: TxDeps, user: UserKey): Promise<void> {
  for (const book of await listPendingCheckbooks(deps.sql, user)) await applyCheckbookEvent(deps, book, 'cancel')
}

/**
 * Applies one event of the table to a checkbook, frees the numbers of a canceled book, and creates the webhook event. No other code changes
 * the status of a checkbook. The caller has locked the user for `cancel`. @returns false if the current status does not allow the event
 */
export async function applyCheckbookEvent(
  deps: TxDeps,
  book: CheckbookRow,
  event: CheckbookEvent,
  { fileId = null }: { fileId?: string | null } = {},
): Promise<boolean> {
  const { from, to } = checkbookTransitions[event]
  const { platformId, id, address } = book
  const now = deps.clock.now()
  const isChanged = await updateCheckbookStatus(deps.sql, book, {
    from,
    to,
    ...plannedWork(deps, { status: to, zip: address.zip }),
    fileId: event === 'print' ? fileId : event === 'recall' ? null : book.fileId,
    printedAt: event === 'print' ? now : event === 'recall' ? null : book.printedAt,
    mailedAt: event === 'mail' ? now : event === 'recall' ? null : book.mailedAt,
    endedAt: event === 'cancel' || event === 'return' ? now : null,
  })
  if (isChanged && event === 'cancel') await updateReservedNumbers(deps.sql, book)
  if (isChanged) await recordStatusEvent(deps, { platformId, type: 'CHECKBOOK', id, status: to })
  return isChanged
}

/** Performs the next step of the simulated printer. The caller holds the lock of the platform. */
export async function doDueCheckbook(deps: TxDeps, { platformId, userId, id }: DueCheckbook): Promise<void> {
  await lockUser(deps, { platformId, userId })
  const book = await findCheckbook(deps.sql, { platformId, id })
  const event = book && simulatedEvents[book.status]
  if (!event || !book.dueAt || book.dueAt > deps.clock.now()) return
  if (event === 'print' && !(await canBePrinted(deps, book))) return
  await applyCheckbookEvent(deps, book, event)
}

/** Returns whether a book can be printed now. Cancels it if its bank can no longer send, and postpones it while its user is stopped. */
export async function canBePrinted(deps: TxDeps, book: CheckbookRow): Promise<boolean> {
  const { platformId, userId, bankId } = book
  if (await findStoppedUser(deps, [{ platformId, userId }])) {
    const later = new Date(deps.clock.now().getTime() + POSTPONED_MS)
    await postponeCheckbook(deps.sql, { ...book, dueAt: book.dueAt && later, printAt: book.printAt && later })
    return false
  }
  if ((await holdBank(deps, { platformId, userId, bankId })) === 'VERIFIED') return true
  await applyCheckbookEvent(deps, book, 'cancel')
  return false
}
