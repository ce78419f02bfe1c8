import { Type } from 'typebox'
import { fieldError } from '../../foundation/core/errors.ts'
import { centsToDollars } from '../../foundation/core/money.ts'
import { historyList } from '../../foundation/http/list/list.ts'
import { get, post, type Route } from '../../foundation/http/route.ts'
import { closed, id, idParams, named, noFields, nothing, nullable, oneOf } from '../../foundation/http/schema.ts'
import { formatDateTime, parseDateTime } from '../../foundation/lib/clock.ts'
import { DELIVERY_STATUSES, OUTCOMES } from '../delivery/delivery-status.ts'
import { eventType } from '../event/event-schema.ts'
import { getDeliveries, getDelivery, getDescribedEvents, getEvent, getEvents } from './history-actions.ts'
import { bodyText } from './history-rules.ts'
import type { AttemptRow, DeliveryRow, EventPayment as EventPaymentRow, EventRow } from './history-store.ts'
import { replayDelivery, replayFailed } from './replay-actions.ts'

const tag = 'Webhooks'
const common = { access: 'owner', permission: 'developers', tag } as const

const eventFields = {
  id: Type.String({ description: 'The ID of the event, also sent in the header webhook-id' }),
  type: eventType,
  subject: Type.String({ description: 'The id of the payment, bank, user or wallet' }),
  body: Type.String({ description: 'The exact bytes of the thin body' }),
  date: Type.String(),
}

const eventFilters = { type: Type.Optional(eventType) }

const EventPayment = closed({
  direction: oneOf(['INCOMING', 'OUTGOING']),
  amount: Type.Number({ description: 'Dollars' }),
  name: Type.String({ description: 'The payee, or the sender of a payment from another platform' }),
})

const deliveryFields = {
  event: Type.String(),
  endpoint: Type.String(),
  url: Type.String(),
  type: eventType,
  subject: Type.String({ description: 'The id of the payment, bank, user or wallet' }),
  payment: nullable(
    named('DeliveredPayment', {
      status: Type.String({ description: 'The status that this event reports' }),
      amount: Type.Number({ description: 'Dollars' }),
      name: Type.String({ description: 'The payee' }),
    }),
  ),
  status: oneOf(DELIVERY_STATUSES),
  next_attempt: nullable(Type.String()),
  date: Type.String({ description: 'When the event happened' }),
}

const Delivery = named('WebhookDelivery', {
  ...deliveryFields,
  attempts: Type.Integer({ description: 'The number of attempts' }),
})

const Attempt = named('WebhookAttempt', {
  number: Type.Integer(),
  date: Type.String(),
  duration_ms: Type.Integer(),
  outcome: oneOf(OUTCOMES),
  status: nullable(Type.Integer({ description: 'The HTTP status of the response' })),
  error: nullable(Type.String({ description: 'Why there was no response' })),
  request_headers: nullable(Type.Record(Type.String(), Type.String())),
  response_body: nullable(Type.String({ description: 'The first KiB of the response body' })),
})

const deliveryParams = closed({ event: id, endpoint: id })

