import type { Sql } from '../../../foundation/db/connect.ts'
import {
  afterPosition,
  createdAndContaining,
  type ListConditions,
  type Paging,
  sortKeyOf,
  sortOrder,
  sortValue,
} from '../../../foundation/db/paging.ts'
import type { Fragment } from '../../../foundation/db/skipped.ts'
import { type PaymentSort, paymentSorts } from '../payment-rules.ts'
import type { PaymentStatus } from '../payment-status.ts'
import type { ShownPayment } from '../payment-types.ts'

/** A payment in a list, seen by its sender (OUTGOING) or its recipient (INCOMING). */
export type ListedPayment = ShownPayment & {
  direction: 'INCOMING' | 'OUTGOING'
  sender: string
  sortValue: string | null
}

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

/** The user whose payments are listed. */
export type ListedUser = { platformId: string; userId: string }

export type PaymentConditions = ListConditions<PaymentStatus> & {
  /** Limits the list to payments that this grant created. */
  grantId?: string | undefined
}

/** A page and one more row. `total` is the length of the whole list, or null if counting it would be slow. */
export type ListedPage = { rows: ListedPayment[]; total: number | null }

/** The maximum number of sent or received payments that are counted together with the page. */
const QUICKLY_COUNTED = 400

/**
 * Lists the payments that users of a platform send and receive, with the same sort order for all users. Sent and received payments are read
 * with their own indexes, and limited to a page before they are merged.
 *
 * @returns the page of each user, in the order of the users
 */
export async function listPayments(
  sql: Sql,
  { platformId, userIds }: { platformId: string; userIds: readonly string[] },
  { conditions, paging }: { conditions: PaymentConditions; paging: Paging },
): Promise<ListedPage[]> {
  const sortKey = sortKeyOf(paging, sortExpressions, paymentSorts)
  const depth = paging.offset + paging.limit + 1
  const columns = sql`
    number, number_is_text, amount_cents, name, recipient, description, comment, status, created_at, updated_at, kind
  `
  const { sent, received, receivedFromElsewhere } = sidesOf(sql, platformId, conditions)
  const side = (rows: Fragment, { id, direction, sender }: { id: string; direction: string; sender: Fragment }) => sql`
    (
      select ${sql.unsafe(id)} as id, ${columns}, ${sql.unsafe(`'${direction}'`)} as direction, ${sender} as sender
      ${rows} ${afterPosition(sql, paging, sortKey, id)}
      order by ${sortOrder(sql, paging, sortKey, id)}
      limit ${depth}
    )
  `
  const outgoing = side(sent, { id: 'id', direction: 'OUTGOING', sender: sql`null` })
  const incoming = side(received, { id: 'id', direction: 'INCOMING', sender: sql`sender_name` })
  const fromElsewhere = side(receivedFromElsewhere, { id: 'payment_id', direction: 'INCOMING', sender: sql`sender` })
  const few = QUICKLY_COUNTED + 1
  const counted = sql`
    (select count(*) from (select ${sent} limit ${few}) few) as sent_count,
    (select count(*) from (select ${received} limit ${few}) few)
      + (select count(*) from (select ${receivedFromElsewhere} limit ${few}) few) as received_count
  `
  const isFirst = sql`row_number = ${paging.offset + 1}`
  const isLast = sql`row_number = ${paging.offset + paging.limit}`
  // The lateral join runs as a nested loop, so the rows of each user keep the order of the page. Values about the whole page are only in
  // its first or last row.
  const rows = await sql<PageRow[]>`
    select
      listed.place::integer as place, page.id, page.number, page.number_is_text, page.amount_cents, page.name,
      page.recipient, page.description, page.comment, page.status, page.created_at, page.direction,
      coalesce(page.sender, u.business_name, u.name) as sender, page.sort_value,
      case when ${isFirst} then sent_count end as sent_count,
      case when ${isFirst} then received_count end as received_count
    from (
      select listed.*, ${paging.after ? sql`null as sent_count, null as received_count` : counted}
      from unnest(${userIds}::uuid[]) with ordinality listed (user_id, place)
      offset 0 -- counted once for each user
    ) listed
    join users u on u.platform_id = ${platformId} and u.id = listed.user_id
    cross join lateral (
      select *, case when ${isLast} then ${sortValue(sql, sortKey)} end as sort_value
      from (
        select *, row_number() over (order by ${sortOrder(sql, paging, sortKey, 'id')})
        from (${outgoing} union all ${incoming} union all ${fromElsewhere}) all_sides
        order by ${sortOrder(sql, paging, sortKey, 'id')}
        limit ${paging.limit + 1}
        offset ${paging.offset}
      ) numbered
    ) page
  `
  return pagesOf(userIds.length, rows)
}

