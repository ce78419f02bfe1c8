import type { Role } from '../../foundation/core/permission-rules.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { listPage, type Page } from '../../foundation/db/list-page.ts'
import { createdAndContaining, type ListConditions, type Paging, sortKeyOf } from '../../foundation/db/paging.ts'
import { type PaymentSort, paymentSorts } from '../../payments/payment/payment-rules.ts'
import type { Attachment } from '../../payments/payment/payment-store.ts'
import type { OrderSource } from '../../payments/payment/payment-types.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { ApprovalKind, OrderDetails } from './approval-rules.ts'
import type { ApprovalOutcome, ApprovalStatus } from './approval-status.ts'

export type ApprovalKey = { platformId: string; id: string }

/** A payment that waits for its release, with the complete order except the attachment. */
export type ApprovalRow = ApprovalKey &
  UserKey & {
    /** The kind of the approval. A batch has its payments in `batch_rows`, and its amount is their total. */
    kind: ApprovalKind
    status: ApprovalStatus
    amountCents: number
    name: string
    /** The recipient in one line. */
    recipient: string
    /** The account that pays. Null: the default bank at the time of the release. */
    fundingId: string | null
    description: string | null
    comment: string | null
    /** The check number. Null: the next number at the time of the release. */
    number: string | null
    numberIsText: boolean
    details: OrderDetails
    pinDescription: string | null
    /** The sealed PIN. For several recipients, it contains their PINs as JSON. */
    pinSealed: Buffer | null
    /** The user of the recipient at the time of the last edit. Null: the recipient had none. */
    payeePlatformId: string | null
    payeeId: string | null
    /** The invoice that the payment pays. */
    invoiceId: string | null
    preparedBy: string
    /** The source of the order. Null: the approval was prepared before sources were recorded. */
    source: OrderSource | null
    editors: string[]
    createdAt: Date
    updatedAt: Date
  }

/** Returns the columns of an `ApprovalRow`. */
export const approvalColumns = (sql: Sql) => sql`
  platform_id, id, user_id, kind, status, amount_cents, name, recipient, funding_id, description, comment, number,
  number_is_text, details, pin_description, pin_sealed, payee_platform_id, payee_id, invoice_id, prepared_by,
  source, editors, created_at, updated_at
`

export async function insertApproval(
  sql: Sql,
  row: ApprovalRow & { expiresAt: Date },
  attachment: Attachment | null,
): Promise<void> {
  await sql`
    insert into approvals ${sql.values({
      ...row,
      details: sql.json(row.details),
      attachmentName: attachment?.filename ?? null,
      attachment: attachment?.pdf ?? null,
    })}
  `
}

export async function findApproval(sql: Sql, { platformId, id }: ApprovalKey): Promise<ApprovalRow | null> {
  const [row] = await sql<ApprovalRow[]>`
    select ${approvalColumns(sql)}
    from approvals
    where platform_id = ${platformId} and id = ${id}
  `
  return row ?? null
}

/** Returns whether an invoice has an open approval. */
export async function hasApprovalOfInvoice(sql: Sql, { platformId, id }: ApprovalKey): Promise<boolean> {
  const rows = await sql`
    select 1
    from approvals
    where platform_id = ${platformId} and invoice_id = ${id} and status = 'UNPAID'
  `
  return rows.length > 0
}

export async function findApprovalAttachment(sql: Sql, { platformId, id }: ApprovalKey): Promise<Attachment | null> {
  const [row] = await sql<Attachment[]>`
    select attachment_name as filename, attachment as pdf
    from approvals
    where platform_id = ${platformId} and id = ${id} and attachment is not null
  `
  return row ?? null
}

/** Returns the version of an approval that was read (`sql/approval_version_v1.sql`). */
export async function findApprovalVersion(sql: Sql, { platformId, id, details }: ApprovalRow): Promise<string> {
  const [version] = await listApprovalVersions(sql, platformId, [{ id, edit: details.version ?? null }])
  return version as string
}

/**
 * Returns the versions of approvals, in their order. This is a separate statement, because Citus would otherwise run the function on a
 * worker node, which refuses its statements.
 *
 * @param approvals with the version in their details, which changes with each edit
 */
export async function listApprovalVersions(
  sql: Sql,
  platformId: string,
  approvals: readonly { id: string; edit: string | null }[],
): Promise<string[]> {
  if (approvals.length === 0) return []
  const rows = await sql<{ version: string }[]>`
    select approval_version_v1(${platformId}, a.id, a.edit) as version
    from unnest(${approvals.map(({ id }) => id)}::uuid[], ${approvals.map(({ edit }) => edit)}::text[])
      with ordinality a (id, edit)
    order by a.ordinality
  `
  return rows.map(({ version }) => version)
}

