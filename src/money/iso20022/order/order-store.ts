import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import { notSkipped, type Skipped } from '../../../foundation/db/skipped.ts'
import type { LegKey } from '../../rail/leg-store.ts'

/** An order of a message. The id of the file is the id of the message. Dates are YYYY-MM-DD. */
export type OrderRow = {
  fileId: string
  legId: string
  platformId: string
  message: string
  payment: string
  executeOn: string
  cents: number
  currency: string
  uetr: string | null
  code: string | null
  endedAt: Date | null
  recalledAt: Date | null
  /** The id of the message that asks the bank to cancel the order, or null. */
  recallId: string | null
}

const columns = (sql: Sql) => sql`
  file_id, leg_id, platform_id, message, payment, execute_on::text as execute_on, cents, currency, uetr, code, ended_at, recalled_at,
  recall_id
`

/**
 * Prevents other workers from writing messages until the end of the transaction.
 *
 * @returns false if another worker holds the lock
 */
export async function tryLockOrders(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('iso orders', 0)) as is_locked
  `
  return row?.isLocked ?? false
}

type NewOrder = Omit<OrderRow, 'code' | 'endedAt' | 'recalledAt' | 'recallId'>

export async function insertOrders(sql: Sql, orders: readonly NewOrder[]): Promise<void> {
  await sql`
    insert into iso_orders (file_id, leg_id, platform_id, message, payment, execute_on, cents, currency, uetr)
    select o.file_id, o.leg_id, o.platform_id, o.message, o.payment, o.execute_on, o.cents, o.currency, o.uetr
    from unnest(
      ${orders.map(({ fileId }) => fileId)}::uuid[],
      ${orders.map(({ legId }) => legId)}::uuid[],
      ${orders.map(({ platformId }) => platformId)}::uuid[],
      ${orders.map(({ message }) => message)}::text[],
      ${orders.map(({ payment }) => payment)}::text[],
      ${orders.map(({ executeOn }) => executeOn)}::date[],
      ${orders.map(({ cents }) => cents)}::bigint[],
      ${orders.map(({ currency }) => currency)}::text[],
      ${orders.map(({ uetr }) => uetr)}::text[]
    ) as o (file_id, leg_id, platform_id, message, payment, execute_on, cents, currency, uetr)
  `
}

/** Sums the orders of a rail that a connection has for an execution date (YYYY-MM-DD) and that were not rejected. */
export async function sumOrdered(
  sql: Sql,
  { connectionId, rail, executeOn }: { connectionId: string; rail: string; executeOn: string },
): Promise<number> {
  const [row] = await sql<{ cents: number }[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select coalesce(sum(o.cents), 0)::bigint as cents
    from iso_orders o
    join exchanges x on x.id = o.file_id
    join legs l on l.platform_id = o.platform_id and l.id = o.leg_id
    where o.execute_on = ${executeOn}::date and o.recalled_at is null and x.connection_id = ${connectionId} and l.rail = ${rail}
      and l.status not in ('CANCELLED', 'RETURNED')
  `
  return row?.cents ?? 0
}

/** Lists the orders of messages that were sent over a connection, and the orders that its recalls concern. */
export const listOrders = (
  sql: Sql,
  { connectionId, fileIds }: { connectionId: string; fileIds: readonly string[] },
): Promise<OrderRow[]> =>
  sql<OrderRow[]>`
    select ${columns(sql)}
    from iso_orders
    where (file_id = any (${fileIds as string[]}::uuid[]) or recall_id = any (${fileIds as string[]}::uuid[])) and file_id in (
      select id
      from exchanges
      where connection_id = ${connectionId} and direction = 'out'
    )
    order by file_id, payment, leg_id
  `

/** Lists the messages with the orders of these legs. */
export const listMessagesOfLegs = (
  sql: Sql,
  { connectionId, legIds }: { connectionId: string; legIds: readonly string[] },
): Promise<string[]> =>
  sql<{ fileId: string }[]>`
    select distinct o.file_id
    from iso_orders o
    join exchanges x on x.id = o.file_id
    where o.leg_id = any (${legIds as string[]}::uuid[]) and o.recalled_at is null and x.connection_id = ${connectionId}
  `.then((rows) => rows.map(({ fileId }) => fileId))

type LegOfConnection = { connectionId: string; legId: string }

/** Selects the orders of a leg that were sent over a connection. */
const ofLeg = (sql: Sql, { connectionId, legId }: LegOfConnection) => sql`
  leg_id = ${legId} and file_id in (
    select id
    from exchanges
    where connection_id = ${connectionId} and direction = 'out'
  )
`

