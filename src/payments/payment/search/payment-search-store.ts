import type { Sql } from '../../../foundation/db/connect.ts'
import { containsPattern, type IdRange, type Position } from '../../../foundation/db/paging.ts'
import type { Fragment } from '../../../foundation/db/skipped.ts'
import type { Rail } from '../../../money/rail/rail-rules.ts'
import type { ReturnCode } from '../../../money/rail/return-code-rules.ts'
import { readNames } from '../../../people/auth/login/login-store.ts'
import { isFromPayer } from '../from-payer-store.ts'
import type { PaymentStatus } from '../payment-status.ts'
import type { PaymentKey, ShownPayment } from '../payment-types.ts'

export type FoundPayment = ShownPayment & {
  direction: 'INCOMING' | 'OUTGOING'
  sender: string
  rail: Rail | null
  returnCode: ReturnCode | null
  /** The user of the platform who sends or receives the payment. */
  userId: string
  userName: string
  /** The sort value of the row in the list. */
  sortValue: string
}

export type SearchConditions = IdRange & {
  status?: PaymentStatus | undefined
  /** Only sent payments have a batch. */
  batch?: string | undefined
  rail?: Rail | undefined
  minCents?: number | undefined
  maxCents?: number | undefined
  q?: string | undefined
}

/** The owner of the searched payments: a platform, or one of its users. */
export type Searched = { platformId: string; userId: string | null }

export const SIDES = ['sent', 'received', 'receivedFromPayers', 'receivedFromElsewhere'] as const
export type Side = (typeof SIDES)[number]

export type SideQuery = { searched: Searched; side: Side; conditions: SearchConditions; after: Position | null }

const receivedHere = { table: 'payments', id: 'id', user: 'recipient_id', direction: 'INCOMING', sender: 'sender_name' }

/** The tables of payments, with their columns and the condition for the rows of a user. */
const tables: Record<
  Side,
  { table: string; id: string; user: string; direction: string; sender: string; rows: string }
> = {
  sent: { table: 'payments', id: 'id', user: 'sender_id', direction: 'OUTGOING', sender: 'null', rows: '' },
  received: { ...receivedHere, rows: 'and recipient_platform_id is not distinct from platform_id' },
  // Payments for invoices by people without an account. In the list of a user, they are among the received payments.
  receivedFromPayers: { ...receivedHere, rows: '' },
  receivedFromElsewhere: {
    table: 'received_payments',
    id: 'payment_id',
    user: 'user_id',
    direction: 'INCOMING',
    sender: 'sender',
    rows: '',
  },
}

/** The statuses that few payments of a platform have. The index `payments_rare` finds them. */
const RARE_STATUSES = ['FAILED', 'REFUNDED', 'EXPIRED'] as const satisfies PaymentStatus[]

const isRare = ({ searched, side, conditions: { status } }: SideQuery): boolean =>
  searched.userId === null && side === 'sent' && (RARE_STATUSES as readonly (string | undefined)[]).includes(status)

/** Returns the rows of one table that come after the position, newest first, before the filters. */
function rowsOf(sql: Sql, query: SideQuery): Fragment {
  const { searched, side, conditions, after } = query
  const { table, id, user, rows } = tables[side]
  // A payment between users of the platform appears only among the sent ones.
  const ofPlatform = side === 'receivedFromElsewhere' ? 'and sender_platform_id <> platform_id' : ''
  // The user of a scanned check is its payee, and is also stored as its sender.
  const ofUser = side === 'sent' ? sql`and kind <> 'SCANNED'` : sql``
  const idColumn = sql.unsafe(id)
  const fromPayer = isFromPayer(sql, searched.platformId, table)
  return sql`
    from ${sql.unsafe(table)}
    where platform_id = ${searched.platformId} ${sql.unsafe(rows)}
      ${side === 'receivedFromPayers' ? sql`and ${fromPayer}` : sql``}
      ${side === 'sent' && searched.userId === null ? sql`and not ${fromPayer}` : sql``}
      ${searched.userId === null ? sql.unsafe(ofPlatform) : sql`and ${sql.unsafe(user)} = ${searched.userId} ${ofUser}`}
      ${conditions.fromId === null ? sql`` : sql`and ${idColumn} >= ${conditions.fromId}`}
      ${conditions.untilId === null ? sql`` : sql`and ${idColumn} < ${conditions.untilId}`}
      ${conditions.batch === undefined ? sql`` : sql`and batch_id = ${conditions.batch}`}
      ${isRare(query) ? sql`and status = ${sql.unsafe(`'${conditions.status}'`)}` : sql``}
      ${after === null ? sql`` : sql`and ${isAfter(sql, query, after)}`}
    order by ${orderOf(sql, query)}
  `
}

