import type { Sql } from '../db/connect.ts'
import type { DueQuery } from '../db/due-query.ts'
import { afterPosition, containsPattern, type Paging, sortOrder, sortValue } from '../db/paging.ts'
import { inOrderOf } from '../lib/batches.ts'
import type { Rail } from '../rail/rail-rules.ts'
import type { ReturnCode } from '../rail/return-code-rules.ts'
import { type PaymentSort, type PostalAddress, paymentSorts } from './payment-rules.ts'
import type { PaymentStatus } from './payment-status.ts'

export type RemittanceLine = { id?: string; date?: string; amount?: number; description?: string }

/** What a payment is drawn on, and what it is paid into. */
export type FundingKind = 'bank' | 'wallet'
export type DestinationKind = 'bank' | 'wallet' | 'card' | 'paypal' | 'venmo' | 'interac' | 'wire'

export type PaymentRow = {
  platformId: string
  id: string
  senderId: string
  number: string
  numberIsText: boolean
  amountCents: number
  name: string
  recipient: string
  recipientPlatformId: string | null
  recipientId: string | null
  fundingKind: FundingKind
  fundingId: string
  destinationKind: DestinationKind | null
  destinationId: string | null
  description: string | null
  comment: string | null
  remittanceAdvice: RemittanceLine[] | null
  depositOptions: string[]
  /** Of the application that made it, if one did. */
  grantId: string | null
  status: PaymentStatus
  rail: Rail | null
  returnCode: ReturnCode | null
  depositedAt: Date | null
  /** When a failed payment whose money is here goes back to its sender. */
  refundAt: Date | null
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
}

const columns = (sql: Sql) => sql`
  platform_id, id, sender_id, number, number_is_text, amount_cents, name, recipient, recipient_platform_id,
  recipient_id, funding_kind, funding_id, destination_kind, destination_id, description, comment, remittance_advice,
  deposit_options, grant_id, status, rail, return_code, deposited_at, refund_at, expires_at, created_at,
  updated_at
`

export type PaymentKey = { platformId: string; paymentId: string }

