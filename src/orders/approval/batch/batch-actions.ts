import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import { formatDollars } from '../../../foundation/core/money.ts'
import { setTimeLimit } from '../../../foundation/db/connect.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import type { Page } from '../../../foundation/db/list-page.ts'
import type { Paging } from '../../../foundation/db/paging.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { addDays } from '../../../foundation/lib/clock.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { acceptPayment } from '../../../payments/payment/accept/accept-actions.ts'
import { sourceOf } from '../../../payments/payment/accept/prepare-actions.ts'
import { type File, refuseRows, splitOutcomes, type ValidateRow } from '../../../payments/payment/bulk/bulk-actions.ts'
import { lockCaller } from '../../../people/user/user-lock-actions.ts'
import { requireApproval, requirePerson, requireRoom, requireSeen } from '../approval-actions.ts'
import { getWaiting, type Waiting } from '../approval-inbox-actions.ts'
import { notifyApprovers, notifyPreparer } from '../approval-mail-actions.ts'
import { approveApproval, startRelease } from '../approval-release-actions.ts'
import type { Seen } from '../approval-rules.ts'
import { APPROVAL_DAYS } from '../approval-rules.ts'
import { type ApprovalStatus, approvalTransitions } from '../approval-status.ts'
import { type ApprovalKey, type ApprovalRow, deleteVotes, insertApproval, updateApproval } from '../approval-store.ts'
import { checkFile, type SoundRow } from './batch-check-actions.ts'
import { countNeededTogether, readBatchOrders } from './batch-order-actions.ts'
import { recipientOf } from './batch-rules.ts'
import {
  type BatchRow,
  type BatchView,
  deleteBatchRows,
  findBatchView,
  insertBatchRows,
  listBatches,
  listBatchRows,
  recordPaymentsOfBatch,
  type ShownRow,
  type StatusTotal,
  sumByStatus,
} from './batch-store.ts'

/** A file with its name. */
export type NamedFile = File & { name: string; validate: ValidateRow }

/** A batch for its page. `waiting` is null after its end. `totals` contains sums of its payments by current status. */
export type ShownBatch = BatchView & { waiting: Waiting | null; totals: StatusTotal[] }

/**
 * Saves the payments of a file, to be released later. Nothing is reserved.
 *
 * @throws ApiError invalid_rows, invalid_request, batch_limit_reached, approval_limit_reached, and errors of the sender
 */
export async function createBatch(deps: TxDeps, caller: Caller, given: NamedFile): Promise<ShownBatch> {
  await lockCaller(deps, caller)
  await requireRoom(deps, caller, 'batch')
  const preparedBy = await requirePerson(deps, caller, 'prepare')
  const sound = await checkWhole(deps, caller, given)
  const now = deps.clock.now()
  const { platformId, userId } = caller
  const row: ApprovalRow = {
    ...{ platformId, userId, id: newId(deps), kind: 'BATCH', status: 'UNPAID' },
    ...columnsOf(deps, given, sound),
    ...{ comment: null, number: null, numberIsText: false, description: null, pinDescription: null, pinSealed: null },
    ...{ payeePlatformId: null, payeeId: null, invoiceId: null, preparedBy, source: sourceOf(caller), editors: [] },
    ...{ createdAt: now, updatedAt: now },
  }
  await insertApproval(deps.sql, { ...row, expiresAt: addDays(now, APPROVAL_DAYS) }, null)
  await insertBatchRows(deps.sql, row, rowsOf(deps, sound))
  await recordAudit(deps, caller, 'approval_prepared', summaryOf(row))
  await notifyApprovers(deps, row)
  return showBatch(deps, caller, row)
}

/**
 * Replaces the payments of an open batch and deletes its approvals. Under dual control, the person who replaced them cannot release the
 * batch.
 *
 * @throws ApiError batch_not_found, approval_not_open, and as `createBatch`
 */
export async function replaceBatch(
  deps: TxDeps,
  caller: Caller,
  { id, ...given }: NamedFile & { id: string },
): Promise<ShownBatch> {
  await lockCaller(deps, caller)
  const before = await requireApproval(deps, caller, id, 'batch')
  const editor = await requirePerson(deps, caller, 'prepare')
  if (before.status !== 'UNPAID') throw new ApiError('approval_not_open')
  const sound = await checkWhole(deps, caller, given)
  const editors = [...new Set([...before.editors, editor])]
  const row = { ...before, ...columnsOf(deps, given, sound), source: sourceOf(caller), editors }
  const isEdited = await updateApproval(deps.sql, row, { ...approvalTransitions.edit, now: deps.clock.now() })
  if (!isEdited) throw new ApiError('approval_not_open')
  await deleteBatchRows(deps.sql, row)
  await insertBatchRows(deps.sql, row, rowsOf(deps, sound))
  await deleteVotes(deps.sql, row, null)
  await recordAudit(deps, caller, 'approval_edited', summaryOf(row))
  return showBatch(deps, caller, row)
}

