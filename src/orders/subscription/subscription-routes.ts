import { type Static, Type } from 'typebox'
import { ApiError, type ErrorCode, fieldError } from '../../foundation/core/errors.ts'
import { centsToDollars } from '../../foundation/core/money.ts'
import { list } from '../../foundation/http/list/list.ts'
import { dayFilters } from '../../foundation/http/list/list-query.ts'
import { requirePermission } from '../../foundation/http/permission.ts'
import { requireRecentProof } from '../../foundation/http/recent-proof.ts'
import { del, get, post, put, type Route } from '../../foundation/http/route.ts'
import {
  calendarDate,
  closed,
  idParams,
  named,
  nothing,
  nullable,
  oneOf,
  postalAddress,
  text,
  visible,
} from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { DigitalPayment, PhysicalPayment } from '../../payments/payment/accept/order-schema.ts'
import { isPostalAddress } from '../../payments/payment/payment-rules.ts'
import { setAutopay } from './autopay-actions.ts'
import {
  cancelSubscription,
  chooseSkipped,
  getRuns,
  getSubscription,
  getSubscriptions,
  type SubscriptionRuns,
  skipRun,
  subscribe,
  subscribeInvoice,
} from './subscription-actions.ts'
import { INTERVALS, MAX_DURATION, MAX_SKIPPED_RUN, subscriptionSorts } from './subscription-rules.ts'
import { RUN_OUTCOMES, SUBSCRIPTION_STATES, SUBSCRIPTION_STATUSES } from './subscription-status.ts'
import type { ShownSubscription, SubscriptionRow } from './subscription-store.ts'

const tag = 'Subscriptions'

const schedule = {
  interval: oneOf(INTERVALS),
  duration: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: MAX_DURATION, description: 'The number of runs. null: endless' })),
  ),
  start_date: Type.Optional(nullable(calendarDate)),
}

const SubscribedCheck = closed({
  amount: DigitalPayment.properties.amount,
  name: DigitalPayment.properties.name,
  recipient: Type.Union([text(1, 254), postalAddress], {
    description:
      'an email address, a phone number or a user_id of the platform, or a postal address for a mailed check',
  }),
  account: DigitalPayment.properties.account,
  description: DigitalPayment.properties.description,
  remittance_advice: PhysicalPayment.properties.remittance_advice,
  ...schedule,
})

const fields = {
  id: Type.String(),
  type: oneOf(['CHECK', 'INVOICE']),
  amount: Type.Number({ description: 'Dollars' }),
  name: Type.String(),
  recipient: Type.String(),
  description: nullable(Type.String()),
  account: nullable(Type.String({ description: 'null: the default bank at the time of each run' })),
  interval: oneOf(INTERVALS),
  duration: nullable(Type.Integer({ description: 'The number of runs. null: endless' })),
  start_date: Type.String({ description: 'YYYY-MM-DD' }),
  date: Type.String(),
}

const Subscription = named('Subscription', {
  ...fields,
  status: oneOf(SUBSCRIPTION_STATUSES),
  skipped: Type.Array(Type.Integer(), {
    description: 'The numbers of the runs that were or will be skipped, counted from 1',
  }),
  autopay: Type.Boolean(),
})

