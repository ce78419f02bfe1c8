import type { Sql } from '../../../foundation/db/connect.ts'
import { listPage, type Page } from '../../../foundation/db/list-page.ts'
import type { Paging } from '../../../foundation/db/paging.ts'
import type { Fragment } from '../../../foundation/db/skipped.ts'
import type { PaymentStatus } from '../../../payments/payment/payment-status.ts'
import { readNames } from '../../../people/auth/login/login-store.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import type { ApprovalOutcome, ApprovalStatus } from '../approval-status.ts'
import { type ApprovalKey, listApprovalVersions } from '../approval-store.ts'
import { MAX_COMPARED, type RowDetails } from './batch-rules.ts'

/** A row of a batch. `position` is its number in the file, counted from 1. */
export type BatchRow = {
  position: number
  amountCents: number
  name: string
  recipient: string
  details: RowDetails
  accountLast4: string | null
  /** The sealed account number. Null: the row has no account, or the batch has ended. */
  accountSealed: Buffer | null
  payeePlatformId: string | null
  payeeId: string | null
}

export async function insertBatchRows(
  sql: Sql,
  { platformId, id }: ApprovalKey,
  rows: readonly BatchRow[],
): Promise<void> {
  const columns = rows.map((row) => ({
    position: row.position,
    amount_cents: row.amountCents,
    name: row.name,
    recipient: row.recipient,
    details: row.details,
    account_last4: row.accountLast4,
    account_sealed: row.accountSealed && `\\x${row.accountSealed.toString('hex')}`,
    payee_platform_id: row.payeePlatformId,
    payee_id: row.payeeId,
  }))
  await sql`
    insert into batch_rows (
      platform_id, batch_id, position, amount_cents, name, recipient, details, account_last4, account_sealed,
      payee_platform_id, payee_id
    )
    select
      ${platformId}, ${id}, r.position, r.amount_cents, r.name, r.recipient, r.details, r.account_last4, r.account_sealed,
      r.payee_platform_id, r.payee_id
    from json_populate_recordset(null::batch_rows, ${sql.json(columns)}) r
  `
}

export async function deleteBatchRows(sql: Sql, { platformId, id }: ApprovalKey): Promise<void> {
  await sql`
    delete from batch_rows
    where platform_id = ${platformId} and batch_id = ${id}
  `
}

/** A row for pages. `paymentStatus` is null before the release. */
export type ShownRow = BatchRow & { paymentId: string | null; paymentStatus: PaymentStatus | null }

/** Lists all rows of a batch, in the order of the file. */
export function listBatchRows(sql: Sql, { platformId, id }: ApprovalKey): Promise<ShownRow[]> {
  return sql<ShownRow[]>`
    select
      r.position, r.amount_cents, r.name, r.recipient, r.details, r.account_last4, r.account_sealed, r.payee_platform_id,
      r.payee_id, r.payment_id, p.status as payment_status
    from batch_rows r
    left join payments p on p.platform_id = r.platform_id and p.id = r.payment_id
    where r.platform_id = ${platformId} and r.batch_id = ${id}
    order by r.position
  `
}

/**
 * Records the payments of a released batch, and the person who released it.
 *
 * @returns the rows whose recipient is now another user than when they were saved
 */
export async function recordPaymentsOfBatch(
  sql: Sql,
  { platformId, id }: ApprovalKey,
  payments: readonly { position: number; id: string }[],
): Promise<number[]> {
  const ids = payments.map((payment) => payment.id)
  await sql`
    update payments p
    set prepared_by = a.prepared_by, released_by = a.released_by, batch_id = a.id
    from approvals a
    where a.platform_id = ${platformId} and a.id = ${id} and p.platform_id = ${platformId} and p.id = any (${ids}::uuid[])
  `
  await sql`
    update approvals
    set payment_id = ${ids[0] as string} -- The first one, so that no other payment can use this approval.
    where platform_id = ${platformId} and id = ${id}
  `
  const rows = await sql<{ position: number; isSame: boolean }[]>`
    update batch_rows r
    set payment_id = p.id
    from unnest(${payments.map(({ position }) => position)}::integer[], ${ids}::uuid[]) x (position, id)
    join payments p on p.platform_id = ${platformId} and p.id = x.id
    where r.platform_id = ${platformId} and r.batch_id = ${id} and r.position = x.position
    returning
      r.position,
      (
        p.recipient_platform_id is not distinct from r.payee_platform_id
        and p.recipient_id is not distinct from r.payee_id
      ) as is_same
  `
  return rows.filter(({ isSame }) => !isSame).map(({ position }) => position)
}

/** A row for which similar payments are searched, with its texts in lower case. `place` is its index among the rows. */
export type SoughtRow = { place: number; recipient: string; name: string; amountCents: number; hasAccount: boolean }

export type Similar = { place: number; kind: 'payment' | 'approval' | 'batch'; id: string; createdAt: Date }

/**
 * Finds, for each row, the latest payment, open approval or open batch of a user that pays the same amount to the same recipient. Names
 * of payees with accounts are compared as well, because such payees may share an address.
 */
