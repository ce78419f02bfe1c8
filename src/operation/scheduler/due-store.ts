import { join, raw } from 'sql-template-tag'
import type { Silence } from '../../connections/exchange/silence-actions.ts'
import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import { commonPlatform, listPlatformsOfRows, runByPlatform } from '../../foundation/db/cluster/by-platform.ts'
import { listPlatformsWith, type PlatformTurn } from '../../foundation/db/cluster/list-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { type Fragment, notSkipped, type Skipped } from '../../foundation/db/skipped.ts'
import type { DueLeg } from '../../money/rail/leg-store.ts'
import { type DueItem, type DueSource, dueSources } from './due-table.ts'

const PLATFORMS_PER_PASS = 200

/** Returns the limit as a literal. With a parameter, PostgreSQL would plan the statement on each call once there are many rows. */
const atMost200 = (sql: Sql) => sql`limit 200`

export type DuePlatforms = {
  platformIds: string[]
  /** Whether more rows are due than were read, so that platforms may be missing. `listDuePlatformsInOrder` then finds them. */
  hasMore: boolean
}

type PlatformQuery = { now: Date; hasMovableClock: boolean; silence: Silence | null; skipped: Skipped }

const sources: DueSource[] = Object.values(dueSources)

/** Renders a part of a statement for each source. */
const forEachSource = (render: (source: DueSource) => Fragment, separator: string): Fragment =>
  join(sources.map(render), separator)

/** Returns the banks whose files were all read, as rows (id, at): all files of the bank until `at` are read. */
const heardBanks = (sql: Sql, { heardUntil }: Silence): Fragment => sql`
  unnest(
    ${[...heardUntil.keys()]}::text[], ${[...heardUntil.values()].map((at) => at.toISOString())}::timestamptz[]
  ) as heard (id, at)
`

/**
 * Returns the conditions for rows whose work does not depend on unread files of a bank, or whose bank was read until
 * they were due.
 */
const ifHeard: Record<
  NonNullable<DueSource['reliesOnSilence']>,
  (sql: Sql, banks: Fragment, platformId: Fragment) => Fragment
> = {
  trust: (sql, banks) => sql`
    next_event <> 'trust' or connection_id is null
    or exists (select 1 from ${banks} where heard.id = legs.connection_id and heard.at >= legs.next_at)
  `,
  // The bank may have paid a check that was printed. The subquery counts, because PostgreSQL then reads only the legs of this payment, not
  // those of all platforms.
  'expiry of checks': (sql, banks, platformId) => sql`
    status = 'UNPAID' or (
      select count(*)
      from legs l
      where l.platform_id = ${platformId} and l.subject_id = payments.id and l.rail in ('MAIL', 'PRINT')
        and l.connection_id is not null
        and not exists (select 1 from ${banks} where heard.id = l.connection_id and heard.at >= payments.expires_at)
    ) = 0
  `,
}

type DueCondition = { until: Date | Fragment; silence: Silence | null; platformId?: Fragment }

/** Returns the condition for the due rows of a source. `platformId`: the platform of all rows, if it is known. */
export const isDue = (
  sql: Sql,
  { at, when, reliesOnSilence }: DueSource,
  { until, silence, platformId = sql`payments.platform_id` }: DueCondition,
): Fragment => sql`
  ${sql(at)} <= ${until} ${when ? sql`and ${raw(when)}` : sql``}
  ${reliesOnSilence && silence && !silence.isComplete ? sql`and (${ifHeard[reliesOnSilence](sql, heardBanks(sql, silence), platformId)})` : sql``}
`

/** Lists at most 200 platforms with due work. Work is due by real time. On a platform with a moved clock, it is due by that clock. */
export async function listDuePlatforms(sql: Sql, query: PlatformQuery): Promise<DuePlatforms> {
  const { now, hasMovableClock, silence, skipped } = query
  const clockTime = sql`(${now}::timestamptz + make_interval(secs => c.offset_ms / 1000.0))`
  const ahead = sql`
    union
    select c.platform_id, false
    from platform_clocks c
    where c.offset_ms > 0 and c.advancing_to is null ${notSkipped(sql, skipped, { platformId: sql`c.platform_id`, id: null })}
      and ${hasDueWork(sql, { platformId: sql`c.platform_id`, until: clockTime, silence, skipped })}
  `
  const dueRows = (source: DueSource) => sql`
    (
      select platform_id, count(*) over () = ${PLATFORMS_PER_PASS} as has_more
      from (
        select platform_id
        from ${sql(source.table)}
        where ${isDue(sql, source, { until: now, silence })} ${notSkipped(sql, skipped)}
        ${atMost200(sql)}
      ) due_rows
    )
  `
  const rows = await sql<{ platformId: string; hasMore: boolean }[]>`
    ${allPlatforms('finds work')}
    select platform_id, bool_or(has_more) as has_more
    from (${forEachSource(dueRows, ' union ')} ${hasMovableClock ? ahead : sql``}) due
    group by platform_id
    ${atMost200(sql)}
  `
  return {
    platformIds: rows.map(({ platformId }) => platformId),
    hasMore: rows.length === PLATFORMS_PER_PASS || rows.some(({ hasMore }) => hasMore),
  }
}

