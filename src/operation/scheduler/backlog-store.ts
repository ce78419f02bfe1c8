import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { isDue } from './due-store.ts'
import { dueSources } from './due-table.ts'

/** The kinds of work that can be overdue. `outbox`: messages between platforms. */
export const KINDS_OF_WORK = ['webhooks', 'legs', 'mail', 'outbox'] as const

/** Overdue work: the number of items, and the time for which the oldest has been due. */
export type Backlog = Record<(typeof KINDS_OF_WORK)[number], Overdue>

type Overdue = { count: number; oldestSeconds: number }

/** The maximum count. Counting stops here, so that it stays an index scan even if much work is due. */
const MAX_COUNTED = 10_000

/** Counts overdue work by the time of each platform. Leased endpoints are included, because their work is not done. */
export async function findBacklog(sql: Sql, now: Date): Promise<Backlog> {
  const isLegDue = isDue(sql, dueSources.leg, { until: now, silence: null })
  const [row] = await sql<{ webhooks: number; webhookSeconds: number; legs: number; legSeconds: number }[]>`
    ${allPlatforms('counts waiting work')}
    select
      (
        select count(*)
        from (
          select 1
          from endpoints e
          cross join lateral (
            select 1
            from deliveries d
            where d.platform_id = e.platform_id and d.endpoint_id = e.id and d.status = 'PENDING'
              and d.next_attempt_at <= ${now}::timestamptz + platform_offset_v1(e.platform_id)
            limit ${MAX_COUNTED}
          ) due
          where e.removed_at is null
          limit ${MAX_COUNTED}
        ) all_due
      ) as webhooks,
      (
        select coalesce(extract(epoch from max(late.late)), 0)::float
        from endpoints e
        cross join lateral (
          select ${now}::timestamptz + platform_offset_v1(e.platform_id) - min(d.next_attempt_at) as late
          from deliveries d
          where d.platform_id = e.platform_id and d.endpoint_id = e.id and d.status = 'PENDING'
            and d.next_attempt_at <= ${now}::timestamptz + platform_offset_v1(e.platform_id)
        ) late
        where e.removed_at is null
      ) as webhook_seconds,
      (select count(*) from (select 1 from legs where ${isLegDue} limit ${MAX_COUNTED}) due) as legs,
      (
        select coalesce(extract(epoch from ${now}::timestamptz - min(next_at)), 0)::float
        from legs
        where ${isLegDue}
      ) as leg_seconds
  `
  const { webhooks = 0, webhookSeconds = 0, legs = 0, legSeconds = 0 } = row ?? {}
  return {
    webhooks: { count: webhooks, oldestSeconds: webhookSeconds },
    legs: { count: legs, oldestSeconds: legSeconds },
    mail: await findOverdueMail(sql, now),
    outbox: await findOldMessages(sql, now),
  }
}

async function findOverdueMail(sql: Sql, now: Date): Promise<Overdue> {
  const [row] = await sql<Overdue[]>`
    select
      (
        select count(*)
        from (select 1 from mails where status = 'PENDING' and next_attempt_at <= ${now} limit ${MAX_COUNTED}) due
      ) as count,
      (
        select coalesce(extract(epoch from ${now}::timestamptz - min(next_attempt_at)), 0)::float
        from mails
        where status = 'PENDING' and next_attempt_at <= ${now}
      ) as oldest_seconds
  `
  return row as Overdue
}

/** Counts messages that were not applied. Messages are deleted when they are applied, so all remaining messages are due. */
async function findOldMessages(sql: Sql, now: Date): Promise<Overdue> {
  const [row] = await sql<Overdue[]>`
    ${allPlatforms('counts waiting work')}
    select
      (select count(*) from (select 1 from outbox limit ${MAX_COUNTED}) waiting) as count,
      (
        select greatest(0, coalesce(extract(epoch from ${now}::timestamptz - min(created_at)), 0))::float
        from outbox
      ) as oldest_seconds
  `
  return row as Overdue
}