/** Routes for the events of the last 30 days, their deliveries and their attempts. */
export const historyRoutes: Route[] = [
  historyList(
    '/web/v1/events',
    {
      access: 'session',
      permission: 'developers',
      tag,
      summary: 'List events with the payments that they are about',
    },
    {
      filters: eventFilters,
      items: { events: closed({ ...eventFields, payment: nullable(EventPayment) }) },
      read: (deps, { filter, paging }) => getDescribedEvents(deps, filter, paging),
      show: (event) => ({ ...eventAnswer(event), payment: eventPayment(event.payment) }),
    },
  ),

  historyList(
    '/v3/webhook/event',
    {
      ...common,
      operationId: 'listWebhookEvents',
      summary: 'List events',
      description:
        'Lists the events of the last 30 days, newest first. Events are kept even if no endpoint receives them.',
    },
    {
      filters: eventFilters,
      items: { events: named('WebhookEvent', eventFields) },
      read: (deps, { filter, paging }) => getEvents(deps, filter, paging),
      show: (event) => eventAnswer(event),
    },
  ),

  get(
    '/v3/webhook/event/:id',
    {
      ...common,
      operationId: 'getWebhookEvent',
      summary: 'Retrieve an event',
      description: 'Returns an event with the exact bytes of its body and its delivery to each endpoint.',
      errors: ['event_not_found'],
      params: idParams,
      answer: closed({ ...eventFields, deliveries: Type.Array(Delivery) }),
    },
    async (deps, { caller, params }) => {
      const event = await getEvent(deps, caller, params.id)
      return { ...eventAnswer(event), deliveries: event.deliveries.map(listedDelivery) }
    },
  ),

  historyList(
    '/v3/webhook/delivery',
    {
      ...common,
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries',
      description:
        'Lists the deliveries of the last 30 days, ordered by event, newest first. A delivery is one event for one endpoint.',
    },
    {
      filters: {
        status: Type.Optional(oneOf(DELIVERY_STATUSES)),
        endpoint: Type.Optional(id),
        type: Type.Optional(eventType),
      },
      items: { deliveries: Delivery },
      read: (deps, { filter, paging }) => getDeliveries(deps, { ...filter, endpointId: filter.endpoint }, paging),
      show: (delivery) => listedDelivery(delivery),
    },
  ),

  get(
    '/v3/webhook/delivery/:event/:endpoint',
    {
      ...common,
      operationId: 'getWebhookDelivery',
      summary: 'Retrieve a delivery',
      description: 'Returns a delivery with its last 100 attempts, including each request, response and duration.',
      errors: ['delivery_not_found'],
      params: deliveryParams,
      answer: closed({
        ...deliveryFields,
        body: nullable(
          Type.String({
            description:
              'The exact bytes of the body that each attempt sends. Null before the first attempt with a full body, and for a full body if your key does not have the permission `read`.',
          }),
        ),
        attempts: Type.Array(Attempt),
      }),
    },
    async (deps, { caller, params }) => {
      const delivery = await getDelivery(deps, caller, { eventId: params.event, endpointId: params.endpoint })
      return {
        ...deliveryAnswer(delivery),
        body: delivery.sentBody,
        attempts: delivery.attempts.map(attemptAnswer),
      }
    },
  ),

  post(
    '/v3/webhook/delivery/:event/:endpoint/replay',
    {
      ...common,
      operationId: 'replayWebhookDelivery',
      summary: 'Replay a delivery',
      description:
        'Sends an event to an endpoint again, now. If that fails, the retry schedule starts over. If the delivery is waiting for its next attempt, that attempt is made now.',
      errors: ['delivery_not_found', 'delivery_pending', 'endpoint_disabled', 'endpoint_removed'],
      params: deliveryParams,
      body: noFields,
      answer: nothing,
    },
    async (deps, { caller, params }) =>
      replayDelivery(deps, caller, { eventId: params.event, endpointId: params.endpoint }),
  ),

  post(
    '/v3/webhook/replay',
    {
      ...common,
      transaction: 'beforeAnswer',
      operationId: 'replayFailedWebhooks',
      summary: 'Replay failed deliveries',
      description:
        'Resends every failed delivery of events since a given time, to one endpoint or to all enabled endpoints.',
      errors: ['endpoint_not_found', 'endpoint_disabled'],
      body: closed({
        since: Type.String({
          pattern: '^\\d{4}-\\d\\d-\\d\\d([ T]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?Z?)?$',
          description: 'a time, as YYYY-MM-DD HH:MM:SS (UTC), or a date',
        }),
        endpoint: Type.Optional(nullable(id)),
      }),
      answer: closed({ replayed: Type.Integer({ description: 'The number of deliveries' }) }),
    },
    async (deps, { caller, body }) => ({
      replayed: await replayFailed(deps, caller, {
        since: requireTime(body.since),
        endpointId: body.endpoint ?? undefined,
      }),
    }),
  ),
]

/** Parses a time. @throws ApiError invalid_request */
function requireTime(text: string): Date {
  const time = parseDateTime(text.length === 10 ? `${text} 00:00:00` : text)
  if (time === null)
    throw fieldError('invalid_request', 'since', 'must be a date or a time as YYYY-MM-DD HH:MM:SS (UTC)')
  return time
}

const eventAnswer = (event: EventRow) => ({
  id: event.id,
  type: event.type,
  subject: event.subjectId,
  body: event.body,
  date: formatDateTime(event.createdAt),
})

const eventPayment = (payment: EventPaymentRow | null) =>
  payment && { direction: payment.direction, amount: centsToDollars(payment.amountCents), name: payment.party }

const deliveryAnswer = (delivery: DeliveryRow) => ({
  event: delivery.eventId,
  endpoint: delivery.endpointId,
  url: delivery.url,
  type: delivery.type,
  subject: delivery.subjectId,
  payment: delivery.amountCents === null ? null : paymentAnswer(delivery),
  status: delivery.status,
  next_attempt: delivery.nextAttemptAt && formatDateTime(delivery.nextAttemptAt),
  date: formatDateTime(delivery.createdAt),
})

const paymentAnswer = ({ body, amountCents, payee }: DeliveryRow) => ({
  status: JSON.parse(body).status as string,
  amount: centsToDollars(amountCents as number),
  name: payee as string,
})

const listedDelivery = (delivery: DeliveryRow) => ({ ...deliveryAnswer(delivery), attempts: delivery.attemptCount })

const attemptAnswer = (attempt: AttemptRow) => ({
  number: attempt.number,
  date: formatDateTime(attempt.startedAt),
  duration_ms: attempt.durationMs,
  outcome: attempt.outcome,
  status: attempt.httpStatus,
  error: attempt.error,
  request_headers: attempt.requestHeaders && JSON.parse(attempt.requestHeaders),
  response_body: bodyText(attempt.responseBody),
})