/** Lists the platforms with due work after `after`, sorted by id. */
export function listDuePlatformsInOrder(
  deps: { sql: Sql; isDistributed: boolean },
  { after, limit, ...query }: PlatformQuery & { after: string | null; limit: number },
): Promise<string[]> {
  const { sql } = deps
  const isServed = notSkipped(sql, { ...query.skipped, ids: [] })
  return listPlatformsOfRows(
    sql,
    { after, limit },
    (turn) => {
      const waitingRows = ({ table, at, when }: DueSource) => sql`
        (
          select platform_id
          from ${sql(table)}
          where ${sql(at)} is not null ${when ? sql`and ${raw(when)}` : sql``} and platform_id > ${turn.after} ${isServed}
          order by platform_id
          ${turn.atMost}
        )
      `
      return sql<{ platformId: string }[]>`
        ${allPlatforms('finds work')}
        select platform_id
        from (${forEachSource(waitingRows, ' union all ')}) waiting
        order by platform_id
        ${turn.atMost}
      `
    },
    async (platformIds) => {
      const waiting = platformIds.map((platformId) => ({ platformId }))
      const due = await runByPlatform(deps, waiting, (own) => keepDuePlatforms(sql, own, query))
      return due.toSorted()
    },
  )
}

/** Returns the platforms that have due work. */
async function keepDuePlatforms(
  sql: Sql,
  waiting: { platformId: string }[],
  { now, hasMovableClock, silence, skipped }: PlatformQuery,
): Promise<string[]> {
  const common = commonPlatform(waiting)
  const platformId: Fragment = common ? sql`${common}::uuid` : sql`w.platform_id`
  const until: Fragment = hasMovableClock ? platformNow(sql, now, platformId) : sql`${now}::timestamptz`
  const rows = await sql<{ platformId: string }[]>`
    select w.platform_id
    from unnest(${waiting.map((one) => one.platformId)}::uuid[]) w (platform_id)
    where ${hasDueWork(sql, { platformId, until, silence, skipped })}
      ${notSkipped(sql, skipped, { platformId: sql`w.platform_id`, id: null })}
  `
  return rows.map((row) => row.platformId)
}

/** Returns the time of a platform. While its clock is being advanced, this is real time, because `advanceClocks` does the other work. */
const platformNow = (sql: Sql, now: Date, platformId: Fragment): Fragment => sql`
  (
    ${now}::timestamptz + coalesce(
      (
        select make_interval(secs => k.offset_ms / 1000.0)
        from platform_clocks k
        where k.platform_id = ${platformId} and k.advancing_to is null
      ),
      interval '0'
    )
  )
`

function hasDueWork(
  sql: Sql,
  {
    platformId,
    skipped,
    ...given
  }: { platformId: Fragment; until: Fragment; silence: Silence | null; skipped: Skipped },
): Fragment {
  // If a statement on a table does not name platforms, Citus asks the nodes of all platforms.
  const isServed = notSkipped(sql, { ...skipped, platformIds: [] })
  const exists = (source: DueSource) => sql`
    exists (
      select 1 from ${sql(source.table)}
      where platform_id = ${platformId} and ${isDue(sql, source, given)} ${isServed}
    )
  `
  return sql`(${forEachSource(exists, ' or ')})`
}

/** Selects items of a platform up to an instant, except those that failed recently. `isOneInstant`: only those that are due first. */
export type DueQuery = {
  platformId: string
  until: Date
  limit: number
  except: string[]
  silence: Silence | null
  isOneInstant: boolean
}

/** Lists the items of a source that are due first. */
export async function listDueItems(
  sql: Sql,
  source: DueSource,
  { platformId, limit, except, isOneInstant, ...given }: DueQuery,
): Promise<DueItem[]> {
  const { table, at, columns = '', order = 'id', onePer } = source
  const due = sql`
    platform_id = ${platformId} and ${isDue(sql, source, { ...given, platformId: sql`${platformId}::uuid` })} and id <> all (${except})
  `
  const first = isOneInstant ? sql`and ${sql(at)} = (select min(${sql(at)}) from ${sql(table)} where ${due})` : sql``
  const items = await sql<(DueItem & DueLeg)[]>`
    select *
    from (
      select platform_id, id, ${columns ? sql`${raw(columns)},` : sql``} ${sql(at)} as due_at
      from ${sql(table)}
      where ${due} ${first}
      order by ${isOneInstant ? raw(order) : sql(at)}
      limit ${limit}
    ) due_items
    order by ${raw(order)}
  `
  if (!onePer) return items
  return [...Map.groupBy(items, (item) => item[onePer]).values()].map((some) => earliestOf(some))
}

/** The first of the items that are due first. */
export const earliestOf = (items: readonly DueItem[]): DueItem =>
  items.reduce((first, item) => (item.dueAt < first.dueAt ? item : first))

/** Locks a platform for this worker until the end of the transaction. @returns whether the lock was free */
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

/** Starts to advance a clock, unless it is already being advanced to a later time. @returns its target */
export async function upsertAdvancingTo(sql: Sql, platformId: string, target: Date): Promise<void> {
  await sql`
    insert into platform_clocks as c (platform_id, advancing_to)
    values (${platformId}, ${target})
    on conflict (platform_id) do update
    set advancing_to = greatest(c.advancing_to, excluded.advancing_to)
  `
}

/** Moves the clock of a platform forward. It never goes backward. */
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

/** Lists advancing clocks, sorted by platform, after `after`. */
export const listAdvancingClocks = (sql: Sql, turn: PlatformTurn): Promise<string[]> =>
  listPlatformsWith(sql, 'platform_clocks', { ...turn, where: sql`advancing_to is not null` })
