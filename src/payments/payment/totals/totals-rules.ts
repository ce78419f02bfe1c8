import { addDays, formatDate } from '../../../foundation/lib/clock.ts'
import { lowestIdOf } from '../../../foundation/lib/ids.ts'
import type { PaymentStatus } from '../payment-status.ts'

const HOUR_MS = 60 * 60 * 1000

/** A span of hours, from `from` up to but not including `until`. */
export type Span = { from: Date; until: Date }

export const hourOf = (time: Date): Date => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS)

export const addHours = (hour: Date, count: number): Date => new Date(hour.getTime() + count * HOUR_MS)

/** Returns the hour in which a payment was created, from its id (UUIDv7). */
export const hourOfId = (id: string): Date => hourOf(new Date(Number.parseInt(id.slice(0, 12), 16)))

/** Returns the ids of the payments of a span, from `fromId` up to but not including `untilId`. */
export const idsOf = ({ from, until }: Span) => ({ fromId: lowestIdOf(from), untilId: lowestIdOf(until) })

export const METRICS = ['volume', 'success_rate', 'return_rate'] as const
export type Metric = (typeof METRICS)[number]

export const GROUPS = ['day', 'week', 'month', 'rail', 'status'] as const
export type Group = (typeof GROUPS)[number]

/** Sums of payments that were created in a period. */
export type Sums = {
  count: number
  cents: number
  /** The number of payments that are PAID, and of payments that have ended in another status than VOID. */
  paid: number
  ended: number
  debitsSettled: number
  debitsReturned: number
}

/**
 * Returns a rate, or null if the divisor is 0. `success`: PAID payments divided by those that are PAID, FAILED, REFUNDED or EXPIRED.
 * `returns`: returned debits divided by settled debits.
 */
export function rateOf(metric: Metric, { paid, ended, debitsReturned, debitsSettled }: Sums): number | null {
  if (metric === 'volume') return null
  const [part, whole] = metric === 'success_rate' ? [paid, ended] : [debitsReturned, debitsSettled]
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000
}

/** @returns the sums of all points */
export const sumOf = (points: readonly Sums[]): Sums => ({
  count: total(points, 'count'),
  cents: total(points, 'cents'),
  paid: total(points, 'paid'),
  ended: total(points, 'ended'),
  debitsSettled: total(points, 'debitsSettled'),
  debitsReturned: total(points, 'debitsReturned'),
})

const total = (points: readonly Sums[], key: keyof Sums): number => points.reduce((sum, point) => sum + point[key], 0)

/** Returns the keys of a group in a period, including days without payments. Returns null for groups that are not times. */
export function keysOf(group: Group, { startDate, endDate }: { startDate: string; endDate: string }): string[] | null {
  const keyOf = timeKeys[group]
  if (!keyOf) return null
  const keys = new Set<string>()
  for (let day = startDate; day <= endDate; day = formatDate(addDays(new Date(day), 1))) keys.add(keyOf(day))
  return [...keys]
}

const timeKeys: Partial<Record<Group, (day: string) => string>> = {
  day: (day) => day,
  week: (day) => formatDate(addDays(new Date(day), -((new Date(day).getUTCDay() + 6) % 7))), // its Monday
  month: (day) => day.slice(0, 7),
}

/**
 * The stages of the money of payments: it has left (`sent`), a user or a bank has to act first (`waiting`), or it did not arrive
 * (`failed`).
 */
export const STAGES = ['sent', 'waiting', 'failed'] as const
export type Stage = (typeof STAGES)[number]

/** The stage of each status. A VOID payment has none, because it was withdrawn. */
const stageOfStatus: Record<PaymentStatus, Stage | null> = {
  PAID: 'sent',
  UNPAID: 'waiting',
  IN_PROCESS: 'waiting',
  PRINTED: 'waiting',
  MAILED: 'waiting',
  FAILED: 'failed',
  REFUNDED: 'failed',
  EXPIRED: 'failed',
  VOID: null,
}

/** The payments of one day, status and rail. `day` is `YYYY-MM-DD`. `rail` is empty until one is chosen. */
export type SummaryRow = Sums & { day: string; status: PaymentStatus; rail: string }

export type Summary = Record<Stage, Sums> & {
  successRate: number | null
  returnRate: number | null
  /** Each day of the period. */
  days: (Record<Stage, Sums> & { day: string })[]
  /** The sums of sent payments by rail, largest amount first. */
  rails: (Sums & { rail: string })[]
}

/** Adds up the payments of a period. All its figures come from the same rows, so that they agree. */
export function summarize(rows: readonly SummaryRow[], period: { startDate: string; endDate: string }): Summary {
  const sent = rows.filter(({ status }) => stageOfStatus[status] === 'sent')
  const all = sumOf(rows)
  return {
    ...stagesOf(rows),
    successRate: rateOf('success_rate', all),
    returnRate: rateOf('return_rate', all),
    days: (keysOf('day', period) ?? []).map((day) => ({ day, ...stagesOf(rows.filter((row) => row.day === day)) })),
    rails: [...new Set(sent.map(({ rail }) => rail))]
      .map((rail) => ({ rail, ...sumOf(sent.filter((row) => row.rail === rail)) }))
      .sort((a, b) => b.cents - a.cents),
  }
}

function stagesOf(rows: readonly SummaryRow[]): Record<Stage, Sums> {
  const stage = (name: Stage) => sumOf(rows.filter(({ status }) => stageOfStatus[status] === name))
  return { sent: stage('sent'), waiting: stage('waiting'), failed: stage('failed') }
}
