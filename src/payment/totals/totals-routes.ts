import { Type } from 'typebox'
import { dollarsOfCents } from '../../core/money.ts'
import { get, type Route } from '../../http/route.ts'
import { calendarDate, closed, id, nullable, oneOf } from '../../http/schema.ts'
import { formatDateTime } from '../../lib/clock.ts'
import { getStats } from './totals-actions.ts'
import { GROUPS, METRICS, type Sums } from './totals-rules.ts'

const sums = {
  count: Type.Integer({ description: 'The number of payments' }),
  amount: Type.Number({ description: 'Their amount in dollars' }),
  rate: nullable(Type.Number({ description: 'From 0 to 1; null if there is nothing to divide by, and for volume' })),
}

const Stats = closed({
  metric: oneOf(METRICS),
  group: oneOf(GROUPS),
  start_date: Type.String(),
  end_date: Type.String(),
  time_zone: Type.String({ description: 'The time zone of the days' }),
  as_of: Type.String({ description: 'By the clock of the platform' }),
  is_complete: Type.Boolean({ description: 'false while older payments are still being counted' }),
  points: Type.Array(
    closed({
      key: Type.String({
        description: 'A day, the Monday of a week, a month, a rail (empty before one is chosen), or a status',
      }),
      ...sums,
    }),
  ),
  total: closed(sums),
})

export const totalsRoutes: Route[] = [
  get(
    '/v3/stats',
    {
      access: 'user',
      permission: 'read',
      tag: 'Overview',
      summary: 'Retrieve statistics',
      description:
        'Counts the payments that your platform sent, by the day of their creation, for the last 30 days by default. `success_rate`: the part that is PAID, of those that are PAID, FAILED, REFUNDED or EXPIRED. `return_rate`: the part of their settled debits that was returned. A user’s own API key gets the statistics of this user.',
      errors: ['user_not_found'],
      query: closed({
        metric: oneOf(METRICS),
        group: Type.Optional(oneOf(GROUPS)),
        start_date: Type.Optional(calendarDate),
        end_date: Type.Optional(calendarDate),
        user: Type.Optional(id),
      }),
      answer: Stats,
    },
    async (deps, { caller, query }) => {
      const { metric, group = 'day' } = query
      const { period, asOf, isComplete, points, total } = await getStats(deps, caller, {
        ...{ metric, group },
        ...(query.start_date !== undefined && { startDate: query.start_date }),
        ...(query.end_date !== undefined && { endDate: query.end_date }),
        ...(query.user !== undefined && { userId: query.user }),
      })
      return {
        ...{ metric, group },
        start_date: period.startDate,
        end_date: period.endDate,
        time_zone: period.timeZone,
        as_of: formatDateTime(asOf),
        is_complete: isComplete,
        points: points.map(({ key, ...point }) => ({ key, ...sumsAnswer(point) })),
        total: sumsAnswer(total),
      }
    },
  ),
]

const sumsAnswer = ({ count, cents, rate }: Sums & { rate: number | null }) => ({
  count,
  amount: dollarsOfCents(cents),
  rate,
})
