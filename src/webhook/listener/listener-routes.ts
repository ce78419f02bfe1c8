import { type Static, Type } from 'typebox'
import { del, post, type Route } from '../../http/route.ts'
import { closed, id, idParams, nothing, nullable, oneOf, text } from '../../http/schema.ts'
import type { Bell } from '../../lib/concurrency/bell.ts'
import { OUTCOMES } from '../delivery/delivery-status.ts'
import { EVENT_TYPES } from '../event/event-rules.ts'
import { makeListener, pollListener, removeListener } from './listener-actions.ts'
import type { ListenerDelivery, ListenerResult } from './listener-rules.ts'

const tag = 'Webhooks'

const MAX_WAIT_SECONDS = 30
const MAX_AT_ONCE = 100

const GivenResult = closed({
  event: id,
  attempt: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  outcome: oneOf(OUTCOMES),
  status: Type.Optional(nullable(Type.Integer({ minimum: 100, maximum: 999 }))),
  duration_ms: Type.Integer({ minimum: 0, maximum: 600_000 }),
  error: Type.Optional(nullable(text(0, 200))),
  headers: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 1_024 }), {
      maxProperties: 20,
      description: 'Those that were sent',
    }),
  ),
  response_body: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]{0,1366}={0,2}$',
      description: 'The first KiB of the answer’s body, in base64',
    }),
  ),
})

const AnsweredDelivery = closed({
  event: Type.String(),
  attempt: Type.Integer({ description: 'From 1' }),
  retry_seconds: nullable(Type.Integer({ description: 'After which it is tried again if it fails; null for never' })),
  headers: Type.Record(Type.String(), Type.String(), { description: 'To be sent as they are, beside the body' }),
  body: Type.String({ description: 'The very bytes' }),
})

/** Endpoints that fetch what is sent to them: what `remit listen` uses. Only where outcomes can be provoked. */
export const listenerRoutes = (bell: Bell): Route[] => [
  post(
    '/v3/webhook/listener',
    {
      access: 'owner',
      tag,
      summary: 'Create a listener',
      description:
        'Creates an endpoint that fetches its events instead of receiving them at a URL. `remit listen` uses it. It gets the events that happen from now on, and is removed when it does not poll for an hour.',
      errors: ['listener_limit_reached'],
      body: closed({
        event_types: Type.Optional(
          Type.Array(oneOf(EVENT_TYPES), { minItems: 1, uniqueItems: true, description: 'All when it is left out' }),
        ),
      }),
      status: 201,
      answer: closed({ id: Type.String() }),
    },
    async (deps, { caller, body }) => ({ id: await makeListener(deps, caller, body.event_types ?? EVENT_TYPES) }),
  ),

  post(
    '/v3/webhook/listener/:id',
    {
      access: 'owner',
      transaction: 'none', // a result is recorded only once, and each poll has a new answer
      tag,
      summary: 'Poll a listener',
      description:
        'Reports the results of the deliveries that the listener made, and waits up to `wait_seconds` for the next ones.',
      errors: ['listener_not_found'],
      params: idParams,
      body: closed({
        results: Type.Array(GivenResult, { maxItems: MAX_AT_ONCE }),
        holding: Type.Optional(
          Type.Array(id, {
            maxItems: MAX_AT_ONCE,
            description: 'Events that the listener still has in hand: they, and others of their payments, can wait',
          }),
        ),
        wait_seconds: Type.Optional(
          Type.Integer({ minimum: 0, maximum: MAX_WAIT_SECONDS, description: 'At once when it is left out' }),
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
        bell,
        isGone: () => request.raw.socket.destroyed,
      })
      return { deliveries: handed.map(deliveryAnswer) }
    },
  ),

  del(
    '/v3/webhook/listener/:id',
    {
      access: 'owner',
      tag,
      summary: 'Remove a listener',
      description: 'Removes a listener. What it has not delivered becomes FAILED.',
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
