import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { clockOf } from '../../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { addDays, businessDate, DAY_MS } from '../../../foundation/lib/clock.ts'
import { lowestIdOf } from '../../../foundation/lib/ids.ts'
import { findAskedUserId } from '../../../people/user/user-actions.ts'
import {
  addHours,
  type Group,
  hourOf,
  hourOfId,
  keysOf,
  type Metric,
  rateOf,
  type Span,
  type Summary,
  type Sums,
  summarize,
  sumOf,
} from './totals-rules.ts'
import {
  countSpan,
  findChanges,
  findIdAfter,
  findIdBefore,
  findProgress,
  lockProgress,
  type Period,
  type Progress,
  summarizePlatform,
  summarizeUser,
  sumPlatform,
  sumUser,
  updateProgress,
  wantTotals,
} from './totals-store.ts'

/** The number of payments that one pass counts forward and backward in time, rounded up to whole hours. */
const PAYMENTS_PER_PASS = 20_000
const CHANGES_PER_PASS = 50_000
/** The delay in milliseconds after which a payment or a change can still become visible. */
const LATENESS_MS = 60_000
const REFRESH_MS = 10_000
/** The age in milliseconds above which a request refreshes the totals. */
const STALE_MS = 1_000
const MAX_DAYS = 731

export type StatsQuery = { metric: Metric; group: Group; startDate?: string; endDate?: string; userId?: string }

export type Stats = {
  period: Period
  /** The time of the count, by the clock of the platform. */
  asOf: Date
  /** Whether all payments of the period are counted. */
  isComplete: boolean
  points: (Sums & { key: string; rate: number | null })[]
  total: Sums & { rate: number | null }
}

/**
 * Returns the statistics of payments that a platform, or one of its users, created in a period. Without dates, the period is the last 30
 * days.
 *
 * @throws ApiError invalid_request, user_not_found
 */
export async function getStats(deps: Deps, caller: Caller, query: StatsQuery): Promise<Stats> {
  const period = periodOf(deps, query)
  const userId = await findAskedUserId(deps, caller, query.userId)
  const { rows, asOf, isComplete } = await (userId === null
    ? countedSums(deps, caller.platformId, (sql, id) => sumPlatform(sql, id, { ...query, period }))
    : userSums(deps, (sql) => sumUser(sql, { platformId: caller.platformId, userId }, { ...query, ...newest(period) })))
  const sums = new Map(rows.map((row) => [row.key, row]))
  const keys = keysOf(query.group, period) ?? [...sums.keys()]
  const points = keys.map((key) => sums.get(key) ?? { ...sumOf([]), key })
  const withRate = <Row extends Sums>(row: Row) => ({ ...row, rate: rateOf(query.metric, row) })
  return { period, asOf, isComplete, points: points.map(withRate), total: withRate(sumOf(rows)) }
}

/** Returns the figures of the page Home: the payments of the last 30 days, all counted at the same time. @throws ApiError user_not_found */
export async function getSummary(
  deps: Deps,
  caller: Caller,
  wanted: string | undefined,
): Promise<Summary & Omit<Stats, 'points' | 'total'>> {
  const period = periodOf(deps, {})
  const userId = await findAskedUserId(deps, caller, wanted)
  const { rows, ...counted } = await (userId === null
    ? countedSums(deps, caller.platformId, (sql, id) => summarizePlatform(sql, id, period))
    : userSums(deps, (sql) => summarizeUser(sql, { platformId: caller.platformId, userId }, newest(period))))
  return { ...summarize(rows, period), ...counted, period }
}

function periodOf(
  { clock, settings }: Deps,
  { startDate, endDate }: Pick<StatsQuery, 'startDate' | 'endDate'>,
): Period {
  const { timeZone } = settings
  const last = endDate ?? businessDate(clock.now(), timeZone)
  const first = startDate ?? addDays(new Date(last), -29).toISOString().slice(0, 10)
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
  if (days < 1) throw invalid('end_date', 'is before start_date')
  if (days > MAX_DAYS) throw invalid('start_date', `is more than ${MAX_DAYS} days before end_date`)
  return { startDate: first, endDate: last, timeZone }
}

const invalid = (field: string, message: string) => new ApiError('invalid_request', { fields: { [field]: [message] } })

type Counted<Row> = { rows: Row[]; asOf: Date; isComplete: boolean }

