import { Type } from 'typebox'
import { centsToDollars, MAX_AMOUNT_CENTS, requireCents } from '../../../foundation/core/money.ts'
import { get, put, type Route } from '../../../foundation/http/route.ts'
import { closed, id, idParams, named, nothing, nullable } from '../../../foundation/http/schema.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { getLimits, lowerLimits } from './limit-actions.ts'
import { largestPayment, remainingCents, type UserLimits } from './limit-rules.ts'

const dollars = (description: string) => nullable(Type.Number({ description }))

const Limit = named('Limit', {
  maximum: dollars('The limit in dollars; null for no limit'),
  highest: dollars('The limit of the operator, which the owner of a platform can lower, in dollars; null for no limit'),
  used: Type.Number({ description: 'The amount that was sent in the period, in dollars' }),
  left: dollars('The amount that can still be sent, in dollars; null for no limit'),
})

const given = Type.Optional(
  nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: MAX_AMOUNT_CENTS / 100,
      description: 'The limit in dollars; null removes it',
    }),
  ),
)

export const limitRoutes: Route[] = [
  get(
    '/v3/limit',
    {
      access: 'user',
      permission: 'read',
      tag: 'Users',
      operationId: 'getLimits',
      summary: 'Retrieve sending limits',
      description:
        'Returns your limits for one payment, a day and a month in `time_zone`, what you sent in the day and the month, and what is left. `left` at the top is the largest payment that you can send now. With `user`, an owner gets the limits of a user of its platform.',
      errors: ['user_not_found'],
      query: closed({ user: Type.Optional(id) }),
      answer: closed({
        as_of: Type.String({ description: 'The time on the clock of the platform' }),
        time_zone: Type.String({ description: 'The time zone in which days and months begin' }),
        left: dollars('The largest payment that you can send now; null for no limit'),
        payment: Limit,
        day: Limit,
        month: Limit,
      }),
    },
    async (deps, { caller, query }) => {
      const { limits, highest, sent, asOf } = await getLimits(deps, caller, query.user)
      const limitAnswer = (name: keyof UserLimits, usedCents: number) => ({
        maximum: dollarsOrNull(limits[name]),
        highest: dollarsOrNull(highest[name]),
        used: centsToDollars(usedCents),
        left: dollarsOrNull(remainingCents(limits[name], usedCents)),
      })
      return {
        as_of: formatDateTime(asOf),
        time_zone: deps.settings.timeZone,
        left: dollarsOrNull(largestPayment(limits, sent)),
        payment: limitAnswer('paymentCents', 0),
        day: limitAnswer('dayCents', sent.dayCents),
        month: limitAnswer('monthCents', sent.monthCents),
      }
    },
  ),

  put(
    '/v3/user/:id/limit',
    {
      access: 'owner',
      permission: 'users',
      tag: 'Users',
      operationId: 'setUserLimit',
      isRepeatable: true,
      summary: 'Lower the sending limits of a user',
      description:
        'Sets limits for a user of your platform, in dollars, for one payment, a day and a month. They cannot be above those of the operator. `null` removes your limit. Omitted limits are unchanged.',
      errors: ['user_not_found'],
      params: idParams,
      body: closed({ payment: given, day: given, month: given }),
      answer: nothing,
    },
    async (deps, { caller, params, body }) =>
      lowerLimits(deps, caller, {
        userId: params.id,
        changes: {
          ...(body.payment !== undefined && { paymentCents: centsOf(body.payment, 'payment') }),
          ...(body.day !== undefined && { dayCents: centsOf(body.day, 'day') }),
          ...(body.month !== undefined && { monthCents: centsOf(body.month, 'month') }),
        },
      }),
  ),
]

const dollarsOrNull = (cents: number | null): number | null => cents && centsToDollars(cents)

const centsOf = (amount: number | null, field: string): number | null => amount && requireCents(amount, field)
