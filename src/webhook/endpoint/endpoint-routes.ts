import { Type } from 'typebox'
import { shortList } from '../../foundation/http/list/short-list.ts'
import { del, get, post, put, type Route } from '../../foundation/http/route.ts'
import {
  closed,
  idParams,
  named,
  noFields,
  nothing,
  nullable,
  oneOf,
  text,
  visible,
} from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { OUTCOMES } from '../delivery/delivery-status.ts'
import type { Lines } from '../delivery/webhook-post-actions.ts'
import { bodyFormat, eventType } from '../event/event-schema.ts'
import { bodyText } from '../history/history-rules.ts'
import { addEndpoint, changeEndpoint, getEndpoint, getEndpoints, removeEndpoint } from './endpoint-actions.ts'
import { DISABLED_REASONS, ENDPOINT_STATUSES, endpointStatus } from './endpoint-rules.ts'
import type { EndpointRow } from './endpoint-store.ts'
import { sendTestToEndpoint } from './webhook-test-actions.ts'

const common = { access: 'owner', permission: 'developers', tag: 'Webhooks' } as const

const url = text(1, 2_048, {
  description:
    'An https URL at a public address. In sandbox and demo also http://localhost, if the operator allows it.',
})
const name = nullable(text(1, 128, visible))
const eventTypes = Type.Array(eventType, {
  minItems: 1,
  uniqueItems: true,
  description: 'The event types that are sent to the endpoint. The default is CHECK and INVOICE.',
})

const endpointFields = {
  id: Type.String(),
  url: Type.String(),
  name: nullable(Type.String()),
  event_types: Type.Array(eventType),
  body_format: bodyFormat,
  status: oneOf(ENDPOINT_STATUSES, { description: 'DISABLED: nothing is sent to the endpoint' }),
  disabled_reason: nullable(
    oneOf(DISABLED_REASONS, {
      description: 'OWNER: disabled by the owner. GONE: the endpoint answered 410. FAILING: no success for five days.',
    }),
  ),
  disabled_date: nullable(Type.String()),
  failing_since: nullable(Type.String({ description: 'The first failed attempt since the last success' })),
  date: Type.String(),
}

const Endpoint = named('WebhookEndpoint', endpointFields)

const ChangedEndpoint = named('ChangedWebhookEndpoint', {
  ...endpointFields,
  missed: Type.Integer({
    description:
      'Set when this call enabled the endpoint: the number of deliveries that failed while it was failing or disabled',
  }),
  missed_since: nullable(
    Type.String({ description: 'The value of `since` for POST /v3/webhook/replay to resend exactly these deliveries' }),
  ),
})

const responseBody = nullable(Type.String({ description: 'The first KiB of the response body' }))