export const subscriptionRoutes: Route[] = [
  post(
    '/v3/subscription/check',
    {
      access: 'user',
      permission: 'prepare',
      needsStepUp: true,
      tag,
      operationId: 'createPaymentSubscription',
      summary: 'Repeat a payment',
      description:
        'Sends a payment or mails a check each week or month, at 16:00 UTC, beginning on `start_date` (today if omitted). If it is created later on its first day, the first run is skipped and counts. In a month without the day of the start, the run is on its last day. Under dual control, each run prepares a payment for release.',
      errors: [
        'bank_not_found',
        'own_recipient',
        'invalid_recipient',
        'paper_unavailable',
        'unprintable_text',
        'subscription_limit_reached',
      ],
      body: SubscribedCheck,
      status: 201,
      answer: named('CreatedSubscription', fields),
    },
    async (deps, { caller, body }) => {
      refuseText(body)
      return commonAnswer(await subscribe(deps, caller, body))
    },
  ),

  post(
    '/v3/subscription/invoice',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'createInvoiceSubscription',
      summary: 'Repeat an invoice',
      description:
        'Invoices a user of your platform, the owner of another one, or anyone with an email each week or month, at 16:00 UTC, beginning on `start_date` (today if omitted). The subscription is OVERDUE while an invoice of it is unpaid although the next run came. A recipient with an account, on your platform or another one, can turn on `autopay`. `remittance_advice` is accepted and has no effect, because invoices have none.',
      errors: [
        'bank_not_found',
        'invalid_recipient',
        'own_recipient',
        'recipient_not_active',
        'subscription_limit_reached',
      ],
      body: closed({
        amount: DigitalPayment.properties.amount,
        name: DigitalPayment.properties.name,
        recipient: text(1, 80, visible),
        description: text(1, 255, visible),
        account: DigitalPayment.properties.account,
        remittance_advice: PhysicalPayment.properties.remittance_advice,
        ...schedule,
      }),
      status: 201,
      answer: named('CreatedSubscription', fields),
    },
    async (deps, { caller, body }) => commonAnswer(await subscribeInvoice(deps, caller, body)),
  ),

  list(
    '/v3/subscription',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'listSubscriptions',
      summary: 'List subscriptions',
      description:
        'Lists the user’s subscriptions and those that invoice the user, newest first. `q` searches names, recipients and descriptions.',
    },
    {
      sorts: subscriptionSorts,
      filters: {
        direction: Type.Optional(oneOf(['INCOMING', 'OUTGOING'])),
        status: Type.Optional(oneOf(SUBSCRIPTION_STATUSES)),
        ...dayFilters,
      },
      items: { subscriptions: Subscription },
      read: (deps, { filter, paging }) => getSubscriptions(deps, filter, paging),
      show: (subscription) => subscriptionAnswer(subscription),
    },
  ),

  get(
    '/v3/subscription/:id',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'getSubscription',
      summary: 'Retrieve a subscription',
      description:
        'Returns one of the user’s subscriptions. Its status is UNPAID before the first run, then that of the latest run. A run that was refused is FAILED, and the next one continues.',
      errors: ['subscription_not_found'],
      params: idParams,
      answer: Subscription,
    },
    async (deps, { caller, params }) => subscriptionAnswer(await getSubscription(deps, caller, params.id)),
  ),

  get(
    '/v3/subscription/:id/run',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'listSubscriptionRuns',
      summary: 'List the runs of a subscription',
      description:
        'Returns the latest 100 runs of a subscription, newest first, with the payment or invoice of each run or the error that refused it, and the next 12 runs. The recipient of the invoices also gets the text that `autopay` agrees to.',
      errors: ['subscription_not_found'],
      params: idParams,
      answer: closed({
        state: oneOf(SUBSCRIPTION_STATES),
        direction: oneOf(['INCOMING', 'OUTGOING'], { description: 'INCOMING: the subscription sends invoices to you' }),
        sender: Type.String({ description: 'The name of the sender' }),
        autopay_text: nullable(
          Type.String({ description: 'The text that `autopay` agrees to; null unless `direction` is INCOMING' }),
        ),
        runs: Type.Array(
          closed({
            number: Type.Integer({ description: 'The number of the run, from 1' }),
            date: Type.String(),
            outcome: oneOf(RUN_OUTCOMES, {
              description: 'PREPARED: the run prepared a payment, which waits for its release',
            }),
            payment: nullable(Type.String({ description: 'The ID of the payment' })),
            approval: nullable(Type.String({ description: 'The ID of the prepared payment' })),
            invoice: nullable(Type.String({ description: 'The ID of the invoice' })),
            code: nullable(Type.String({ description: 'The code of the error that refused the run' })),
            message: nullable(Type.String({ description: 'The message of that error' })),
          }),
        ),
        next: Type.Array(closed({ number: Type.Integer(), date: Type.String(), skipped: Type.Boolean() })),
      }),
    },
    async (deps, { caller, params }) => runsAnswer(await getRuns(deps, caller, params.id)),
  ),

  put(
    '/v3/subscription/:id',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'updateSubscription',
      summary: 'Change a subscription',
      description:
        'Replaces the runs that are skipped, counted from 1. Skipped runs count toward the duration. Runs that have happened cannot be changed. The recipient of invoices sets `autopay`, which allows them to be paid from its default bank without asking, or prepared if its payments need approval: the text, the time and the address of the authorization are kept, and a copy is mailed.',
      errors: ['subscription_not_found', 'not_the_sender', 'not_the_recipient', 'subscription_not_active'],
      params: idParams,
      body: closed({
        autopay: Type.Optional(Type.Boolean()),
        skipped: Type.Optional(
          Type.Array(Type.Integer({ minimum: 1, maximum: MAX_SKIPPED_RUN }), { maxItems: 250, uniqueItems: true }),
        ),
      }),
      answer: nothing,
    },
    async (deps, { caller, params: { id }, body: { skipped, autopay } }) => {
      if (autopay) {
        requirePermission('send', caller)
        requireRecentProof(caller, deps.realClock.now())
      }
      if (autopay !== undefined) await setAutopay(deps, caller, { id, autopay })
      if (skipped) await chooseSkipped(deps, caller, { id, skipped })
      else await getSubscription(deps, caller, id)
    },
  ),

  put(
    '/v3/subscription/:id/run',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'skipSubscriptionRun',
      isRepeatable: true,
      summary: 'Skip a run of a subscription',
      description:
        'Skips one of the next runs, or sends a skipped one after all. Unlike `skipped` of the subscription, it leaves the other runs as they are. A run that has happened cannot be changed.',
      errors: ['subscription_not_found', 'not_the_sender', 'subscription_not_active'],
      params: idParams,
      body: closed({
        number: Type.Integer({ minimum: 1, maximum: MAX_SKIPPED_RUN, description: 'The number of the run, from 1' }),
        skipped: Type.Boolean(),
      }),
      answer: nothing,
    },
    async (deps, { caller, params, body: { number, skipped } }) =>
      skipRun(deps, caller, { id: params.id, run: number, isSkipped: skipped }),
  ),

  del(
    '/v3/subscription/:id',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'cancelSubscription',
      summary: 'Cancel a subscription',
      description: 'Cancels a subscription. Payments that it made are not affected.',
      errors: ['subscription_not_found', 'not_the_sender', 'subscription_not_active'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => cancelSubscription(deps, caller, params.id),
  ),
]

