import type { ProcessorRail } from '../../foundation/core/connections.ts'
import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { notSkipped, type Skipped } from '../../foundation/db/skipped.ts'
import type { PayoutStatus } from './payout-status.ts'

export type PayoutKey = { platformId: string; legId: string }

/** The order of a leg at a processor. */
export type PayoutRow = PayoutKey & {
  connectionId: string
  rail: ProcessorRail
  cents: number
  status: PayoutStatus
  processorId: string | null
  /** The account at the processor from which the order was sent, or null. */
  accountMark: string | null
  /** The day (YYYY-MM-DD) on which the order was last sent, or null. */
  sentOn: string | null
  /** The time at which the processor answered the request to cancel the order, or null. */
  cancelAnsweredAt: Date | null
  nextAt: Date | null
  tries: number
  unknownSince: Date | null
  paidAt: Date | null
  feeCents: number | null
  lastProblem: string | null
  createdAt: Date
}

const columns = (sql: Sql) => sql`
  platform_id, leg_id, connection_id, rail, cents, status, processor_id, account_mark, sent_on::text as sent_on, cancel_answered_at,
  next_at, tries, unknown_since, paid_at, fee_cents, last_problem, created_at
`

/** Inserts the order of a leg. @returns false if the leg already has one */
export async function insertPayout(
  sql: Sql,
  {
    platformId,
    legId,
    connectionId,
    rail,
    cents,
    now,
  }: Pick<PayoutRow, 'platformId' | 'legId' | 'connectionId' | 'rail' | 'cents'> & { now: Date },
): Promise<boolean> {
  const result = await sql`
    insert into payouts (platform_id, leg_id, connection_id, rail, cents, status, next_at, created_at)
    values (${platformId}, ${legId}, ${connectionId}, ${rail}, ${cents}, 'READY', ${now}, ${now})
    on conflict (platform_id, leg_id) do nothing
  `
  return result.count === 1
}

/** Finds and locks the order of a leg. If the caller will also change the leg, it must have locked the subject of the leg. */
export const lockPayout = (sql: Sql, { platformId, legId }: PayoutKey): Promise<PayoutRow | null> =>
  sql<PayoutRow[]>`
    select ${columns(sql)}
    from payouts
    where platform_id = ${platformId} and leg_id = ${legId}
    for update
  `.first()

/** Lists the orders of a connection that are due, longest due first. Platforms take turns, so that many orders of one delay no other. */
export const listDuePayouts = (
  sql: Sql,
  { connectionId, now, skipped, limit }: { connectionId: string; now: Date; skipped: Skipped; limit: number },
): Promise<PayoutRow[]> =>
  sql<PayoutRow[]>`
    ${allPlatforms('finds work')}
    select ${columns(sql)}
    from payouts
    where connection_id = ${connectionId} and next_at <= ${now} ${notSkipped(sql, skipped, { id: sql`leg_id` })}
    order by row_number() over (partition by platform_id order by next_at, leg_id), next_at, leg_id
    limit ${limit}
  `

/** Sums the other orders of an order's connection that were last sent on a day (YYYY-MM-DD) and were not refused. */
export async function sumSentOn(
  sql: Sql,
  { connectionId, legId }: Pick<PayoutRow, 'connectionId' | 'legId'>,
  day: string,
): Promise<number> {
  const [row] = await sql<{ cents: number }[]>`
    ${allPlatforms('finds work')}
    select coalesce(sum(cents), 0)::bigint as cents
    from payouts
    where connection_id = ${connectionId} and leg_id <> ${legId} and sent_on = ${day}::date
      and status not in ('REJECTED', 'CANCELED')
  `
  return row?.cents ?? 0
}

/** Returns whether an order of a connection that was created before a time was not taken for a reason when it was last sent. */
export const hasWaiting = (
  sql: Sql,
  { connectionId, lastProblem, createdBefore }: { connectionId: string; lastProblem: string; createdBefore: Date },
): Promise<boolean> =>
  sql`
    ${allPlatforms('finds work')}
    select
    from payouts
    where connection_id = ${connectionId} and status in ('READY', 'UNKNOWN') and last_problem = ${lastProblem}
      and created_at <= ${createdBefore}
    limit 1
  `.anyRow()

/** The order that an event names: by our reference, or by the processor's id. */
export type EventSubjectRow = { kind: 'reference' | 'processor_id'; subject: string }

/** Stores an event until the worker handles it. A repeated event replaces the earlier one. */
export async function insertProcessorEvent(
  sql: Sql,
  { connectionId, kind, subject, now }: EventSubjectRow & { connectionId: string; now: Date },
): Promise<void> {
  await sql`
    insert into processor_events (connection_id, kind, subject, received_at)
    values (${connectionId}, ${kind}, ${subject}, ${now})
    on conflict (connection_id, kind, subject) do update
    set received_at = excluded.received_at
  `
}

