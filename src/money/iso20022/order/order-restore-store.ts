import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import type { LegKey } from '../../rail/leg-store.ts'
import type { WrittenOrder } from '../message/credit-transfer-read-rules.ts'

/** An order that the bank has and that is not assigned to a payment yet. `legId`: the EndToEndId. */
export type RecoveredOrder = WrittenOrder & {
  fileId: string
  fileName: string
  connectionId: string
  recoveredAt: Date
  /** Whether the operator has closed the case about it. */
  isDecided: boolean
  /** Whether its message was rejected or canceled, so that the bank does not have it. */
  isRejected: boolean
}

/** An order of a message whose payment is not known. */
export type LostOrder = Pick<
  RecoveredOrder,
  'fileId' | 'legId' | 'message' | 'payment' | 'cents' | 'currency' | 'uetr'
> & { recallId: null }

/** Stores the orders of a message. If an order was sent twice, the one in the later message counts. */
export async function insertRecoveredOrders(sql: Sql, fileId: string, orders: readonly WrittenOrder[]): Promise<void> {
  for (const { legId, message, payment, executeOn, cents, currency, uetr } of orders) {
    await sql`
      insert into recovered_orders as o (leg_id, file_id, message, payment, execute_on, cents, currency, uetr)
      values (${legId}, ${fileId}, ${message}, ${payment}, ${executeOn}, ${cents}, ${currency}, ${uetr})
      on conflict (leg_id) do update
      set file_id = excluded.file_id, payment = excluded.payment, execute_on = excluded.execute_on, matched_at = null, rejected_at = null
      where o.file_id < excluded.file_id
    `
  }
}

const recoveredOrders = (sql: Sql) => sql`
  select o.leg_id, o.file_id, x.name as file_name, x.connection_id, o.message, o.payment, o.execute_on::text as execute_on, o.cents,
    o.currency, o.uetr, x.created_at as recovered_at,
    exists (
      select
      from bank_cases b
      where b.inbound_file_id = o.file_id and b.kind = 'payment_missing' and b.event = replace(o.leg_id::text, '-', '')
        and b.closed_by is not null
    ) as is_decided,
    x.status in ('REJECTED', 'CANCELED') as is_rejected
  from recovered_orders o
  join exchanges x on x.id = o.file_id
  where o.matched_at is null and o.rejected_at is null
`

export const listRecoveredOrders = (sql: Sql): Promise<RecoveredOrder[]> =>
  sql<RecoveredOrder[]>`
    ${recoveredOrders(sql)}
    order by o.leg_id
  `

/** Lists the orders of messages of a connection that are not assigned to a payment, also those that the bank has rejected. */
export const listLostOfMessages = (
  sql: Sql,
  { connectionId, fileIds }: { connectionId: string; fileIds: readonly string[] },
): Promise<LostOrder[]> =>
  sql<LostOrder[]>`
    select o.leg_id, o.file_id, o.message, o.payment, o.cents, o.currency, o.uetr, null as recall_id
    from recovered_orders o
    join exchanges x on x.id = o.file_id
    where o.file_id = any (${fileIds as string[]}::uuid[]) and o.matched_at is null and x.connection_id = ${connectionId}
    order by o.file_id, o.payment, o.leg_id
  `

export async function markOrderRejected(sql: Sql, legId: string, rejectedAt: Date): Promise<void> {
  await sql`
    update recovered_orders
    set rejected_at = ${rejectedAt}
    where leg_id = ${legId} and matched_at is null and rejected_at is null
  `
}

/** Lists orders of a connection that are not assigned since a time, and that have no case about it. */
export const listOrdersWithoutPayment = (
  sql: Sql,
  { connectionId, recoveredBefore }: { connectionId: string; recoveredBefore: Date },
): Promise<RecoveredOrder[]> =>
  sql<RecoveredOrder[]>`
    ${recoveredOrders(sql)} and x.connection_id = ${connectionId} and x.created_at < ${recoveredBefore}
      and x.status in ('TRANSMITTED', 'ACCEPTED') and not exists (
      select
      from bank_cases b
      where b.inbound_file_id = o.file_id and b.kind = 'payment_missing' and b.event = replace(o.leg_id::text, '-', '')
    )
    order by o.leg_id
  `

export async function markOrderMatched(
  sql: Sql,
  { legId }: Pick<RecoveredOrder, 'legId'>,
  matchedAt: Date,
): Promise<void> {
  await sql`
    update recovered_orders
    set matched_at = ${matchedAt}
    where leg_id = ${legId}
  `
}

/** Locks an order, and returns whether it is still not assigned. */
export const isStillUnassigned = (sql: Sql, { legId }: Pick<RecoveredOrder, 'legId'>): Promise<boolean> =>
  sql`
    select
    from recovered_orders
    where leg_id = ${legId} and matched_at is null
    for update
  `.anyRow()

/** Lists the legs of recovered orders that this database knows and has not canceled. */
export const listLegsOfOrders = (sql: Sql, orders: readonly Pick<RecoveredOrder, 'legId'>[]): Promise<LegKey[]> =>
  sql<LegKey[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select platform_id, id
    from legs
    where id = any (${orders.map(({ legId }) => legId)}::uuid[]) and status <> 'CANCELLED'
    order by platform_id, subject_id, id
  `