export async function findPayment(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<PaymentRow | null> {
  const [row] = await sql<PaymentRow[]>`
    select ${columns(sql)}
    from payments
    where platform_id = ${platformId} and id = ${paymentId}
  `
  return row ?? null
}

/** Null for each that there is none of. */
export async function findPayments(sql: Sql, keys: readonly PaymentKey[]): Promise<(PaymentRow | null)[]> {
  const platformIds = keys.map(({ platformId }) => platformId)
  const paymentIds = keys.map(({ paymentId }) => paymentId)
  const rows = await sql<PaymentRow[]>`
    select ${columns(sql)}
    from unnest(${platformIds}::uuid[], ${paymentIds}::uuid[]) k (platform_id, id)
    join payments using (platform_id, id)
  `
  return inOrderOf(keys, rows, {
    item: ({ platformId, paymentId }) => `${platformId} ${paymentId}`,
    row: ({ platformId, id }) => `${platformId} ${id}`,
  })
}

/** Reads a payment and keeps others from changing it until the end of the transaction. */
export async function lockPayment(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<PaymentRow | null> {
  const [row] = await sql<PaymentRow[]>`
    select ${columns(sql)}
    from payments
    where platform_id = ${platformId} and id = ${paymentId}
    for update
  `
  return row ?? null
}

/** Where a payment that comes to a platform from another one lies: the sender's platform. */
export async function findSenderPlatform(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<string | null> {
  const [row] = await sql<{ senderPlatformId: string }[]>`
    select sender_platform_id
    from incoming
    where platform_id = ${platformId} and payment_id = ${paymentId}
  `
  return row?.senderPlatformId ?? null
}

export type PaymentChange = {
  from: readonly PaymentStatus[]
  to: PaymentStatus
  rail: Rail | null
  destinationKind: DestinationKind | null
  destinationId: string | null
  returnCode: ReturnCode | null
  refundAt: Date | null
  eventId: string
  eventBody: string
  now: Date
}

/** Changes the status and writes the event: see `sql/change_payment_status_v1.sql`. `changed` is false in a state it may not leave. */
export async function changePaymentStatus(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
  change: PaymentChange,
): Promise<{ changed: boolean; endpointIds: string[] | null }> {
  const [row] = await sql<{ changed: boolean; endpointIds: string[] | null }[]>`
    select changed, endpoint_ids
    from change_payment_status_v1(
      ${platformId}, ${paymentId}, ${change.from as PaymentStatus[]}, ${change.to}, ${change.rail},
      ${change.destinationKind}, ${change.destinationId}, ${change.returnCode}, ${change.refundAt}, ${change.eventId},
      ${change.eventBody}, ${change.now}
    )
  `
  return row as { changed: boolean; endpointIds: string[] | null }
}

/** A failed payment has nothing left to refund. */
export async function clearRefundTime(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<void> {
  await sql`update payments set refund_at = null where platform_id = ${platformId} and id = ${paymentId}`
}

/** Chooses another rail before anything has left. */
export async function updatePaymentRail(sql: Sql, { platformId, paymentId }: PaymentKey, rail: Rail): Promise<void> {
  await sql`
    update payments
    set rail = ${rail}, destination_kind = null, destination_id = null
    where platform_id = ${platformId} and id = ${paymentId}
  `
}

/** Where the paper of a payment goes, as its recipient said. */
export async function updatePaymentAddress(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
  address: PostalAddress,
): Promise<void> {
  await sql`
    update payments
    set address = ${address as never}, mail_type = coalesce(mail_type, 'USPS_FIRST_CLASS')
    where platform_id = ${platformId} and id = ${paymentId}
  `
}

export type DuePayment = { platformId: string; id: string; dueAt: Date }

/** The payments of a platform that expire first, all at one instant, up to `until`. */
export async function listExpiringPayments(
  sql: Sql,
  { platformId, until, limit, except }: DueQuery,
): Promise<DuePayment[]> {
  return sql<DuePayment[]>`
    select platform_id, id, expires_at as due_at
    from payments
    where platform_id = ${platformId} and status in ('UNPAID', 'PRINTED', 'MAILED')
      and expires_at = (
        select min(expires_at)
        from payments
        where platform_id = ${platformId} and status in ('UNPAID', 'PRINTED', 'MAILED') and expires_at <= ${until}
          and id <> all (${except})
      )
      and id <> all (${except})
    order by id
    limit ${limit}
  `
}

/** The same for failed payments that are refunded because nobody deposited them anew. */
export async function listRefundablePayments(
  sql: Sql,
  { platformId, until, limit, except }: DueQuery,
): Promise<DuePayment[]> {
  return sql<DuePayment[]>`
    select platform_id, id, refund_at as due_at
    from payments
    where platform_id = ${platformId} and refund_at is not null
      and refund_at = (
        select min(refund_at) from payments where platform_id = ${platformId} and refund_at <= ${until} and id <> all (${except})
      )
      and id <> all (${except})
    order by id
    limit ${limit}
  `
}

/** What a user has sent and nobody has deposited; of an owner, the payments of its whole platform. */
export async function listUnpaidPayments(
  sql: Sql,
  { platformId, userId }: { platformId: string; userId: string },
  { limit, except }: { limit: number; except: readonly string[] },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from payments
    where platform_id = ${platformId} and status = 'UNPAID'
      ${userId === platformId ? sql`` : sql`and sender_id = ${userId}`} and id <> all (${except as string[]})
    limit ${limit}
  `
  return rows.map(({ id }) => id)
}

/** Whether a payment from or into a bank is being paid now. */
export async function hasPaymentInProcess(
  sql: Sql,
  { platformId, userId, bankId }: { platformId: string; userId: string; bankId: string },
): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select 1
      from payments
      where platform_id = ${platformId} and sender_id = ${userId} and funding_id = ${bankId} and status = 'IN_PROCESS'
    ) or exists (
      select 1
      from incoming i
      join payments p on p.platform_id = i.sender_platform_id and p.id = i.payment_id
      where i.platform_id = ${platformId} and i.user_id = ${userId} and i.status = 'IN_PROCESS'
        and p.destination_id = ${bankId}
    ) or exists (
      select 1
      from legs
      where platform_id = ${platformId} and account_id = ${bankId} and purpose <> 'micro_deposit'
        and (status = 'WAITING' or (status in ('SENT', 'ACCEPTED') and direction = 'debit'))
    ) as found
  `
  return row?.found ?? false
}

export type Attachment = { filename: string | null; pdf: Buffer }

export async function findAttachment(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<Attachment | null> {
  const [row] = await sql<Attachment[]>`
    select filename, pdf
    from attachments
    where platform_id = ${platformId} and payment_id = ${paymentId}
  `
  return row ?? null
}

/** A payment as lists show it: as the sender sees it (OUTGOING) or the recipient (INCOMING). */
export type ListedPayment = Pick<
  PaymentRow,
  | 'id'
  | 'number'
  | 'numberIsText'
  | 'amountCents'
  | 'name'
  | 'recipient'
  | 'description'
  | 'comment'
  | 'status'
  | 'createdAt'
> & { direction: 'INCOMING' | 'OUTGOING'; sender: string; sortValue: string | null }

const sortExpressions: Record<PaymentSort, string> = {
  NUMBER: `lpad(number, 32, '0') collate "C"`,
  TYPE: 'kind collate "C"',
  AMOUNT: 'amount_cents',
  STATUS: 'status collate "C"',
  DATE: 'created_at',
  UPDATE: 'updated_at',
  DESCRIPTION: `coalesce(description, '') collate "C"`,
}

export type PaymentFilter = PaymentConditions & ListedUser

/** Whose payments are listed. */
export type ListedUser = { platformId: string; userId: string }

export type PaymentConditions = {
  direction?: 'INCOMING' | 'OUTGOING' | undefined
  status?: PaymentStatus | undefined
  /** First and last day, `YYYY-MM-DD`, both included. */
  startDate?: string | undefined
  endDate?: string | undefined
  q?: string | undefined
  /** Only what this grant made. */
  grantId?: string | undefined
}

/** A page and one row more. `total`: how many the whole list has, unless it has more than are quickly counted. */
export type ListedPage = { rows: ListedPayment[]; total: number | null }

/** So many on each side are counted along with the page. */
const QUICKLY_COUNTED = 400

/**
 * What users sent and receive, for each in one order. Each side is read by its own index and cut before the two are
 * merged.
 *
 * @returns the page of each user, in the order of the users
 */
export async function listPayments(
  sql: Sql,
  users: readonly ListedUser[],
  { conditions, paging }: { conditions: PaymentConditions; paging: Paging },
): Promise<ListedPage[]> {
  const field = paging.sort.field as PaymentSort
  const sortKey = { expression: sortExpressions[field], type: paymentSorts[field] }
  const depth = paging.offset + paging.limit + 1
  const columns = sql`
    number, number_is_text, amount_cents, name, recipient, description, comment, status, created_at, updated_at, kind
  `
  const { sent, received } = sidesOf(sql, conditions)
  const outgoing = sql`
    (
      select id, ${columns}, 'OUTGOING' as direction, null as sender
      ${sent} ${afterPosition(sql, paging, sortKey, 'id')}
      order by ${sortOrder(sql, paging, sortKey, 'id')}
      limit ${depth}
    )
  `
  const incoming = sql`
    (
      select payment_id as id, ${columns}, 'INCOMING' as direction, sender
      ${received} ${afterPosition(sql, paging, sortKey, 'payment_id')}
      order by ${sortOrder(sql, paging, sortKey, 'payment_id')}
      limit ${depth}
    )
  `
  const few = QUICKLY_COUNTED + 1
  const counted = sql`
    (select count(*) from (select ${sent} limit ${few}) few) as sent_count,
    (select count(*) from (select ${received} limit ${few}) few) as received_count
  `
  const isFirst = sql`row_number = ${paging.offset + 1}`
  const isLast = sql`row_number = ${paging.offset + paging.limit}`
  // What is lateral is joined in a nested loop: the rows of a user come in the order of the page. What is told once of a
  // page stands in its first row or its last.
  type Row = ListedPayment & { place: number; sentCount: number | null; receivedCount: number | null }
  const rows = await sql<Row[]>`
    select
      listed.place::integer as place, page.id, page.number, page.number_is_text, page.amount_cents, page.name,
      page.recipient, page.description, page.comment, page.status, page.created_at, page.direction,
      coalesce(page.sender, u.business_name, u.name) as sender, page.sort_value,
      case when ${isFirst} then sent_count end as sent_count,
      case when ${isFirst} then received_count end as received_count
    from (
      select listed.*, ${paging.after ? sql`null as sent_count, null as received_count` : counted}
      from unnest(${users.map(({ platformId }) => platformId)}::uuid[], ${users.map(({ userId }) => userId)}::uuid[])
        with ordinality listed (platform_id, user_id, place)
      offset 0 -- counted once for each user
    ) listed
    join users u on u.platform_id = listed.platform_id and u.id = listed.user_id
    cross join lateral (
      select *, case when ${isLast} then ${sortValue(sql, sortKey)} end as sort_value
      from (
        select *, row_number() over (order by ${sortOrder(sql, paging, sortKey, 'id')})
        from (${outgoing} union all ${incoming}) both_sides
        order by ${sortOrder(sql, paging, sortKey, 'id')}
        limit ${paging.limit + 1}
        offset ${paging.offset}
      ) numbered
    ) page
  `
  const pages: ListedPage[] = users.map(() => ({ rows: [], total: null }))
  for (const row of rows) {
    const page = pages[row.place - 1] as ListedPage
    page.rows.push(row)
    const { sentCount, receivedCount } = row
    if (sentCount === null || receivedCount === null) continue
    if (sentCount < few && receivedCount < few) page.total = sentCount + receivedCount
  }
  return pages
}

/** How many payments a list has. */
export async function countPayments(sql: Sql, { platformId, userId, ...conditions }: PaymentFilter): Promise<number> {
  const { sent, received } = sidesOf(sql, conditions)
  const [row] = await sql<{ total: number }[]>`
    select (select count(*) ${sent}) + (select count(*) ${received}) as total
    from (values (${platformId}::uuid, ${userId}::uuid)) listed (platform_id, user_id)
  `
  return row?.total ?? 0
}

/** `from` and `where` of what a user, named `listed`, sent and receives. */
const sidesOf = (sql: Sql, conditions: PaymentConditions) => ({
  sent: sql`
    from payments
    where ${conditions.direction !== 'INCOMING'} and platform_id = listed.platform_id and sender_id = listed.user_id
      ${matching(sql, conditions)} ${madeByGrant(sql, conditions)}
  `,
  received: sql`
    from incoming
    where ${conditions.direction !== 'OUTGOING' && !conditions.grantId} and platform_id = listed.platform_id
      and user_id = listed.user_id ${matching(sql, conditions)}
  `,
})

const madeByGrant = (sql: Sql, { grantId }: PaymentConditions) => (grantId ? sql`and grant_id = ${grantId}` : sql``)

/** The filters of api.md 0, on columns that both sides have. */
function matching(sql: Sql, { status, startDate, endDate, q }: PaymentConditions) {
  const search = q ? containsPattern(q) : null
  return sql`
    ${status ? sql`and status = ${status}` : sql``}
    ${startDate ? sql`and created_at >= ${startDate}::date` : sql``}
    ${endDate ? sql`and created_at < ${endDate}::date + 1` : sql``}
    ${
      search
        ? sql`and (name ilike ${search} or recipient ilike ${search} or description ilike ${search} or number ilike ${search})`
        : sql``
    }
  `
}
