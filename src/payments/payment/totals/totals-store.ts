import type { Sql } from '../../../foundation/db/connect.ts'
import type { Fragment } from '../../../foundation/db/skipped.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import { isFromPayer } from '../from-payer-store.ts'
import { type Group, idsOf, type Metric, type Span, type SummaryRow, type Sums } from './totals-rules.ts'

/** The progress of counting the totals of a platform. Times are by the clock of the platform unless noted. */
export type Progress = {
  fromHour: Date
  toHour: Date
  isComplete: boolean
  /** The real time at which a request last read the totals. */
  seenAt: Date
  asOf: Date
}

/**
 * Requests the totals of a platform: inserts its progress row, or stores the time of the request there. Never waits for a running count.
 */
export async function wantTotals(
  sql: Sql,
  platformId: string,
  { hour, now, realNow }: { hour: Date; now: Date; realNow: Date },
): Promise<void> {
  const [known] = await sql<{ isRecent: boolean }[]>`
    select wanted_at > ${realNow}::timestamptz - interval '1 minute' as is_recent
    from payment_totals_progress
    where platform_id = ${platformId}
  `
  if (!known) {
    await sql`
      insert into payment_totals_progress (platform_id, from_hour, to_hour, is_complete, seen_at, as_of, wanted_at, next_at)
      values (${platformId}, ${hour}, ${hour}, false, ${realNow}, ${now}, ${realNow}, ${realNow})
      on conflict do nothing
    `
  } else if (!known.isRecent) {
    await sql`
      with free as (
        select platform_id from payment_totals_progress where platform_id = ${platformId} for update skip locked
      )
      update payment_totals_progress p set wanted_at = ${realNow} from free where p.platform_id = free.platform_id
    `
  }
}

export async function findProgress(sql: Sql, platformId: string): Promise<Progress | null> {
  const [row] = await sql<Progress[]>`
    select from_hour, to_hour, is_complete, seen_at, as_of from payment_totals_progress where platform_id = ${platformId}
  `
  return row ?? null
}

/** Locks the progress until the end of the transaction. Returns null while another process counts, or if there is no progress row. */
export async function lockProgress(sql: Sql, platformId: string): Promise<Progress | null> {
  const [row] = await sql<Progress[]>`
    select from_hour, to_hour, is_complete, seen_at, as_of
    from payment_totals_progress
    where platform_id = ${platformId}
    for update skip locked
  `
  return row ?? null
}

export async function updateProgress(
  sql: Sql,
  platformId: string,
  { fromHour, toHour, isComplete, seenAt, asOf }: Progress,
  nextAt: Date,
): Promise<void> {
  await sql`
    update payment_totals_progress
    set from_hour = ${fromHour}, to_hour = ${toHour}, is_complete = ${isComplete}, seen_at = ${seenAt}, as_of = ${asOf},
      next_at = ${nextAt}
    where platform_id = ${platformId}
  `
}

/** Returns the id of the payment that is `count` payments after (or before) an id. Returns null if there are fewer. */
export async function findIdAfter(sql: Sql, platformId: string, id: string, count: number): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from payments where platform_id = ${platformId} and id >= ${id} order by id offset ${count} limit 1
  `
  return row?.id ?? null
}

export async function findIdBefore(sql: Sql, platformId: string, id: string, count: number): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from payments where platform_id = ${platformId} and id < ${id} order by id desc offset ${count} limit 1
  `
  return row?.id ?? null
}

/**
 * Lists the hours whose payments changed at or after a moment of real time, and the last of these changes. Reads at most `limit` changes.
 */
export async function findChanges(
  sql: Sql,
  platformId: string,
  { after, limit }: { after: Date; limit: number },
): Promise<{ hours: Date[]; count: number; lastAt: Date | null }> {
  const rows = await sql<{ hour: Date; count: number; lastAt: Date }[]>`
    select ${hourOfId(sql, sql`payment_id`)} as hour, count(*) as count, max(real_at) as last_at
    from (
      select payment_id, real_at
      from payment_history
      where platform_id = ${platformId} and real_at >= ${after}
      order by real_at
      limit ${limit}
    ) changes
    group by 1
  `
  const count = rows.reduce((sum, row) => sum + row.count, 0)
  const lastAt = rows.reduce<Date | null>((last, row) => (last && last > row.lastAt ? last : row.lastAt), null)
  return { hours: rows.map(({ hour }) => hour), count, lastAt }
}

/** Returns the hour in which a payment was created, from its id (UUIDv7). */
const hourOfId = (sql: Sql, id: Fragment) =>
  sql`to_timestamp(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint / 3600000 * 3600)`

/** Counts again the payments that the platform sent in a span. */
export async function countSpan(sql: Sql, platformId: string, span: Span): Promise<void> {
  const { fromId, untilId } = idsOf(span)
  await sql`
    delete from payment_totals where platform_id = ${platformId} and hour >= ${span.from} and hour < ${span.until}
  `
  await sql`
    insert into payment_totals (platform_id, hour, status, rail, count, cents, debits_settled, debits_returned)
    select
      ${platformId}::uuid, ${hourOfId(sql, sql`p.id`)}, p.status,
      coalesce(p.rail, ''), count(*), sum(p.amount_cents), coalesce(sum(d.settled), 0), coalesce(sum(d.returned), 0)
    from payments p
    ${debitsOf(sql, platformId)}
    where p.platform_id = ${platformId} and p.id >= ${fromId} and p.id < ${untilId}
      and not ${isFromPayer(sql, platformId, 'p')}
    group by 2, 3, 4
  `
}

