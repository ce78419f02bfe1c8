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
  status: PayoutStatus
  processorId: string | null
  nextAt: Date | null
  tries: number
  unknownSince: Date | null
  paidAt: Date | null
  feeCents: number | null
  lastProblem: string | null
  createdAt: Date
}

const columns = (sql: Sql) => sql`
  platform_id, leg_id, connection_id, rail, status, processor_id, next_at, tries, unknown_since, paid_at, fee_cents, last_problem,
  created_at
`

/** Inserts the order of a leg. @returns false if the leg already has one */
export async function insertPayout(
  sql: Sql,
  {
    platformId,
    legId,
    connectionId,
    rail,
    now,
  }: Pick<PayoutRow, 'platformId' | 'legId' | 'connectionId' | 'rail'> & { now: Date },
): Promise<boolean> {
  const result = await sql`
    insert into payouts (platform_id, leg_id, connection_id, rail, status, next_at, created_at)
    values (${platformId}, ${legId}, ${connectionId}, ${rail}, 'READY', ${now}, ${now})
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

/** Lists the orders of a connection that are due, longest due first. */
export const listDuePayouts = (
  sql: Sql,
  { connectionId, now, skipped, limit }: { connectionId: string; now: Date; skipped: Skipped; limit: number },
): Promise<PayoutRow[]> =>
  sql<PayoutRow[]>`
    ${allPlatforms('finds work')}
    select ${columns(sql)}
    from payouts
    where connection_id = ${connectionId} and next_at <= ${now} ${notSkipped(sql, skipped, { id: sql`leg_id` })}
    order by next_at, leg_id
    limit ${limit}
  `

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

type Change = Omit<PayoutRow, keyof PayoutKey | 'connectionId' | 'rail' | 'createdAt'>

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
      unknown_since = ${change.unknownSince}::timestamptz, paid_at = ${change.paidAt}::timestamptz,
      fee_cents = ${change.feeCents}::bigint, last_problem = ${change.lastProblem}
    where platform_id = ${platformId} and leg_id = ${legId} and status = any (${from as PayoutStatus[]})
  `
  return result.count === 1
}

/**
 * Makes the next question about an order due now, if its status allows one. A paid order can be returned even after the daily questions
 * have ended.
 */
export async function updateAskedNow(sql: Sql, { platformId, legId }: PayoutKey, now: Date): Promise<void> {
  await sql`
    update payouts
    set next_at = ${now}
    where platform_id = ${platformId} and leg_id = ${legId} and status not in ('READY', 'SENDING')
      and (next_at > ${now} or (next_at is null and status = 'PAID'))
  `
}