/** Refreshes the totals of a platform and reads sums of them. */
async function countedSums<Row>(
  deps: Deps,
  platformId: string,
  read: (sql: Deps['sql'], platformId: string) => Promise<Row[]>,
): Promise<Counted<Row>> {
  const [now, realNow] = [deps.clock.now(), deps.realClock.now()]
  await wantTotals(deps.sql, platformId, { hour: hourOf(now), now, realNow })
  const before = (await findProgress(deps.sql, platformId)) as Progress
  const isCounted = before.toHour > before.fromHour
  if (!isCounted || now.getTime() - before.asOf.getTime() >= STALE_MS) {
    // If the refresh fails, the earlier totals are shown with their time (`asOf`).
    await refreshTotals(deps, platformId).catch((error) =>
      deps.log.warn({ err: error, platform: platformId }, 'payments not counted'),
    )
  }
  // The progress is read before the sums, because another process may finish counting between the two statements.
  const { asOf, isComplete } = (await findProgress(deps.sql, platformId)) as Progress
  return { rows: await read(deps.sql, platformId), asOf, isComplete }
}

/** Selects the newest payments of a user in a period. */
const newest = (period: Period) => ({ period, limit: PAYMENTS_PER_PASS })

/** Reads sums of the payments of a user. */
async function userSums<Row extends Sums>(
  deps: Deps,
  read: (sql: Deps['sql']) => Promise<Row[]>,
): Promise<Counted<Row>> {
  const rows = await read(deps.sql)
  return { rows, asOf: deps.clock.now(), isComplete: sumOf(rows).count < PAYMENTS_PER_PASS }
}

/**
 * Counts the new and changed payments of a platform, and a part of those that were never counted. Only one process does this at a time.
 *
 * @returns whether more payments can be counted now
 */
export function refreshTotals(deps: Deps, platformId: string): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    const progress = await lockProgress(tx.sql, platformId)
    if (!progress) return false
    const now = (await clockOf(tx, platformId)).now()
    const realNow = tx.realClock.now()
    const recent = await newSpan(tx.sql, platformId, progress, now)
    await countSpan(tx.sql, platformId, recent)
    const changed = await recountChanges(tx.sql, platformId, { ...progress, until: recent.from, realNow })
    const past = progress.isComplete ? null : await pastSpan(tx.sql, platformId, progress)
    if (past) await countSpan(tx.sql, platformId, past)
    const after: Progress = {
      fromHour: past?.from ?? progress.fromHour,
      toHour: recent.until,
      isComplete: progress.isComplete || past?.from.getTime() === 0,
      seenAt: changed.seenAt,
      asOf: recent.until < now ? recent.until : now,
    }
    const hasMore = !after.isComplete || recent.until <= now || changed.hasMore
    await updateProgress(tx.sql, platformId, after, new Date(realNow.getTime() + (hasMore ? 0 : REFRESH_MS)))
    return hasMore
  })
}

type Sql = Parameters<typeof countSpan>[0]

/** Returns the hours since the last count, and those that had not ended at the last count. */
async function newSpan(sql: Sql, platformId: string, { fromHour, toHour, asOf }: Progress, now: Date): Promise<Span> {
  const open = hourOf(new Date(asOf.getTime() - LATENESS_MS))
  const from = latest(fromHour, open < toHour ? open : toHour)
  const next = await findIdAfter(sql, platformId, lowestIdOf(from), PAYMENTS_PER_PASS)
  const until = next === null ? addHours(hourOf(now), 1) : hourOfId(next)
  return { from, until: latest(until, toHour, addHours(from, 1)) }
}

const latest = (...times: Date[]): Date => new Date(Math.max(...times.map((time) => time.getTime())))

/** Returns the next hours of the past to count. If few payments are left, they reach back to the first one. */
async function pastSpan(sql: Sql, platformId: string, { fromHour }: Progress): Promise<Span> {
  const before = await findIdBefore(sql, platformId, lowestIdOf(fromHour), PAYMENTS_PER_PASS)
  return { from: before === null ? new Date(0) : hourOfId(before), until: fromHour }
}

/** Changes of the last minute are read again by the next pass, because a change can become visible late. */
async function recountChanges(
  sql: Sql,
  platformId: string,
  { seenAt, fromHour, until, realNow }: Progress & { until: Date; realNow: Date },
): Promise<{ seenAt: Date; hasMore: boolean }> {
  const { hours, count, lastAt } = await findChanges(sql, platformId, { after: seenAt, limit: CHANGES_PER_PASS })
  for (const from of hours) {
    if (from >= fromHour && from < until) await countSpan(sql, platformId, { from, until: addHours(from, 1) })
  }
  const settled = new Date(realNow.getTime() - LATENESS_MS)
  const hasMore = count === CHANGES_PER_PASS && lastAt !== null && lastAt < settled
  return { seenAt: hasMore ? lastAt : settled, hasMore }
}