export const listProcessorEvents = (
  sql: Sql,
  connectionId: string,
): Promise<(EventSubjectRow & { receivedAt: Date })[]> =>
  sql<(EventSubjectRow & { receivedAt: Date })[]>`
    select kind, subject, received_at
    from processor_events
    where connection_id = ${connectionId}
    order by received_at, kind, subject
    limit 1000
  `

/** Deletes an event that was handled, unless it arrived again in the meantime. */
export async function deleteProcessorEvent(
  sql: Sql,
  connectionId: string,
  { kind, subject, receivedAt }: EventSubjectRow & { receivedAt: Date },
): Promise<void> {
  await sql`
    delete from processor_events
    where connection_id = ${connectionId} and kind = ${kind} and subject = ${subject} and received_at = ${receivedAt}
  `
}

/** Finds the orders of a connection that events name. */
export const listPayoutsOfEvents = (
  sql: Sql,
  { connectionId, references, processorIds }: { connectionId: string; references: string[]; processorIds: string[] },
): Promise<PayoutKey[]> =>
  sql<PayoutKey[]>`
    ${allPlatforms('finds work')}
    select platform_id, leg_id
    from payouts
    where connection_id = ${connectionId}
      and (leg_id = any (${references}::uuid[]) or processor_id = any (${processorIds}::text[]))
  `

type Change = Omit<PayoutRow, keyof PayoutKey | 'connectionId' | 'rail' | 'cents' | 'createdAt'>

/** Changes an order. @returns false if its status is no longer that of `from` */
export async function updatePayout(
  sql: Sql,
  { platformId, legId }: PayoutKey,
  { from, ...change }: Change & { from: readonly PayoutStatus[] },
): Promise<boolean> {
  const result = await sql`
    update payouts
    set
      status = ${change.status}, processor_id = ${change.processorId}, next_at = ${change.nextAt}::timestamptz, tries = ${change.tries},
      account_mark = ${change.accountMark}, sent_on = ${change.sentOn}::date,
      cancel_answered_at = ${change.cancelAnsweredAt}::timestamptz, unknown_since = ${change.unknownSince}::timestamptz, paid_at = ${change.paidAt}::timestamptz,
      fee_cents = ${change.feeCents}::bigint, last_problem = ${change.lastProblem}
    where platform_id = ${platformId} and leg_id = ${legId} and status = any (${from as PayoutStatus[]})
  `
  return result.count === 1
}

/**
 * Makes the next question about an order due now, if its status allows one. This includes ended orders: a paid order can be returned, and
 * a canceled one can be paid after all.
 */
export async function updateAskedNow(sql: Sql, { platformId, legId }: PayoutKey, now: Date): Promise<void> {
  await sql`
    update payouts
    set next_at = ${now}, tries = case when next_at is null then 0 else tries end
    where platform_id = ${platformId} and leg_id = ${legId} and status not in ('READY', 'SENDING')
      and (next_at > ${now} or (next_at is null and status in ('PAID', 'REJECTED', 'RETURNED', 'CANCELED')))
  `
}

/** An order for the operator. `isStopping`: its payment is being voided. */
export type ListedPayout = Pick<
  PayoutRow,
  | 'platformId'
  | 'legId'
  | 'connectionId'
  | 'rail'
  | 'cents'
  | 'status'
  | 'processorId'
  | 'nextAt'
  | 'lastProblem'
  | 'createdAt'
> & { paymentId: string; isStopping: boolean }

/** Lists orders: those that have not ended, oldest first, or all, newest first. */
export const listPayouts = (
  sql: Sql,
  { connectionId, includesEnded, limit }: { connectionId: string | null; includesEnded: boolean; limit: number },
): Promise<ListedPayout[]> =>
  sql<ListedPayout[]>`
    ${allPlatforms('serves the operator')}
    select
      p.platform_id, p.leg_id, p.connection_id, p.rail, p.cents, p.status, p.processor_id, p.next_at, p.last_problem, p.created_at,
      l.subject_id as payment_id, l.status = 'STOPPING' as is_stopping
    from payouts p
    join legs l on l.platform_id = p.platform_id and l.id = p.leg_id
    where ${connectionId === null ? sql`true` : sql`p.connection_id = ${connectionId}`}
      and ${includesEnded ? sql`true` : sql`p.next_at is not null and p.status not in ('PAID', 'REJECTED', 'RETURNED', 'CANCELED')`}
    order by ${includesEnded ? sql`p.created_at desc, p.leg_id` : sql`p.created_at, p.leg_id`}
    limit ${limit}
  `
