import type { Deps, TxDeps } from '../../db/deps.ts'
import { type OrderInTransaction, prepareOrders } from '../../payment/accept/accept-actions.ts'
import type { Acceptance } from '../../payment/accept/accept-store.ts'
import { neededApprovalsOf, type Sender } from '../../payment/accept/prepare-actions.ts'
import { orderOfRow } from '../../payment/bulk/bulk-actions.ts'
import type { BulkRow } from '../../payment/bulk/bulk-rules.ts'
import type { ApprovalRow } from '../approval-store.ts'
import { type BatchRow, listBatchRows } from './batch-store.ts'

/** The orders of a batch, in the order of its rows. */
export function ordersOfBatch(
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

/** How many people must approve an open batch. */
export const countNeededOfBatch = async (deps: Deps | TxDeps, sender: Sender, batch: ApprovalRow): Promise<number> =>
  countNeededTogether(deps, sender, ordersOfBatch(deps, batch, await listBatchRows(deps.sql, batch)))

/** How many people must approve the orders of a batch: as many as the strictest of them, and as one payment of their total. */
export async function countNeededTogether(
  deps: Deps | TxDeps,
  sender: Sender,
  orders: readonly OrderInTransaction[],
): Promise<number> {
  const prepared = await prepareOrders(deps, { sender, orders, isBatch: true })
  return neededApprovalsOf(
    deps,
    prepared.filter((one): one is Acceptance => !(one instanceof Error)),
  )
}
