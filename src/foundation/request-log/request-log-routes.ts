import { Type } from 'typebox'
import { historyList } from '../http/list/list.ts'
import type { Route } from '../http/route.ts'
import { id, named, nullable, oneOf, text } from '../http/schema.ts'
import { formatDateTime } from '../lib/clock.ts'
import { timeOfId } from '../lib/ids.ts'
import { getRequests } from './request-log-actions.ts'
import { STATUS_CLASSES, statusRange } from './request-log-rules.ts'
import type { LoggedRequest } from './request-log-store.ts'

const Request = named('LoggedRequest', {
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
})

const status = Type.String({
  pattern: '^([2345]xx|[2345]\\d\\d)$',
  description: `An HTTP status, or a class of statuses: ${STATUS_CLASSES}`,
})

export const requestLogRoutes: Route[] = [
  historyList(
    '/v3/request',
    {
      access: 'owner',
      permission: 'developers',
      tag: 'Requests',
      operationId: 'listRequests',
      summary: 'List requests',
      description:
        'Lists the requests of your platform in the last seven days, newest first, by the programs of all its users, and the changes made in the dashboard. A request appears within five seconds of its response. Bodies and queries are not kept. Requests that failed authentication belong to no platform. Under heavy load some requests may be missing. One page searches at most 20,000 requests; if it stops there, it says so in `searched_to` and has a next page.',
    },
    {
      filters: {
        id: Type.Optional(id),
        status: Type.Optional(status),
        path: Type.Optional(text(1, 180)),
        key: Type.Optional(id),
      },
      items: { requests: Request },
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
