import { type Static, Type } from 'typebox'
import { del, post, type Route } from '../../foundation/http/route.ts'
import { closed, id, idParams, named, nothing, nullable, oneOf, reference, text } from '../../foundation/http/schema.ts'
import type { Wakeups } from '../../foundation/lib/concurrency/wakeups.ts'
import { OUTCOMES } from '../delivery/delivery-status.ts'
import { EVENT_TYPES } from '../event/event-rules.ts'
import { bodyFormat, eventType } from '../event/event-schema.ts'
import { createListener, pollListener, removeListener } from './listener-actions.ts'
import type { ListenerDelivery, ListenerResult } from './listener-rules.ts'

const common = { access: 'owner', permission: 'developers', tag: 'Webhooks' } as const

const MAX_WAIT_SECONDS = 30
const MAX_AT_ONCE = 100

const GivenResult = named('ListenerResult', {
  event: id,
  attempt: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  outcome: oneOf(OUTCOMES),
  status: Type.Optional(nullable(Type.Integer({ minimum: 100, maximum: 999 }))),
  duration_ms: Type.Integer({ minimum: 0, maximum: 600_000 }),
  error: Type.Optional(nullable(text(0, 200))),
  headers: Type.Optional(
    nullable(
      Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 1_024 }), {
        maxProperties: 20,
        description: 'The headers that were sent',
      }),
    ),
  ),
  response_body: Type.Optional(
    nullable(
      Type.String({
        pattern: '^[A-Za-z0-9+/]{0,1366}={0,2}$',
        description: 'The first KiB of the response body, in base64',
      }),
    ),
  ),
})

const AnsweredDelivery = named('ListenerDelivery', {
  event: Type.String(),
  attempt: Type.Integer({ description: 'The number of the attempt, from 1' }),
  retry_seconds: nullable(
    Type.Integer({ description: 'The delay before the next attempt if this one fails; null for no retry' }),
  ),
  headers: Type.Record(Type.String(), Type.String(), { description: 'Headers to send unchanged with the body' }),
  body: Type.String({ description: 'The exact bytes of the body' }),
})

const holding = Type.Optional(
  nullable(
    Type.Array(id, {
      maxItems: MAX_AT_ONCE,
      description: 'Events that the listener is still processing. Later events of the same payments wait for them.',
    }),
  ),
)

/** Routes for endpoints that fetch their events, for `remit listen`. They exist only in environments that can simulate outcomes. */
export const listenerRoutes = (wakeups: Wakeups): Route[] => [
  post(
    '/v3/webhook/listener',
    {
      ...common,
      operationId: 'createWebhookListener',
      summary: 'Create a listener',
      description:
        'Creates an endpoint that fetches its events instead of receiving them at a URL. `remit listen` uses it. It gets events from now on, and is removed if it does not poll for an hour.',
      errors: ['listener_limit_reached'],
      body: closed({
        event_types: Type.Optional(
          nullable(Type.Array(eventType, { minItems: 1, uniqueItems: true, description: 'Default: all types' })),
        ),
        body_format: Type.Optional(nullable(bodyFormat)),
      }),
      status: 201,
      answer: reference,
    },
    async (deps, { caller, body }) => ({
      id: await createListener(deps, caller, {
        eventTypes: body.event_types ?? EVENT_TYPES,
        bodyFormat: body.body_format ?? 'THIN',
      }),
    }),
  ),

  post(
    '/v3/webhook/listener/:id',
    {
      ...common,
      transaction: 'none', // results are recorded only once, and each poll returns new deliveries
      operationId: 'pollWebhookListener',
      summary: 'Poll a listener',
      description: 'Reports the results of completed deliveries, and waits up to `wait_seconds` for the next ones.',
      errors: ['listener_not_found'],
      params: idParams,
      body: closed({
        results: Type.Array(GivenResult, { maxItems: MAX_AT_ONCE }),
        holding,
        wait_seconds: Type.Optional(
          nullable(Type.Integer({ minimum: 0, maximum: MAX_WAIT_SECONDS, description: 'Default: answer immediately' })),
        ),
      }),
      answer: closed({ deliveries: Type.Array(AnsweredDelivery) }),
    },
    async (deps, { caller, params, body, request }) => {
      const handed = await pollListener(deps, caller, {
        listenerId: params.id,
        results: body.results.map(resultOf),
        holding: body.holding ?? [],
        waitSeconds: body.wait_seconds ?? 0,
        wakeups,
        isGone: () => request.raw.socket.destroyed,
      })
      return { deliveries: handed.map(deliveryAnswer) }
    },
  ),

  del(
    '/v3/webhook/listener/:id',
    {
      ...common,
      operationId: 'deleteWebhookListener',
      summary: 'Remove a listener',
      description: 'Removes a listener. Its pending deliveries become FAILED.',
      errors: ['listener_not_found'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => removeListener(deps, caller, params.id),
  ),
]

const resultOf = (given: Static<typeof GivenResult>): ListenerResult => ({
  eventId: given.event,
  attempt: given.attempt,
  outcome: given.outcome,
  httpStatus: given.status ?? null,
  durationMs: given.duration_ms,
  error: given.error ?? null,
  requestHeaders: given.headers ?? {},
  responseBody: Buffer.from(given.response_body ?? '', 'base64'),
})

const deliveryAnswer = ({ eventId, attempt, retrySeconds, headers, body }: ListenerDelivery) => ({
  event: eventId,
  attempt,
  retry_seconds: retrySeconds,
  headers,
  body,
})