export function findSimilar(
  sql: Sql,
  { platformId, userId }: UserKey,
  { rows, since, exceptBatch }: { rows: readonly SoughtRow[]; since: Date; exceptBatch: string | null },
): Promise<Similar[]> {
  const all = <Name extends keyof SoughtRow>(name: Name) => rows.map((row) => row[name])
  const isSimilar = (alias: string): Fragment => {
    const table = sql.unsafe(alias)
    return sql`
      lower(${table}.recipient) = w.recipient and ${table}.amount_cents = w.amount_cents
      and (not w.has_account or lower(${table}.name) = w.name)
    `
  }
  return sql<Similar[]>`
    with wanted as (
      select *
      from unnest(
        ${all('place')}::integer[], ${all('recipient')}::text[], ${all('name')}::text[], ${all('amountCents')}::bigint[],
        ${all('hasAccount')}::boolean[]
      ) as w (place, recipient, name, amount_cents, has_account)
    ), latest as (
      select id, recipient, name, amount_cents, created_at, status
      from payments
      where platform_id = ${platformId} and sender_id = ${userId} and created_at > ${since}
      order by created_at desc, id desc
      limit ${MAX_COMPARED}
    ), waiting as (
      select id, kind, recipient, name, amount_cents, created_at
      from approvals
      where platform_id = ${platformId} and user_id = ${userId} and status = 'UNPAID'
    )
    select distinct on (place) place, kind, id, created_at
    from (
      select w.place, 'payment' as kind, p.id, p.created_at
      from wanted w
      join latest p on ${isSimilar('p')}
      where p.status not in ('VOID', 'FAILED', 'REFUNDED', 'EXPIRED')
      union all
      select w.place, 'approval', a.id, a.created_at
      from wanted w
      join waiting a on ${isSimilar('a')}
      where a.kind <> 'BATCH'
      union all
      select w.place, 'batch', a.id, a.created_at
      from waiting a
      join batch_rows r on r.platform_id = ${platformId} and r.batch_id = a.id
      join wanted w on ${isSimilar('r')}
      where a.kind = 'BATCH' and a.id is distinct from ${exceptBatch}
    ) similar_rows
    order by place, created_at desc, id
  `
}

/** A batch in answers. */
export type BatchView = ApprovalKey & {
  name: string
  status: ApprovalStatus
  outcome: ApprovalOutcome | null
  reason: string | null
  amountCents: number
  rows: number
  /** The version, which changes with the rows and the payees. */
  version: string
  fundingId: string | null
  mailType: string | null
  preparedBy: string
  editedBy: string[]
  endedBy: string | null
  createdAt: Date
  /** The time at which the batch expires. Null: it has ended. */
  expiresAt: Date | null
  updatedAt: Date
}

const viewColumns = (sql: Sql): Fragment => sql`
  a.platform_id, a.id, a.name, a.status, a.outcome, a.reason, a.amount_cents, (a.details ->> 'rows')::integer as rows,
  a.details ->> 'version' as version,
  a.funding_id, a.details ->> 'mail_type' as mail_type, a.prepared_by, a.editors as edited_by, a.ended_by, a.created_at,
  a.expires_at, a.updated_at
`

export async function findBatchView(sql: Sql, { platformId, id }: ApprovalKey): Promise<BatchView> {
  const [row] = await sql<BatchView[]>`
    select ${viewColumns(sql)}
    from approvals a
    where a.platform_id = ${platformId} and a.id = ${id}
  `
  const [view] = await withVersionsAndNames(sql, platformId, [row as BatchView])
  return view as BatchView
}

/** Replaces ids with names, and adds the current version of each open batch. Ended batches keep the version of their last edit. */
async function withVersionsAndNames(sql: Sql, platformId: string, views: BatchView[]): Promise<BatchView[]> {
  const waiting = views.filter(({ status }) => status === 'UNPAID')
  const edits = waiting.map(({ id, version }) => ({ id, edit: version }))
  const versions = await listApprovalVersions(sql, platformId, edits)
  const nameOf = await readNames(
    sql,
    views.flatMap(({ preparedBy, editedBy, endedBy }) => [preparedBy, ...editedBy, endedBy]),
  )
  return views.map((view) => ({
    ...view,
    version: versions[waiting.indexOf(view)] ?? view.version,
    preparedBy: nameOf(view.preparedBy),
    editedBy: view.editedBy.map(nameOf),
    endedBy: nameOf(view.endedBy),
  }))
}

/** Lists the batches of a user, the newest first. */
export async function listBatches(
  sql: Sql,
  { platformId, userId }: UserKey,
  { status, paging }: { status: ApprovalStatus | undefined; paging: Paging },
): Promise<Page<BatchView>> {
  const page = await listPage<BatchView>(
    sql,
    {
      columns: viewColumns(sql),
      table: sql`approvals a`,
      where: sql`
        platform_id = ${platformId} and user_id = ${userId} and kind = 'BATCH'
        ${status ? sql`and status = ${status}` : sql``}
      `,
    },
    { paging },
  )
  return { ...page, rows: await withVersionsAndNames(sql, platformId, page.rows) }
}

/** The number and the total of the payments of a batch that have a status. */
export type StatusTotal = { status: PaymentStatus; count: number; cents: number }

export function sumByStatus(sql: Sql, { platformId, id }: ApprovalKey): Promise<StatusTotal[]> {
  return sql<StatusTotal[]>`
    select p.status, count(*) as count, sum(p.amount_cents)::bigint as cents
    from batch_rows r
    join payments p on p.platform_id = r.platform_id and p.id = r.payment_id
    where r.platform_id = ${platformId} and r.batch_id = ${id}
    group by p.status
    order by p.status
  `
}