/** Returns the check number of an approval's payment. Before the release, this is the number that the payment would get now. */
export async function findShownNumber(sql: Sql, { platformId, id }: ApprovalKey): Promise<string> {
  const [row] = await sql<{ shownNumber: string }[]>`
    select ${shownNumber(sql, platformId)} as shown_number
    from approvals a
    where a.platform_id = ${platformId} and a.id = ${id}
  `
  return row?.shownNumber as string
}

const shownNumber = (sql: Sql, platformId: string) => sql`
  coalesce(
    a.number,
    (select p.number from payments p where p.platform_id = ${platformId} and p.id = a.payment_id),
    (
      select c.next_check_number::text
      from user_counters c
      where c.platform_id = ${platformId} and c.user_id = a.user_id
    )
  )
`

type Change = { from: readonly ApprovalStatus[]; to: ApprovalStatus; now: Date }

/** Replaces the order. @returns false if its current status does not allow it */
export async function updateApproval(sql: Sql, row: ApprovalRow, { from, now }: Change): Promise<boolean> {
  const result = await sql`
    update approvals
    set
      amount_cents = ${row.amountCents}, name = ${row.name}, recipient = ${row.recipient},
      funding_id = ${row.fundingId}, description = ${row.description}, number = ${row.number},
      number_is_text = ${row.numberIsText}, details = ${sql.json(row.details)},
      payee_platform_id = ${row.payeePlatformId}, payee_id = ${row.payeeId}, editors = ${row.editors}::uuid[],
      source = ${row.source}, updated_at = ${now}
    where platform_id = ${row.platformId} and id = ${row.id} and status = any (${from as ApprovalStatus[]})
      and (expires_at is null or expires_at > ${now})
  `
  return result.count === 1
}

type End = Change & { outcome: ApprovalOutcome; endedBy: string | null; reason?: string }

/** Counts the open approvals of a user, and the batches among them. */
export async function countApprovalsOfUser(
  sql: Sql,
  { platformId, userId }: UserKey,
): Promise<{ all: number; batches: number }> {
  const [row] = await sql<{ all: number; batches: number }[]>`
    select count(*) as all, count(*) filter (where kind = 'BATCH') as batches
    from approvals
    where platform_id = ${platformId} and user_id = ${userId} and status = 'UNPAID'
  `
  return row as { all: number; batches: number }
}

/**
 * Ends an approval. Deletes the account numbers of a batch, and the attachment unless the approval was released.
 *
 * @returns false if its current status does not allow it
 */
export async function endApproval(
  sql: Sql,
  { platformId, id }: ApprovalKey,
  { from, to, now, outcome, endedBy, reason }: End,
): Promise<boolean> {
  const result = await sql`
    update approvals
    set status = ${to}, outcome = ${outcome}, ended_by = ${endedBy}, reason = ${reason ?? null},
      released_by = ${outcome === 'RELEASED' ? endedBy : null}, expires_at = null, updated_at = ${now},
      attachment_name = case when ${outcome === 'RELEASED'} then attachment_name end,
      attachment = case when ${outcome === 'RELEASED'} then attachment end
    where platform_id = ${platformId} and id = ${id} and status = any (${from as ApprovalStatus[]})
      -- The worker that expires approvals can be late.
      and (${outcome} <> 'RELEASED' or expires_at is null or expires_at > ${now})
  `
  if (result.count === 0) return false
  await sql`
    update batch_rows
    set account_sealed = null
    where platform_id = ${platformId} and batch_id = ${id} and account_sealed is not null
  `
  return true
}

/** Records the payment of an approval. @returns false if its recipient is now another user than at the last edit */
export async function updatePaymentOfApproval(
  sql: Sql,
  { platformId, id }: ApprovalKey,
  paymentId: string,
): Promise<boolean> {
  await sql`
    update payments p
    set prepared_by = a.prepared_by, released_by = a.released_by
    from approvals a
    where a.platform_id = ${platformId} and a.id = ${id} and p.platform_id = ${platformId} and p.id = ${paymentId}
  `
  const result = await sql`
    update approvals a
    set payment_id = p.id
    from payments p
    where a.platform_id = ${platformId} and a.id = ${id} and p.platform_id = ${platformId} and p.id = ${paymentId}
      and p.recipient_platform_id is not distinct from a.payee_platform_id and p.recipient_id is not distinct from a.payee_id
  `
  return result.count === 1
}

/** Lists the open approvals of a user: all of them, or those that one person prepared or edited last. */
export async function listOpenApprovals(
  sql: Sql,
  { platformId, userId }: UserKey,
  person: string | null,
): Promise<ApprovalKey[]> {
  return sql<ApprovalKey[]>`
    select platform_id, id
    from approvals
    where platform_id = ${platformId} and user_id = ${userId} and status = 'UNPAID'
      and (${person}::uuid is null or ${person}::uuid = prepared_by or ${person}::uuid = any (editors))
    order by id
  `
}