/** Finds the order of a leg that was sent over a connection. */
export const findOrderOfLeg = (sql: Sql, leg: LegOfConnection): Promise<OrderRow | null> =>
  sql<OrderRow[]>`
    select ${columns(sql)}
    from iso_orders
    where ${ofLeg(sql, leg)} and recalled_at is null
  `.first()

/** Finds the last order of a leg that was sent over a connection and whose file was then canceled or rejected. */
export const findRecalledOrderOfLeg = (sql: Sql, leg: LegOfConnection): Promise<OrderRow | null> =>
  sql<OrderRow[]>`
    select ${columns(sql)}
    from iso_orders
    where ${ofLeg(sql, leg)} and recalled_at is not null
    order by recalled_at desc
    limit 1
  `.first()

/** Lists the legs of orders by their UETRs. */
export const listLegsOfUetrs = (
  sql: Sql,
  { connectionId, uetrs }: { connectionId: string; uetrs: readonly string[] },
): Promise<{ uetr: string; legId: string }[]> =>
  sql<{ uetr: string; legId: string }[]>`
    select o.uetr, o.leg_id
    from iso_orders o
    join exchanges x on x.id = o.file_id
    where o.uetr = any (${uetrs as string[]}::text[]) and o.recalled_at is null and x.connection_id = ${connectionId}
  `

export type OrderKey = Pick<OrderRow, 'fileId' | 'legId'>

/** The code of an order that a statement line proves. */
export const BOOKED = 'BOOK'

/** Records the latest status that the bank gave an order. A final status is never replaced, except that an answer replaces a line's proof. */
export async function updateOrderCode(
  sql: Sql,
  { fileId, legId }: OrderKey,
  { code, endedAt }: { code: string; endedAt: Date | null },
): Promise<void> {
  await sql`
    update iso_orders
    set code = ${code}, ended_at = ${endedAt}
    where file_id = ${fileId} and leg_id = ${legId}
      and (ended_at is null or (code = ${BOOKED} and ${endedAt}::timestamptz is not null))
  `
}

/** Removes the final status of an order that the operator has decided to be wrong, so that another one can be recorded. */
export async function updateUnended(
  sql: Sql,
  { platformId, legId }: Pick<OrderRow, 'platformId' | 'legId'>,
): Promise<void> {
  await sql`
    update iso_orders
    set ended_at = null
    where platform_id = ${platformId} and leg_id = ${legId} and recalled_at is null
  `
}

/**
 * Reopens orders that nothing proves any more, after a decision undid the lines that proved them. The bank's answer is then waited for
 * again.
 */
export async function updateReopened(sql: Sql, legs: readonly LegKey[], reopenedAt: Date): Promise<void> {
  for (const { platformId, id } of legs)
    await sql`
      update iso_orders
      set code = null, ended_at = null, reopened_at = ${reopenedAt}
      where platform_id = ${platformId} and leg_id = ${id} and recalled_at is null and code = ${BOOKED}
    `
}

/** Lists orders of one platform whose legs must be updated after the file, by leg. */
export const listFollowingOrders = (
  sql: Sql,
  { fileId, platformId }: { fileId: string; platformId: string },
): Promise<OrderRow[]> =>
  sql<OrderRow[]>`
    select ${columns(sql)}
    from iso_orders
    where file_id = ${fileId} and platform_id = ${platformId} and recalled_at is null
    order by leg_id
  `

/** Frees the leg of an order that never took effect. Null: it has taken effect after all. */
export async function markOrderRecalled(sql: Sql, { fileId, legId }: OrderKey, recalledAt: Date | null): Promise<void> {
  await sql`
    update iso_orders
    set recalled_at = ${recalledAt}
    where file_id = ${fileId} and leg_id = ${legId}
  `
}

/** An order that the bank must be asked to cancel. `createdAt`: the creation time of its message. */
export type OrderToRecall = OrderRow & { createdAt: Date }

