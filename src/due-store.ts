import type { Sql } from './db/connect.ts'

/** In the text of the statement: as a parameter it would have PostgreSQL plan each time anew once there are many rows. */
const atMost200 = (sql: Sql) => sql`limit 200`

/** Platforms on which something is due, 200 at most: by real time, and those that are ahead of it by their own. */
export async function listDuePlatforms(
  sql: Sql,
  { now, hasMovableClock }: { now: Date; hasMovableClock: boolean },
): Promise<string[]> {
  const ahead = sql`
    union
    select c.platform_id
    from platform_clocks c
    where c.offset_ms > 0 and c.advancing_to is null and (
      exists (
        select 1 from legs l
        where l.platform_id = c.platform_id and l.next_at <= ${now}::timestamptz + platform_offset(c.platform_id)
      ) or exists (
        select 1 from payments p
        where p.platform_id = c.platform_id and p.status in ('UNPAID', 'PRINTED', 'MAILED')
          and p.expires_at <= ${now}::timestamptz + platform_offset(c.platform_id)
      ) or exists (
        select 1 from payments p
        where p.platform_id = c.platform_id and p.refund_at <= ${now}::timestamptz + platform_offset(c.platform_id)
      ) or exists (
        select 1 from banks b
        where b.platform_id = c.platform_id and b.status = 'PENDING' and b.deleted_at is null
          and b.lapses_at <= ${now}::timestamptz + platform_offset(c.platform_id)
      )
    )
  `
  const rows = await sql<{ platformId: string }[]>`
    select platform_id
    from (
      (select platform_id from legs where next_at <= ${now} ${atMost200(sql)})
      union
      (
        select platform_id from payments
        where expires_at <= ${now} and status in ('UNPAID', 'PRINTED', 'MAILED')
        ${atMost200(sql)}
      )
      union
      (select platform_id from payments where refund_at <= ${now} ${atMost200(sql)})
      union
      (select platform_id from banks where status = 'PENDING' and deleted_at is null and lapses_at <= ${now} ${atMost200(sql)})
      ${hasMovableClock ? ahead : sql``}
    ) due
    ${atMost200(sql)}
  `
  return rows.map(({ platformId }) => platformId)
}

/** Keeps other workers from a platform until the end of the transaction. @returns whether none has it */
export async function tryLockPlatform(sql: Sql, platformId: string): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('due work of ' || ${platformId}::text, 0)) as is_locked
  `
  return row?.isLocked ?? false
}

export type ClockRow = { platformId: string; offsetMs: number; advancingTo: Date | null }

export async function findPlatformClock(sql: Sql, platformId: string): Promise<ClockRow> {
  const [row] = await sql<ClockRow[]>`
    select platform_id, offset_ms, advancing_to
    from platform_clocks
    where platform_id = ${platformId}
  `
  return row ?? { platformId, offsetMs: 0, advancingTo: null }
}

/** Sends a clock on its way, unless it is on the way to a later time. @returns where it goes now */
export async function upsertAdvancingTo(sql: Sql, platformId: string, target: Date): Promise<void> {
  await sql`
    insert into platform_clocks as c (platform_id, advancing_to)
    values (${platformId}, ${target})
    on conflict (platform_id) do update
    set advancing_to = greatest(c.advancing_to, excluded.advancing_to)
  `
}

/** Never backwards. */
export async function updateOffset(
  sql: Sql,
  platformId: string,
  { offsetMs, hasArrived }: { offsetMs: number; hasArrived: boolean },
): Promise<void> {
  await sql`
    update platform_clocks
    set
      offset_ms = greatest(offset_ms, ${Math.max(0, Math.round(offsetMs))}),
      advancing_to = case when ${hasArrived} then null else advancing_to end
    where platform_id = ${platformId}
  `
}

export async function listAdvancingClocks(sql: Sql, limit: number): Promise<(ClockRow & { advancingTo: Date })[]> {
  return sql<(ClockRow & { advancingTo: Date })[]>`
    select platform_id, offset_ms, advancing_to
    from platform_clocks
    where advancing_to is not null
    order by advancing_to
    limit ${limit}
  `
}