/** Refuses a text as the remittance advice of a digital payment, which must be a table. @throws ApiError invalid_request */
function refuseText({ recipient, remittance_advice: advice }: Static<typeof SubscribedCheck>): void {
  if (!isPostalAddress(recipient) && typeof advice === 'string') {
    throw fieldError('invalid_request', 'remittance_advice', 'must be an array or null')
  }
}

const commonAnswer = (row: SubscriptionRow) => ({
  id: row.id,
  type: row.type,
  amount: centsToDollars(row.amountCents),
  name: row.name,
  recipient: row.recipient,
  description: row.description,
  account: row.fundingId,
  interval: row.interval,
  duration: row.duration,
  start_date: row.startDate,
  date: formatDateTime(row.createdAt),
})

const subscriptionAnswer = (row: ShownSubscription) => ({
  ...commonAnswer(row),
  status: row.status,
  skipped: row.skipped,
  autopay: row.autopay,
})

const runsAnswer = ({ row, sender, autopayText, runs, ahead }: SubscriptionRuns) => ({
  state: row.state,
  direction: autopayText === null ? ('OUTGOING' as const) : ('INCOMING' as const),
  sender,
  autopay_text: autopayText,
  runs: runs.map((run) => ({
    number: run.number,
    date: formatDateTime(run.createdAt),
    outcome: run.outcome,
    payment: run.paymentId,
    approval: run.approvalId,
    invoice: run.invoiceId,
    code: run.errorCode,
    message: run.errorCode && new ApiError(run.errorCode as ErrorCode).message,
  })),
  next: ahead.map(({ number, at, isSkipped }) => ({ number, date: formatDateTime(at), skipped: isSkipped })),
})