const sortExpressions: Record<PaymentSort, string> = {
  NUMBER: `lpad(coalesce(number, ''), 32, '0') collate "C"`,
  TYPE: 'kind collate "C"',
  AMOUNT: 'amount_cents',
  STATUS: 'status collate "C"',
  DATE: 'created_at',
  UPDATE: 'updated_at',
  DESCRIPTION: `coalesce(description, '') collate "C"`,
}

export type ApprovalFilter = UserKey & ListConditions<ApprovalStatus>

const matching = (sql: Sql, { platformId, userId, direction, status, ...conditions }: ApprovalFilter) => sql`
  platform_id = ${platformId} and user_id = ${userId} and kind <> 'BATCH' and ${direction !== 'INCOMING'}
  ${status ? sql`and status = ${status}` : sql``}
  ${createdAndContaining(sql, conditions, ['name', 'recipient', 'description', 'number'])}
`

export type ListedApproval = ApprovalRow & { sender: string; shownNumber: string }

export function listApprovals(sql: Sql, filter: ApprovalFilter, paging: Paging): Promise<Page<ListedApproval>> {
  const sortKey = sortKeyOf(paging, sortExpressions, paymentSorts)
  const sender = sql`
    (
      select coalesce(u.business_name, u.name)
      from users u
      where u.platform_id = ${filter.platformId} and u.id = a.user_id
    )
  `
  const list = {
    columns: sql`${approvalColumns(sql)}, ${shownNumber(sql, filter.platformId)} as shown_number, ${sender} as sender`,
    table: sql`approvals a`,
    where: matching(sql, filter),
  }
  return listPage<ListedApproval>(sql, list, { paging, sortKey })
}

/** Lists the logins of a platform's owners, the first owner first. */
export async function listOwners(sql: Sql, platformId: string): Promise<string[]> {
  const rows = await sql<{ loginId: string }[]>`
    select login_id
    from members
    where platform_id = ${platformId} and role = 'owner'
    order by joined_at, login_id
  `
  return rows.map(({ loginId }) => loginId)
}

/** Returns the role of a login on a platform, or null if it is no member. */
export async function findRole(
  sql: Sql,
  { platformId, loginId }: { platformId: string; loginId: string },
): Promise<Role | null> {
  const [row] = await sql<{ role: Role }[]>`
    select role
    from members
    where platform_id = ${platformId} and login_id = ${loginId}
  `
  return row?.role ?? null
}

/** Records a person's approval, with the current state of the payees. */
export async function insertVote(sql: Sql, { platformId, id }: ApprovalKey, person: string, now: Date): Promise<void> {
  await sql`
    insert into approval_votes (platform_id, approval_id, person, created_at, payee_state)
    values (${platformId}, ${id}, ${person}, ${now}, payee_state_v1(${platformId}, ${id}))
    on conflict (platform_id, approval_id, person) do update
    set created_at = excluded.created_at, payee_state = excluded.payee_state
  `
}

/** A person's approval since the last edit. `isOutdated`: a payee changed after it, so it does not count. */
export type Vote = { person: string; isOutdated: boolean }

export async function listVotes(sql: Sql, { platformId, id }: ApprovalKey): Promise<Vote[]> {
  const votes = await sql<{ person: string; payeeState: string | null }[]>`
    select person, payee_state
    from approval_votes
    where platform_id = ${platformId} and approval_id = ${id}
    order by created_at, person
  `
  if (votes.length === 0) return []
  // This is a separate statement for the same reason as in listApprovalVersions.
  const [now] = await sql<{ state: string }[]>`select payee_state_v1(${platformId}, ${id}) as state`
  return votes.map(({ person, payeeState }) => ({
    person,
    isOutdated: payeeState !== null && payeeState !== now?.state,
  }))
}

/** Lists the people whose approvals count. */
export const listVoters = async (sql: Sql, key: ApprovalKey): Promise<string[]> =>
  (await listVotes(sql, key)).filter(({ isOutdated }) => !isOutdated).map(({ person }) => person)

/** Deletes the approvals of some people, or of everybody. */
export async function deleteVotes(sql: Sql, { platformId, id }: ApprovalKey, people: string[] | null): Promise<void> {
  await sql`
    delete from approval_votes
    where platform_id = ${platformId} and approval_id = ${id} and (${people}::uuid[] is null or person = any (${people}::uuid[]))
  `
}

export async function findPlatformName(sql: Sql, platformId: string): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select coalesce(business_name, name) as name
    from users
    where platform_id = ${platformId} and id = ${platformId}
  `
  return row?.name as string
}
