import { Type } from 'typebox'
import { MAX_AMOUNT_CENTS, requireCents } from '../../core/money.ts'
import { historyQuery, idRange, linkNextPage, pagingOf } from '../../http/list-query.ts'
import { get, type Route } from '../../http/route.ts'
import { closed, id, nullable, oneOf, text } from '../../http/schema.ts'
import { formatDateTime } from '../../lib/clock.ts'
import { RAILS } from '../../rail/rail-rules.ts'
import { commonFields } from '../accept/order-schema.ts'
import { answeredNumber, commonAnswer } from '../payment-rules.ts'
import { PAYMENT_STATUSES } from '../payment-status.ts'
import { searchedBy, searchPayments } from './payment-search-actions.ts'
import type { FoundPayment } from './payment-search-store.ts'

const dollars = Type.Number({ minimum: 0, maximum: MAX_AMOUNT_CENTS / 100, description: 'Dollars' })

const Payments = closed({
  payments: Type.Array(
    closed({
      ...commonFields,
      direction: oneOf(['INCOMING', 'OUTGOING']),
      sender: Type.String(),
      rail: nullable(oneOf(RAILS, { description: 'null before the deposit, and for payments from another platform' })),
      return_code: nullable(Type.String({ description: 'Why it failed' })),
      user: closed({ id: Type.String(), name: Type.String() }, { description: 'Your user that sends or receives it' }),
    }),
  ),
  searched_to: nullable(
    Type.String({
      description:
        'Set if the search stopped before the page was full: the payments created since then are searched. The `Link` header continues.',
    }),
  ),
})

export const paymentSearchRoutes: Route[] = [
  get(
    '/v3/payment',
    {
      access: 'user',
      permission: 'read',
      tag: 'Payments',
      summary: 'Search payments',
      description:
        'Lists the payments of your whole platform, newest first, with filters. A payment between two of your users appears once, as OUTGOING. With `user`, and with a user’s own API key, lists what this user sent and received. Each page searches at most 20,000 payments. There is no total.',
      errors: ['user_not_found'],
      query: historyQuery({
        user: Type.Optional(id),
        direction: Type.Optional(oneOf(['INCOMING', 'OUTGOING'])),
        status: Type.Optional(oneOf(PAYMENT_STATUSES)),
        rail: Type.Optional(oneOf(RAILS)),
        min_amount: Type.Optional(dollars),
        max_amount: Type.Optional(dollars),
        q: Type.Optional(text(0, 180)),
      }),
      answer: Payments,
    },
    async (deps, { caller, query, request, reply }) => {
      const { user, direction, status, rail, q } = query
      const isOfPlatform = searchedBy(caller, user).userId === null
      const paging = pagingOf(query, '-DATE', { DATE: isOfPlatform ? 'uuid' : 'timestamptz' })
      const found = await searchPayments(
        deps,
        caller,
        {
          ...{ userId: user, direction, status, rail, q: q === '' ? undefined : q, ...idRange(query) },
          minCents: centsOf(query.min_amount, 'min_amount'),
          maxCents: centsOf(query.max_amount, 'max_amount'),
        },
        paging,
      )
      linkNextPage(deps, { request, reply }, paging, found.next)
      return {
        payments: found.rows.map(paymentAnswer),
        searched_to: found.searchedTo && formatDateTime(found.searchedTo),
      }
    },
  ),
]

const centsOf = (amount: number | undefined, field: string): number | undefined =>
  amount === undefined ? undefined : requireCents(amount, field, { min: 0 })

const paymentAnswer = (payment: FoundPayment) => ({
  ...commonAnswer(payment, answeredNumber(payment)),
  direction: payment.direction,
  sender: payment.sender,
  rail: payment.rail,
  return_code: payment.returnCode,
  user: { id: payment.userId, name: payment.userName },
})