/** The routes for endpoints: webhook URLs in addition to those of users and applications. */
export const endpointRoutes: Route[] = [
  shortList(
    '/v3/webhook/endpoint',
    {
      ...common,
      operationId: 'listWebhookEndpoints',
      summary: 'List endpoints',
      description:
        'Lists the endpoints of your platform. URLs that users set as `developer.webhook_uri` are not included.',
    },
    {
      sort: 'DATE',
      items: { endpoints: Endpoint },
      read: (deps, { caller }) => getEndpoints(deps, caller),
      show: (endpoint) => endpointAnswer(endpoint),
    },
  ),

  post(
    '/v3/webhook/endpoint',
    {
      ...common,
      operationId: 'createWebhookEndpoint',
      summary: 'Create an endpoint',
      description:
        'Adds a URL that receives the events of your platform as POST requests, signed with the owner’s webhook key. A platform has at most 50 endpoints.',
      errors: ['endpoint_exists', 'endpoint_limit_reached'],
      body: closed({
        url,
        name: Type.Optional(name),
        event_types: Type.Optional(nullable(eventTypes)),
        body_format: Type.Optional(nullable(bodyFormat)),
      }),
      status: 201,
      answer: Endpoint,
    },
    async (deps, { caller, body }) =>
      endpointAnswer(
        await addEndpoint(deps, caller, {
          url: body.url,
          name: body.name ?? null,
          eventTypes: body.event_types ?? undefined,
          bodyFormat: body.body_format ?? 'THIN',
        }),
      ),
  ),

  get(
    '/v3/webhook/endpoint/:id',
    {
      ...common,
      operationId: 'getWebhookEndpoint',
      summary: 'Retrieve an endpoint',
      description: 'Returns an endpoint, whether it is enabled, and since when its deliveries have failed.',
      errors: ['endpoint_not_found'],
      params: idParams,
      answer: Endpoint,
    },
    async (deps, { caller, params }) => endpointAnswer(await getEndpoint(deps, caller, params.id)),
  ),

  put(
    '/v3/webhook/endpoint/:id',
    {
      ...common,
      operationId: 'updateWebhookEndpoint',
      summary: 'Update an endpoint',
      description:
        'Updates, enables or disables an endpoint. When you enable it again, the answer says how many deliveries it missed and since when. `POST /v3/webhook/replay` resends them.',
      errors: ['endpoint_not_found', 'endpoint_exists'],
      params: idParams,
      body: closed({
        url: Type.Optional(url),
        name: Type.Optional(name),
        event_types: Type.Optional(eventTypes),
        body_format: Type.Optional(bodyFormat),
        status: Type.Optional(oneOf(ENDPOINT_STATUSES)),
      }),
      answer: ChangedEndpoint,
    },
    async (deps, { caller, params, body }) => {
      const { event_types: eventTypes, body_format: bodyFormat, ...changes } = body
      const { endpoint, missed, missedSince } = await changeEndpoint(deps, caller, {
        id: params.id,
        eventTypes,
        bodyFormat,
        ...changes,
      })
      return { ...endpointAnswer(endpoint), missed, missed_since: missedSince && formatDateTime(missedSince) }
    },
  ),

  del(
    '/v3/webhook/endpoint/:id',
    {
      ...common,
      operationId: 'deleteWebhookEndpoint',
      summary: 'Remove an endpoint',
      description: 'Removes an endpoint. Its pending deliveries become FAILED.',
      errors: ['endpoint_not_found'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => removeEndpoint(deps, caller, params.id),
  ),
]

/** Routes to send test events and to list the addresses that webhooks come from. @param lines the connections for test events */
export const endpointTestRoutes = (lines: Lines): Route[] => [
  post(
    '/v3/webhook/endpoint/:id/test',
    {
      ...common,
      transaction: 'beforeAnswer',
      operationId: 'testWebhookEndpoint',
      summary: 'Send a test event',
      description:
        'Sends one signed event of type TEST to the endpoint, without retries, and returns the response. This also works for a disabled endpoint.',
      errors: ['endpoint_not_found'],
      params: idParams,
      body: noFields,
      answer: closed({
        outcome: oneOf(OUTCOMES),
        status: nullable(Type.Integer({ description: 'The HTTP status of the response' })),
        duration_ms: Type.Integer(),
        error: nullable(Type.String({ description: 'Why there was no response' })),
        body: Type.String({ description: 'The test event that was sent' }),
        response_body: responseBody,
      }),
    },
    async (deps, { caller, params }) => {
      const result = await sendTestToEndpoint(deps, lines, { caller, endpointId: params.id })
      return {
        outcome: result.outcome,
        status: result.httpStatus,
        duration_ms: result.durationMs,
        error: result.error,
        body: result.body,
        response_body: bodyText(result.responseBody),
      }
    },
  ),

  get(
    '/v3/webhook/source',
    {
      ...common,
      operationId: 'listWebhookSources',
      summary: 'List the source addresses',
      description:
        'Lists the fixed IP addresses that webhooks come from, for your firewall. The list is empty if the operator has set none.',
      answer: closed({ addresses: Type.Array(Type.String()) }),
    },
    async (deps) => ({ addresses: deps.settings.webhookSourceAddresses }),
  ),
]

const endpointAnswer = (endpoint: EndpointRow) => ({
  id: endpoint.id,
  url: endpoint.url,
  name: endpoint.name,
  event_types: endpoint.eventTypes,
  body_format: endpoint.bodyFormat,
  status: endpointStatus(endpoint),
  disabled_reason: endpoint.disabledReason,
  disabled_date: endpoint.disabledAt && formatDateTime(endpoint.disabledAt),
  failing_since: endpoint.failingSince && formatDateTime(endpoint.failingSince),
  date: formatDateTime(endpoint.createdAt),
})