type PageRow = ListedPayment & { place: number; sentCount: number | null; receivedCount: number | null }

function pagesOf(userCount: number, rows: readonly PageRow[]): ListedPage[] {
  const pages: ListedPage[] = Array.from({ length: userCount }, () => ({ rows: [], total: null }))
  for (const row of rows) {
    const page = pages[row.place - 1] as ListedPage
    page.rows.push(row)
    const { sentCount, receivedCount } = row
    if (sentCount === null || receivedCount === null) continue
    if (sentCount <= QUICKLY_COUNTED && receivedCount <= QUICKLY_COUNTED) page.total = sentCount + receivedCount
  }
  return pages
}

/** Counts the payments of a list. */
export async function countPayments(sql: Sql, { platformId, userId, ...conditions }: PaymentFilter): Promise<number> {
  const { bySender, scanned, received, receivedFromElsewhere } = sidesOf(sql, platformId, conditions)
  // The indexes do not contain the kind. Without this column, PostgreSQL counts with the indexes alone.
  const [row] = await sql<{ total: number }[]>`
    select
      (select count(*) ${bySender}) - (select count(*) ${scanned}) + (select count(*) ${received})
        + (select count(*) ${receivedFromElsewhere}) as total
    from (values (${userId}::uuid)) listed (user_id)
  `
  return row?.total ?? 0
}

/**
 * Returns the `from` and `where` clauses for the payments that a user of the platform (the row `listed`) sends and receives. Payments from
 * other platforms have a copy on this platform.
 */
function sidesOf(sql: Sql, platformId: string, conditions: PaymentConditions) {
  const { direction, grantId } = conditions
  const bySender = sql`
    from payments
    where ${direction !== 'INCOMING'} and platform_id = ${platformId} and sender_id = listed.user_id
      ${matching(sql, conditions)} ${madeByGrant(sql, conditions)}
  `
  return {
    bySender,
    // The user of a scanned check is stored as its sender.
    scanned: sql`${bySender} and kind = 'SCANNED'`,
    sent: sql`${bySender} and kind <> 'SCANNED'`,
    received: sql`
      from payments
      where ${direction !== 'OUTGOING' && !grantId} and platform_id = ${platformId}
        and recipient_id = listed.user_id and recipient_platform_id is not distinct from platform_id ${matching(sql, conditions)}
    `,
    receivedFromElsewhere: sql`
      from received_payments
      where ${direction !== 'OUTGOING' && !grantId} and platform_id = ${platformId}
        and user_id = listed.user_id ${matching(sql, conditions)}
    `,
  }
}

const madeByGrant = (sql: Sql, { grantId }: PaymentConditions) => (grantId ? sql`and grant_id = ${grantId}` : sql``)

/** Returns the conditions for the filters of specification.md 1.5. They use only columns that sent and received payments have in common. */
const matching = (sql: Sql, conditions: PaymentConditions) => sql`
  ${conditions.status ? sql`and status = ${conditions.status}` : sql``}
  ${createdAndContaining(sql, conditions, ['name', 'recipient', 'description', 'number'])}
`
