import { Type } from 'typebox'
import { centsToDollars } from '../../../foundation/core/money.ts'
import { get, type Route } from '../../../foundation/http/route.ts'
import { calendarDate, closed, id, named, nullable, oneOf } from '../../../foundation/http/schema.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { getStats, getSummary, type Stats } from './totals-actions.ts'
import { GROUPS, METRICS, type Stage, type Sums } from './totals-rules.ts'

const sums = {
  count: Type.Integer({ description: 'The number of payments' }),
  amount: Type.Number({ description: 'The total of the payments in dollars' }),
  rate: nullable(
    Type.Number({
      description: 'The rate, from 0 to 1; null for the metric volume, and if there is nothing to divide by',
    }),
  ),
}

const rate = (description: string) =>
  nullable(Type.Number({ description: `${description}; from 0 to 1, null if there are none` }))

const { rate: _, ...figure } = sums
const figures = {
  sent: named('PaymentFigure', figure, { description: 'The PAID payments' }),
  waiting: named('PaymentFigure', figure, {
    description: 'The payments that are UNPAID, IN_PROCESS, PRINTED or MAILED',
  }),
  failed: named('PaymentFigure', figure, { description: 'The payments that are FAILED, REFUNDED or EXPIRED' }),
}

const period = {
  start_date: Type.String(),
  end_date: Type.String(),
  time_zone: Type.String({ description: 'The time zone of the days' }),
  as_of: Type.String({ description: 'The time on the clock of the platform' }),
  is_complete: Type.Boolean({
    description: 'Whether all payments of the period are counted. false while older ones are still being counted',
  }),
}

const Summary = named('PaymentSummary', {
  ...period,
  ...figures,
  success_rate: rate('The share of PAID payments among those that are PAID, FAILED, REFUNDED or EXPIRED'),
  return_rate: rate('The share of settled debits that were returned'),
  days: Type.Array(closed({ date: Type.String(), ...figures })),
  rails: Type.Array(closed({ rail: Type.String(), ...figure }), {
    description: 'The payments that were sent on each rail, largest amount first',
  }),
})

const StatsAnswer = named('Statistics', {
  metric: oneOf(METRICS),
  group: oneOf(GROUPS),
  ...period,
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
      operationId: 'getStatistics',
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
      answer: StatsAnswer,
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
        ...periodAnswer({ period, asOf, isComplete }),
        points: points.map(({ key, ...point }) => ({ key, ...sumsAnswer(point) })),
        total: sumsAnswer(total),
      }
    },
  ),

  get(
    '/v3/stats/summary',
    {
      access: 'user',
      permission: 'read',
      tag: 'Overview',
      operationId: 'getPaymentSummary',
      summary: 'Summarize payments',
      description:
        'Adds up the payments that your platform created in the last 30 days: what was sent, what waits and what failed, in total and for each day, and what was sent on each rail. All figures are of one moment, `as_of`. VOID payments are not counted. With `user`, and with a user’s own API key, those of this user.',
      errors: ['user_not_found'],
      query: closed({ user: Type.Optional(id) }),
      answer: Summary,
    },
    async (deps, { caller, query }) => {
      const summary = await getSummary(deps, caller, query.user)
      return {
        ...periodAnswer(summary),
        ...figuresAnswer(summary),
        success_rate: summary.successRate,
        return_rate: summary.returnRate,
        days: summary.days.map((day) => ({ date: day.day, ...figuresAnswer(day) })),
        rails: summary.rails.map(({ rail, ...sums }) => ({ rail, ...figureAnswer(sums) })),
      }
    },
  ),
]

const periodAnswer = ({ period, asOf, isComplete }: Pick<Stats, 'period' | 'asOf' | 'isComplete'>) => ({
  start_date: period.startDate,
  end_date: period.endDate,
  time_zone: period.timeZone,
  as_of: formatDateTime(asOf),
  is_complete: isComplete,
})

const figureAnswer = ({ count, cents }: Sums) => ({ count, amount: centsToDollars(cents) })

const figuresAnswer = (sums: Record<Stage, Sums>) => ({
  sent: figureAnswer(sums.sent),
  waiting: figureAnswer(sums.waiting),
  failed: figureAnswer(sums.failed),
})

const sumsAnswer = ({ count, cents, rate }: Sums & { rate: number | null }) => ({
  count,
  amount: centsToDollars(cents),
  rate,
})
