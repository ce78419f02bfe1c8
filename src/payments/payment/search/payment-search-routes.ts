import { type Static, Type } from 'typebox'
import { requireCents } from '../../../foundation/core/money.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { savedFile } from '../../../foundation/http/content-disposition.ts'
import { requireOwnPage } from '../../../foundation/http/limits/same-origin.ts'
import { dayFilters, historyQuery, idRange, linkNextPage, pagingOf } from '../../../foundation/http/list/list-query.ts'
import { get, type Route } from '../../../foundation/http/route.ts'
import { closed, idParams, named, nullable, oneOf } from '../../../foundation/http/schema.ts'
import { businessDate, formatDateTime } from '../../../foundation/lib/clock.ts'
import { DEPOSIT_OPTIONS, type DepositOption, RAILS } from '../../../money/rail/rail-rules.ts'
import { commonFields, Payment } from '../accept/order-schema.ts'
import { calendarNow, expectedDay } from '../expected-day-rules.ts'
import { answeredNumber, commonAnswer, remittanceTable } from '../payment-rules.ts'
import { exportPayments, type RunningExports } from './payment-export-actions.ts'
import {
  type PaymentDetails as Details,
  getPaymentDetails,
  type PaymentSearch,
  searchedBy,
  searchPayments,
} from './payment-search-actions.ts'
import { paymentFilters } from './payment-search-schema.ts'
import type { FoundPayment } from './payment-search-store.ts'

const exportQuery = closed({
  type: Type.Optional(oneOf(['payment'])),
  ...dayFilters,
  ...paymentFilters,
})

const foundFields = {
  ...commonFields,
  direction: oneOf(['INCOMING', 'OUTGOING']),
  sender: Type.String(),
  rail: nullable(oneOf(RAILS, { description: 'null before the deposit, and for payments from another platform' })),
  return_code: nullable(Type.String({ description: 'Why it failed' })),
  user: named(
    'PaymentUser',
    { id: Type.String(), name: Type.String() },
    { description: 'The user of your platform that sends or receives the payment' },
  ),
}

const Payments = closed({
  payments: Type.Array(named('FoundPayment', foundFields)),
  searched_to: nullable(
    Type.String({
      description:
        'Set if the search stopped before the page was full. All payments created since this time were searched. Follow the `Link` header to continue.',
    }),
  ),
})

const PaymentDetails = named('PaymentDetails', {
  ...foundFields,
  account: nullable(
    closed(
      { id: Type.String(), kind: oneOf(['bank', 'wallet']) },
      { description: 'The account that pays; null if the caller is the recipient' },
    ),
  ),
  deposit_options: Type.Array(oneOf(DEPOSIT_OPTIONS)),
  remittance_advice: Payment.properties.remittance_advice,
  has_attachment: Type.Boolean(),
  prepared_by: nullable(Type.String({ description: 'The name of the person who prepared the payment' })),
  released_by: nullable(Type.String({ description: 'The name of the person who released the payment' })),
  batch_id: nullable(Type.String({ description: 'The ID of the batch that the payment was released with' })),
  expected: nullable(Type.String({ description: 'YYYY-MM-DD; null before the deposit' })),
  expires: Type.String({ description: 'YYYY-MM-DD; the last day for the deposit' }),
})

export const paymentSearchRoutes = (running: RunningExports = new Set()): Route[] => [
  get(
    '/v3/payment',
    {
      access: 'user',
      permission: 'read',
      tag: 'Payments',
      operationId: 'searchPayments',
      summary: 'Search payments',
      description:
        'Lists the payments of your whole platform, newest first, with filters. `batch` lists the payments of one batch. A payment between two of your users appears once, as OUTGOING. With `user`, and with a user’s own API key, lists what this user sent and received. Each page searches at most 20,000 payments. There is no total.',
      errors: ['user_not_found'],
      query: historyQuery(paymentFilters),
      answer: Payments,
    },
    async (deps, { caller, query, request, reply }) => {
      const searched = await searchedBy(deps, caller, query.user)
      const paging = pagingOf(query, '-DATE', { DATE: searched.userId === null ? 'uuid' : 'timestamptz' })
      const found = await searchPayments(deps, searched, searchOf(deps, query), paging)
      linkNextPage(deps, { request, reply }, paging, found.next)
      return {
        payments: found.rows.map(paymentAnswer),
        searched_to: found.searchedTo && formatDateTime(found.searchedTo),
      }
    },
  ),

  get(
    '/v3/export',
    {
      access: 'user',
      permission: 'export',
      tag: 'Payments',
      operationId: 'exportPayments',
      summary: 'Export payments',
      description:
        'Returns the payments of a search as CSV, newest first, at most one million rows. One export at a time for each API key or session. Fields never start a formula in a spreadsheet: an apostrophe is added to a field that would, and to one that begins with an apostrophe. `/v3/check/csv` removes it.',
      errors: ['user_not_found', 'export_running', 'foreign_origin'],
      query: exportQuery,
      answerType: 'text/csv',
    },
    async (deps, { caller, query, request, reply }) => {
      // Without this check, another website could start the only export that a person may run.
      if (caller.credential.kind === 'session') requireOwnPage(request, deps.settings.baseUrl)
      const rows = exportPayments(deps, caller, {
        ...{ searched: await searchedBy(deps, caller, query.user), search: searchOf(deps, query), running },
      })
      const day = businessDate(deps.clock.now(), deps.settings.timeZone)
      reply.type('text/csv; charset=utf-8').header('content-disposition', savedFile(`payments-${day}.csv`))
      return rows
    },
  ),

  get(
    '/v3/payment/:id',
    {
      access: 'user',
      permission: 'read',
      tag: 'Payments',
      operationId: 'getPaymentDetails',
      summary: 'Retrieve a payment with its details',
      description:
        'Returns a payment with its direction, rail, account and dates to its sender, its recipient, and the owner of their platform.',
      errors: ['payment_not_found'],
      params: idParams,
      answer: PaymentDetails,
    },
    async (deps, { caller, params }) => detailsAnswer(deps, await getPaymentDetails(deps, caller, params.id)),
  ),
]

const searchOf = ({ settings }: Deps, query: Static<typeof exportQuery>): PaymentSearch => ({
  ...{ direction: query.direction, status: query.status, rail: query.rail, batch: query.batch },
  ...{ q: query.q === '' ? undefined : query.q, ...idRange(query, settings) },
  minCents: centsOf(query.min_amount, 'min_amount'),
  maxCents: centsOf(query.max_amount, 'max_amount'),
})

const detailsAnswer = (
  deps: Pick<Deps, 'settings' | 'connections'>,
  { payment, found, hasAttachment, makers }: Details,
) => ({
  ...paymentAnswer(found),
  account: found.direction === 'OUTGOING' ? { id: payment.fundingId, kind: payment.fundingKind } : null,
  deposit_options: payment.depositOptions as DepositOption[],
  remittance_advice: remittanceTable(payment.remittanceAdvice),
  has_attachment: hasAttachment,
  prepared_by: makers.preparedBy,
  released_by: makers.releasedBy,
  batch_id: makers.batchId,
  expected: expectedDay(payment, calendarNow(deps)),
  expires: businessDate(payment.expiresAt, deps.settings.timeZone),
})

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