/** Returns the sort order that an index provides: the id for a platform, and the time of creation for a user. */
const orderOf = (sql: Sql, { searched, side }: SideQuery): Fragment => {
  const { id } = tables[side]
  return sql.unsafe(searched.userId === null ? `${id} desc` : `created_at desc, ${id} desc`)
}

const isAfter = (sql: Sql, { searched, side }: SideQuery, after: Position): Fragment => {
  const id = sql.unsafe(tables[side].id)
  return searched.userId === null
    ? sql`${id} < ${after.id}::uuid`
    : sql`(created_at, ${id}) < (${after.value}::timestamptz, ${after.id}::uuid)`
}

const sortValueOf = (sql: Sql, { searched, side }: SideQuery): Fragment =>
  sql.unsafe(searched.userId === null ? `replace(${tables[side].id}::text, '-', '')` : 'created_at::text')

/**
 * Finds the first payments of one table that match the filters, among the next `window` payments.
 *
 * @returns the rows, and `end`: the last payment of the window, or null if the page was full before or no payment follows
 */
export async function searchSide(
  sql: Sql,
  query: SideQuery,
  { window, limit }: { window: number; limit: number },
): Promise<{ rows: FoundPayment[]; end: FoundPayment | null }> {
  const { side, conditions } = query
  const { id, user, direction, sender } = tables[side]
  const ofPayment = side === 'receivedFromElsewhere' ? 'null as rail, null as return_code' : 'rail, return_code'
  const isMatch = matching(sql, conditions)
  const found = await sql<(FoundPayment & { isMatch: boolean; isEnd: boolean })[]>`
    select
      p.id, p.number, p.number_is_text, p.amount_cents, p.name, p.recipient, p.description, p.comment, p.status, p.created_at,
      ${direction} as direction, coalesce(p.sender, u.business_name, u.name) as sender, p.rail, p.return_code, p.user_id,
      coalesce(u.business_name, u.name) as user_name, p.sort_value, p.is_match, p.is_end
    from (
      select *, ${isMatch} as is_match, place = ${window} as is_end
      from (
        select *, row_number() over () as place
        from (
          select
            ${sql.unsafe(id)} as id, ${sql.unsafe(user)} as user_id, number, number_is_text, amount_cents, name,
            recipient, description, comment, status, created_at, ${sql.unsafe(sender)}::text as sender,
            ${sql.unsafe(ofPayment)}, ${sortValueOf(sql, query)} as sort_value
          ${rowsOf(sql, query)}
          limit ${window}
        ) newest
      ) numbered
      where (${isMatch}) or place = ${window}
      limit ${limit}
    ) p
    join users u on u.platform_id = ${query.searched.platformId} and u.id = p.user_id
  `
  const rows = found.filter((row) => row.isMatch)
  return { rows, end: rows.length < limit ? (found.find(({ isEnd }) => isEnd) ?? null) : null }
}

/** The names of the people who prepared and released a payment, and its batch. */
export type Makers = { preparedBy: string | null; releasedBy: string | null; batchId: string | null }

export async function findMakers(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<Makers> {
  const [row] = await sql<Makers[]>`
    select prepared_by, released_by, batch_id
    from payments
    where platform_id = ${platformId} and id = ${paymentId}
  `
  const { preparedBy, releasedBy, batchId } = row as Makers
  const nameOf = await readNames(sql, [preparedBy, releasedBy])
  return { preparedBy: nameOf(preparedBy), releasedBy: nameOf(releasedBy), batchId }
}

function matching(sql: Sql, { status, rail, minCents, maxCents, q }: SearchConditions): Fragment {
  const pattern = q === undefined ? null : containsPattern(q)
  return sql`
    true
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${rail === undefined ? sql`` : sql`and coalesce(rail = ${rail}, false)`}
    ${minCents === undefined ? sql`` : sql`and amount_cents >= ${minCents}`}
    ${maxCents === undefined ? sql`` : sql`and amount_cents <= ${maxCents}`}
    ${
      pattern === null
        ? sql``
        : sql`
          and (
            name ilike ${pattern} or recipient ilike ${pattern} or coalesce(description ilike ${pattern}, false)
            or number ilike ${pattern}
          )
        `
    }
  `
}
