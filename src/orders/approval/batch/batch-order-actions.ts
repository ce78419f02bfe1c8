import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { type OrderInTransaction, prepareOrders } from '../../../payments/payment/accept/accept-actions.ts'
import type { Acceptance } from '../../../payments/payment/accept/accept-store.ts'
import { countApprovalsNeeded, type Sender } from '../../../payments/payment/accept/prepare-actions.ts'
import { orderOfRow } from '../../../payments/payment/bulk/bulk-actions.ts'
import type { BulkRow } from '../../../payments/payment/bulk/bulk-rules.ts'
import { maxApprovals } from '../approval-policy-rules.ts'
import { findPolicy } from '../approval-policy-store.ts'
import type { ApprovalRow } from '../approval-store.ts'
import { type BatchRow, listBatchRows } from './batch-store.ts'

/** Returns the orders of a batch, in the order of its rows. */
export function readBatchOrders(
  deps: Pick<TxDeps, 'keyRing'>,
  batch: ApprovalRow,
  rows: readonly BatchRow[],
): OrderInTransaction[] {
  const common = { account: batch.fundingId, mail_type: batch.details.mail_type ?? null }
  return rows.map((row) => ({
    ...orderOfRow(bulkRowOf(deps, row), common),
    attachment: null,
    approvalId: batch.id,
  }))
}

function bulkRowOf({ keyRing }: Pick<TxDeps, 'keyRing'>, row: BatchRow): BulkRow {
  const { accountSealed, amountCents, name, details } = row
  return {
    ...details,
    name,
    amount: amountCents / 100,
    ...(accountSealed && { account_number: keyRing.openText(accountSealed, 'bank account') }),
  }
}

/** Counts the people who must approve an open batch. */
export const countNeededOfBatch = async (deps: Deps | TxDeps, sender: Sender, batch: ApprovalRow): Promise<number> =>
  countNeededTogether(deps, sender, readBatchOrders(deps, batch, await listBatchRows(deps.sql, batch)))

/** The number of orders for which one statement counts approvals. A cluster plans several statements for each order. */
const COUNTED_AT_ONCE = 200

/**
 * Counts the people who must approve the orders of a batch: as many as its strictest order needs, or as one payment of their total needs,
 * if that is more.
 */
export async function countNeededTogether(
  deps: Deps | TxDeps,
  sender: Sender,
  orders: readonly OrderInTransaction[],
): Promise<number> {
  const prepared = await prepareOrders(deps, { sender, orders, isBatch: true })
  const acceptances = prepared.filter((one): one is Acceptance => !(one instanceof Error))
  const most = await mostNeeded(deps, sender)
  let needed = 0
  for (let first = 0; first < acceptances.length && needed < most; first += COUNTED_AT_ONCE) {
    const some = acceptances.slice(first, first + COUNTED_AT_ONCE)
    needed = Math.max(needed, await countApprovalsNeeded(deps, some))
  }
  return needed
}

/**
 * Returns the maximum number of approvals that an order can need. The policy applies only to the owner. Under dual control, the orders of
 * other users need one person.
 */
const mostNeeded = async (deps: Deps | TxDeps, { platformId, userId }: Sender): Promise<number> =>
  userId === platformId ? maxApprovals(await findPolicy(deps.sql, platformId)) : 1
