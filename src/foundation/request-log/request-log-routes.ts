import { Type } from 'typebox'
import { historyList } from '../http/list/list.ts'
import { get, put, type Route } from '../http/route.ts'
import { id, idParams, named, nullable, oneOf, text } from '../http/schema.ts'
import { formatDateTime } from '../lib/clock.ts'
import { timeOfId } from '../lib/ids.ts'
import { getRequest, getRequests } from './request-log-actions.ts'
import { STATUS_CLASSES, statusRange } from './request-log-rules.ts'
import type { LoggedRequest } from './request-log-store.ts'
import { getKeepsBodies, setKeepsBodies } from './request-setting-actions.ts'

const requestFields = {
  id: Type.String({ description: 'The `x-request-id` of the response' }),
  date: Type.String({
    description: 'When the request arrived, in real time even if the clock of the sandbox was advanced',
  }),
  method: Type.String(),
  path: Type.String({ description: 'The path without the query string' }),
  status: Type.Integer({ description: 'The HTTP status' }),
  code: nullable(Type.String({ description: 'The error code; null for a successful request' })),
  duration_ms: Type.Integer(),
  user: Type.String({ description: 'The ID of the user on whose behalf the request was made' }),
  credential: oneOf(['api_key', 'session', 'token'], { description: 'session: the dashboard' }),
  key: nullable(Type.String({ description: 'The ID of the API key or application. Null for the dashboard' })),
  address: Type.String({ description: 'The IP address of the client' }),
  payment: nullable(Type.String({ description: 'The ID of the payment that the request made or named' })),
}

const common = { access: 'owner', permission: 'developers', tag: 'Requests' } as const

const Settings = named('RequestSettings', {
  keeps_bodies: Type.Boolean({
    description: 'Whether the bodies of requests are kept for seven days. Default: false.',
  }),
})

const status = Type.String({
  pattern: '^([2345]xx|[2345]\\d\\d)$',
  description: `An HTTP status, or a class of statuses: ${STATUS_CLASSES}`,
})

export const requestLogRoutes: Route[] = [
  historyList(
    '/v3/request',
    {
      ...common,
      operationId: 'listRequests',
      summary: 'List requests',
      description:
        'Lists the requests of your platform in the last seven days, newest first, by the programs of all its users, and the changes made in the dashboard. A request appears within five seconds of its response. Queries are not kept, and bodies are kept only if your platform turned this on (`PUT /v3/request/settings`). Requests that failed authentication belong to no platform. Under heavy load some requests may be missing. One page searches at most 20,000 requests; if it stops there, it says so in `searched_to` and has a next page.',
    },
    {
      filters: {
        id: Type.Optional(id),
        status: Type.Optional(status),
        path: Type.Optional(text(1, 180)),
        key: Type.Optional(id),
      },
      items: { requests: named('LoggedRequest', requestFields) },
      read: (deps, { caller, filter: { id = null, status, path = null, key = null, ...range }, paging }) => {
        const search = { ...range, id, status: status === undefined ? null : statusRange(status), path, key }
        return getRequests(deps, caller, search, paging)
      },
      show: (request) => requestAnswer(request),
      more: {
        fields: { searched_to: nullable(Type.String()) },
        show: ({ searchedTo }) => ({ searched_to: searchedTo && formatDateTime(searchedTo) }),
      },
    },
  ),

  get(
    '/v3/request/:id',
    {
      ...common,
      operationId: 'getRequest',
      summary: 'Retrieve a request',
      description: 'Returns a request of the last seven days with its body, if your platform keeps bodies.',
      errors: ['request_not_found'],
      params: idParams,
      answer: named('RequestDetails', {
        ...requestFields,
        body: nullable(
          Type.String({
            description:
              'The body as JSON. Secrets, account numbers and other long numbers are `****`. Null if it was not kept. Bodies above 16 KiB and invalid JSON are never kept.',
          }),
        ),
      }),
    },
    async (deps, { caller, params }) => {
      const request = await getRequest(deps, caller, params.id)
      return { ...requestAnswer(request), body: request.body }
    },
  ),

  get(
    '/v3/request/settings',
    {
      ...common,
      operationId: 'getRequestSettings',
      summary: 'Retrieve the settings of the request log',
      description: 'Returns whether the request bodies of your platform are kept.',
      answer: Settings,
    },
    async (deps, { caller }) => ({ keeps_bodies: await getKeepsBodies(deps, caller) }),
  ),

  put(
    '/v3/request/settings',
    {
      ...common,
      operationId: 'updateRequestSettings',
      isRepeatable: true,
      summary: 'Update the settings of the request log',
      description:
        'Sets whether request bodies are kept, for all programs and users of your platform. Values that may be secrets or account numbers are replaced by `****`, and the bodies are encrypted. Turning it off deletes the bodies that were kept.',
      body: Settings,
      answer: Settings,
    },
    async (deps, { caller, body }) => {
      await setKeepsBodies(deps, caller, body.keeps_bodies)
      return body
    },
  ),
]

const requestAnswer = (request: LoggedRequest) => ({
  id: request.id,
  date: formatDateTime(timeOfId(request.id)),
  method: request.method,
  path: request.path,
  status: request.status,
  code: request.code,
  duration_ms: request.durationMs,
  user: request.userId,
  credential: request.credentialKind,
  key: request.credentialKind === 'session' ? null : request.credentialId,
  address: request.address,
  payment: request.paymentId,
})