/** Returns the debits of a payment `p` that is no longer UNPAID. */
const debitsOf = (sql: Sql, platformId: string) => sql`
  left join lateral (
    select count(*) filter (where l.settled_at is not null) as settled, count(*) filter (where l.status = 'RETURNED') as returned
    from legs l
    where p.status <> 'UNPAID' and l.platform_id = ${platformId} and l.subject_id = p.id and l.purpose = 'payment_pull'
  ) d on true
`

const groupExpressions: Record<Group, (sql: Sql, timeZone: string) => Fragment> = {
  day: (sql, timeZone) => sql`to_char(t.hour at time zone ${timeZone}, 'YYYY-MM-DD')`,
  week: (sql, timeZone) => sql`to_char(date_trunc('week', t.hour at time zone ${timeZone}), 'YYYY-MM-DD')`,
  month: (sql, timeZone) => sql`to_char(t.hour at time zone ${timeZone}, 'YYYY-MM')`,
  rail: (sql) => sql`t.rail`,
  status: (sql) => sql`t.status`,
}

export type SumsRow = Sums & { key: string }

/** A period from `startDate` to `endDate`, both included, which are days in `timeZone`. */
export type Period = { startDate: string; endDate: string; timeZone: string }

const start = (sql: Sql, { startDate, timeZone }: Period) => sql`${startDate}::date::timestamp at time zone ${timeZone}`
const end = (sql: Sql, { endDate, timeZone }: Period) => sql`(${endDate}::date + 1)::timestamp at time zone ${timeZone}`

const sums = (sql: Sql) => sql`
  sum(t.count)::bigint as count, sum(t.cents)::bigint as cents,
  coalesce(sum(t.count) filter (where t.status = 'PAID'), 0)::bigint as paid,
  coalesce(sum(t.count) filter (where t.status in ('PAID', 'FAILED', 'REFUNDED', 'EXPIRED')), 0)::bigint as ended,
  sum(t.debits_settled)::bigint as debits_settled, sum(t.debits_returned)::bigint as debits_returned
`

/** Returns the counted totals of a platform in a period. */
const totalsOfPlatform = (sql: Sql, platformId: string, period: Period) => sql`
  from payment_totals t
  where t.platform_id = ${platformId} and t.hour >= ${start(sql, period)} and t.hour < ${end(sql, period)}
`

/** Returns the totals of the newest payments that one user sent, up to `limit`. Debits are read only on request. */
const totalsOfUser = (
  sql: Sql,
  { platformId, userId }: UserKey,
  { period, hasDebits, limit }: { period: Period; hasDebits: boolean; limit: number },
) => sql`
  from (
    select
      p.created_at as hour, p.status, coalesce(p.rail, '') as rail, 1 as count, p.amount_cents as cents,
      ${hasDebits ? sql`d.settled` : sql`0`} as debits_settled, ${hasDebits ? sql`d.returned` : sql`0`} as debits_returned
    from (
      select *
      from payments
      where platform_id = ${platformId} and sender_id = ${userId}
        and created_at >= ${start(sql, period)} and created_at < ${end(sql, period)}
      order by created_at desc, id desc
      limit ${limit}
    ) p
    ${hasDebits ? debitsOf(sql, platformId) : sql``}
  ) t
`

/** Returns sums by the keys of the group. */
const sumGroups = (sql: Sql, { group, period }: { group: Group; period: Period }, totals: Fragment) => sql<SumsRow[]>`
  select ${groupExpressions[group](sql, period.timeZone)} as key, ${sums(sql)} ${totals} group by 1 order by 1
`

export async function sumPlatform(
  sql: Sql,
  platformId: string,
  by: { group: Group; period: Period },
): Promise<SumsRow[]> {
  return sumGroups(sql, by, totalsOfPlatform(sql, platformId, by.period))
}

export async function sumUser(
  sql: Sql,
  user: UserKey,
  by: { metric: Metric; group: Group; period: Period; limit: number },
): Promise<SumsRow[]> {
  return sumGroups(sql, by, totalsOfUser(sql, user, { ...by, hasDebits: by.metric === 'return_rate' }))
}

/** Returns sums by day, status and rail. */
const summaryRows = (sql: Sql, { timeZone }: Period, totals: Fragment) => sql<SummaryRow[]>`
  select ${groupExpressions.day(sql, timeZone)} as day, t.status, t.rail, ${sums(sql)} ${totals} group by 1, 2, 3
`

export async function summarizePlatform(sql: Sql, platformId: string, period: Period): Promise<SummaryRow[]> {
  return summaryRows(sql, period, totalsOfPlatform(sql, platformId, period))
}

export async function summarizeUser(
  sql: Sql,
  user: UserKey,
  of: { period: Period; limit: number },
): Promise<SummaryRow[]> {
  return summaryRows(sql, of.period, totalsOfUser(sql, user, { ...of, hasDebits: true }))
}