/** Lists orders at the bank of a connection whose payments are being voided and whose cancellation was not requested yet. */
export const listOrdersToRecall = (
  sql: Sql,
  { connectionId, limit }: { connectionId: string; limit: number },
): Promise<OrderToRecall[]> =>
  sql<OrderToRecall[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select
      o.file_id, o.leg_id, o.platform_id, o.message, o.payment, o.execute_on::text as execute_on, o.cents, o.currency, o.uetr, o.code,
      o.ended_at, o.recalled_at, o.recall_id, x.created_at
    from iso_orders o
    join exchanges x on x.id = o.file_id
    join legs l on l.platform_id = o.platform_id and l.id = o.leg_id
    where o.ended_at is null and o.recalled_at is null and o.recall_id is null and x.connection_id = ${connectionId}
      and l.status = 'STOPPING' and x.status in ('TRANSMITTED', 'ACCEPTED')
    order by o.file_id, o.leg_id
    limit ${limit}
  `

/** Returns whether the bank was asked to cancel the order of a leg. */
export const isRecallAsked = (sql: Sql, { platformId, id }: LegKey): Promise<boolean> =>
  sql`
    select
    from iso_orders
    where platform_id = ${platformId} and leg_id = ${id} and recalled_at is null and recall_id is not null
  `.anyRow()

/** Records or removes the message that recalls an order. @returns false if the order already has one */
export const updateRecall = (
  sql: Sql,
  { fileId, legId }: OrderKey,
  { from, to }: { from: string | null; to: string | null },
): Promise<boolean> =>
  sql`
    update iso_orders
    set recall_id = ${to}
    where file_id = ${fileId} and leg_id = ${legId} and recall_id is not distinct from ${from}
  `.anyRow()

/** Finds the order that a recall concerns. */
export const findOrderOfRecall = (sql: Sql, recallId: string): Promise<OrderRow | null> =>
  sql<OrderRow[]>`
    select ${columns(sql)}
    from iso_orders
    where recall_id = ${recallId}
  `.first()

/** Lists open orders of a connection that a line of a bank statement has booked, and that no answer of the bank contradicts. */
export const listBookedOrders = (
  sql: Sql,
  { connectionId, skipped, limit }: { connectionId: string; skipped: Skipped; limit: number },
): Promise<OrderRow[]> =>
  sql<OrderRow[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select
      o.file_id, o.leg_id, o.platform_id, o.message, o.payment, o.execute_on::text as execute_on, o.cents, o.currency, o.uetr, o.code,
      o.ended_at, o.recalled_at, o.recall_id
    from iso_orders o
    join exchanges x on x.id = o.file_id
    join legs l on l.platform_id = o.platform_id and l.id = o.leg_id
    where o.ended_at is null and o.recalled_at is null and x.connection_id = ${connectionId} and l.booked_line_id is not null
      and l.status in ('SENT', 'ACCEPTED', 'STOPPING', 'SETTLED')
      and not exists (
        select
        from bank_cases c
        where c.leg_id = l.id and c.kind = 'order_contradicts' and c.closed_at is null
      )
      ${notSkipped(sql, skipped, { platformId: sql`o.platform_id`, id: sql`o.leg_id` })}
    order by o.file_id, o.leg_id
    limit ${limit}
  `

/**
 * A message with orders that have no final status. `sentAt`: when it was transmitted, or created if Remit canceled it. If the line that proved
 * an order was undone later: when.
 */
export type UnansweredFile = { fileId: string; name: string; sentAt: Date; isReopened: boolean; count: number }

/**
 * Lists the messages of a connection that were sent before a time and have orders without a final status. An order of a canceled or
 * rejected message counts if the bank has answered or booked it, because then it is not put into another message. For an order whose line
 * was undone, the time starts again.
 */
export const listUnanswered = (
  sql: Sql,
  { connectionId, sentBefore }: { connectionId: string; sentBefore: Date },
): Promise<UnansweredFile[]> =>
  sql<UnansweredFile[]>`
    with open_orders as (
      select
        x.id as file_id, x.name, greatest(coalesce(x.transmitted_at, x.created_at), o.reopened_at) as sent_at, o.reopened_at
      from iso_orders o
      join exchanges x on x.id = o.file_id
      where o.ended_at is null and o.recalled_at is null and x.connection_id = ${connectionId}
        and (
          x.status in ('TRANSMITTED', 'ACCEPTED')
          or x.status in ('CANCELED', 'REJECTED') and (o.code is not null or o.reopened_at is not null)
        )
    )
    select file_id, name, max(sent_at) as sent_at, bool_or(reopened_at is not null) as is_reopened, count(*) as count
    from open_orders
    where sent_at < ${sentBefore}
    group by file_id, name
    order by file_id
  `

/** An order without a final status, with its payment. `code`: the latest status of the bank. */
export type UnansweredOrder = Pick<OrderRow, 'legId' | 'cents' | 'code'> & { paymentId: string }

/** Lists the orders of a message without a final status. */
export const listUnansweredOrders = (
  sql: Sql,
  { fileId, limit }: { fileId: string; limit: number },
): Promise<UnansweredOrder[]> =>
  sql<UnansweredOrder[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select o.leg_id, o.cents, o.code, l.subject_id as payment_id
    from iso_orders o
    join legs l on l.platform_id = o.platform_id and l.id = o.leg_id
    where o.file_id = ${fileId} and o.ended_at is null and o.recalled_at is null
    order by o.leg_id
    limit ${limit}
  `

/** Returns whether all orders of a message have a final status. */
export const areAllEnded = async (sql: Sql, fileId: string): Promise<boolean> =>
  !(await sql`
    select
    from iso_orders
    where file_id = ${fileId} and ended_at is null and recalled_at is null
    limit 1
  `.anyRow())
