import type { Sql } from '../../foundation/db/connect.ts'
import { listPage, type Page } from '../../foundation/db/list-page.ts'
import type { Paging } from '../../foundation/db/paging.ts'
import type { InvoiceStatus } from '../../payments/invoice-status/invoice-status.ts'
import { readNames } from '../../people/auth/login/login-store.ts'
import type { ApprovalKind } from './approval-rules.ts'
import type { ApprovalOutcome } from './approval-status.ts'
import { type ApprovalKey, type ApprovalRow, approvalColumns, listApprovalVersions } from './approval-store.ts'

/** An open approval. `invoiceStatus` is the status of the invoice that its payment would pay. */
export type InboxRow = ApprovalRow & { expiresAt: Date; version: string; invoiceStatus: InvoiceStatus | null }

/** Lists the open approvals of a platform's owner, the oldest first. */
export async function listInbox(sql: Sql, platformId: string, limit: number): Promise<InboxRow[]> {
  const rows = await sql<Omit<InboxRow, 'version'>[]>`
    select
      ${approvalColumns(sql)}, expires_at,
      (select i.status from invoices i where i.platform_id = ${platformId} and i.id = a.invoice_id) as invoice_status
    from approvals a
    where platform_id = ${platformId} and user_id = ${platformId} and status = 'UNPAID'
    order by id
    limit ${limit}
  `
  const edits = rows.map(({ id, details }) => ({ id, edit: details.version ?? null }))
  const versions = await listApprovalVersions(sql, platformId, edits)
  return rows.map((row, index) => ({ ...row, version: versions[index] as string }))
}

export async function countOpenApprovals(sql: Sql, platformId: string, limit: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count
    from (
      select 1
      from approvals
      where platform_id = ${platformId} and user_id = ${platformId} and status = 'UNPAID'
      limit ${limit}
    ) open
  `
  return row?.count ?? 0
}

/** An approval that has ended. For a batch, `paymentId` is its first payment. */
export type EndedRow = ApprovalKey & {
  kind: ApprovalKind
  amountCents: number
  name: string
  recipient: string
  description: string | null
  outcome: ApprovalOutcome
  reason: string | null
  preparedBy: string
  /** The person who ended the approval. Null: no person did. */
  endedBy: string | null
  endedAt: Date
  paymentId: string | null
}

/** Lists the ended approvals of a platform's owner, the latest end first. */
export async function listEnded(sql: Sql, platformId: string, paging: Paging): Promise<Page<EndedRow>> {
  const page = await listPage<EndedRow>(
    sql,
    {
      columns: sql`
        platform_id, id, kind, amount_cents, name, recipient, description,
        coalesce(outcome, case when status = 'APPROVED' then 'RELEASED' else 'VOIDED' end) as outcome, reason,
        prepared_by, coalesce(ended_by, released_by) as ended_by, updated_at as ended_at, payment_id
      `,
      table: sql`approvals`,
      where: sql`platform_id = ${platformId} and user_id = ${platformId} and status <> 'UNPAID'`,
    },
    { paging, sortKey: { expression: 'updated_at', type: 'timestamptz' } },
  )
  const people = page.rows.flatMap(({ preparedBy, endedBy }) => [preparedBy, endedBy])
  const nameOf = await readNames(sql, people)
  const rows = page.rows.map((row) => ({ ...row, preparedBy: nameOf(row.preparedBy), endedBy: nameOf(row.endedBy) }))
  return { ...page, rows }
}