/** Checks a file and returns its rows. @throws ApiError invalid_rows, invalid_request */
async function checkWhole(deps: TxDeps, caller: Caller, given: NamedFile): Promise<SoundRow[]> {
  const { name: _, ...file } = given
  const { isCsv, sound, problems } = await checkFile(deps, caller, file)
  refuseRows(problems, { isCsv, isSent: false })
  return sound
}

const columnsOf = (deps: TxDeps, { name, account, mail_type }: NamedFile, sound: readonly SoundRow[]) => ({
  name,
  amountCents: sound.reduce((sum, { amountCents }) => sum + amountCents, 0),
  recipient: countWords(sound.length),
  fundingId: account ?? null,
  details: { recipient: '', rows: sound.length, version: newId(deps), mail_type: mail_type ?? null },
})

const countWords = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`

const summaryOf = ({ id, recipient, amountCents }: ApprovalRow): string =>
  `${id}: ${recipient}, ${formatDollars(amountCents)}`

const rowsOf = ({ keyRing }: TxDeps, sound: readonly SoundRow[]): BatchRow[] =>
  sound.map(({ index, value, amountCents, payee }) => {
    const { name, amount: _, account_number: account, ...details } = value
    return {
      position: index + 1,
      amountCents,
      name,
      recipient: recipientOf(value),
      details,
      accountLast4: account == null ? null : account.slice(-4),
      accountSealed: account == null ? null : keyRing.seal(account, 'bank account'),
      payeePlatformId: payee?.platformId ?? null,
      payeeId: payee?.userId ?? null,
    }
  })

/** Records that the caller approves a batch. @throws ApiError as `approveApproval` */
export const approveBatch = (deps: TxDeps, caller: Caller, seen: Seen): Promise<void> =>
  approveApproval(deps, caller, seen, 'batch')

/**
 * The time limit in milliseconds of the statement that creates the payments. A cluster plans several statements for each payment that needs
 * approvals. For 1,500 payments, this took 13 to 21 seconds on a busy cluster.
 */
const CLUSTER_LIMIT_MS = 40_000

/**
 * Creates all payments of a batch, with all checks of a payment, or none of them.
 *
 * @throws ApiError batch_not_found, batch_changed, approval_not_open, second_person_needed, invalid_rows, approval_payee_changed, and
 * errors of the sender or its funding account
 */
export async function releaseBatch(deps: TxDeps, caller: Caller, seen: Seen): Promise<ShownBatch> {
  await lockCaller(deps, caller)
  const batch = await requireSeen(deps, caller, seen, 'batch')
  const rows = await listBatchRows(deps.sql, batch)
  // Read before the batch ends, because its end deletes the account numbers.
  const orders = readBatchOrders(deps, batch, rows)
  const { sender, releasedBy } = await startRelease(deps, caller, {
    row: batch,
    needed: (from) => countNeededTogether(deps, from, orders),
  })
  if (deps.isDistributed) await setTimeLimit(deps.sql, CLUSTER_LIMIT_MS)
  const outcomes = await acceptPayment({ how: 'inTransaction', deps }, { sender, orders, isBatch: true })
  const places = rows.map(({ position }) => ({ index: position - 1, line: position }))
  const { payments, refused } = splitOutcomes(outcomes, places)
  refuseRows(refused, { isCsv: false, isSent: true })
  const made = payments.map((payment, place) => ({ id: payment.id, position: rows[place]?.position as number }))
  const changed = await recordPaymentsOfBatch(deps.sql, batch, made)
  if (changed.length > 0) throw payeesChanged(changed)
  await recordAudit(deps, caller, 'approval_released', summaryOf(batch))
  await notifyPreparer(deps, batch, { outcome: 'RELEASED', by: releasedBy })
  return showBatch(deps, caller, batch)
}

const payeesChanged = (positions: readonly number[]): ApiError =>
  new ApiError('approval_payee_changed', {
    fields: Object.fromEntries(
      positions.map((position) => [`file.${position - 1}`, [`line ${position}: the recipient is another user now`]]),
    ),
  })

/** Returns a batch. @throws ApiError batch_not_found */
export const getBatch = async (deps: Deps, caller: Caller, id: string): Promise<ShownBatch> =>
  showBatch(deps, caller, await requireApproval(deps, caller, id, 'batch'))

/** Lists the rows of a batch. @throws ApiError batch_not_found */
export const getBatchRows = async (deps: Deps, caller: Caller, id: string): Promise<ShownRow[]> =>
  listBatchRows(deps.sql, await requireApproval(deps, caller, id, 'batch'))

export const getBatches = (
  deps: Deps,
  caller: Caller,
  given: { status: ApprovalStatus | undefined; paging: Paging },
): Promise<Page<BatchView>> => listBatches(deps.sql, caller, given)

async function showBatch(deps: Deps | TxDeps, caller: Caller, row: ApprovalRow & ApprovalKey): Promise<ShownBatch> {
  const view = await findBatchView(deps.sql, row)
  return {
    ...view,
    waiting: view.status === 'UNPAID' ? await getWaiting(deps, caller, row) : null,
    totals: await sumByStatus(deps.sql, row),
  }
}
