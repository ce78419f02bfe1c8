import { STATUS_CODES } from 'node:http'
import { apiErrors, type ErrorCode } from '../../core/errors.ts'
import type { Route } from '../route.ts'
import type { Answer } from './document-types.ts'
import { generalErrors, type Permissions } from './documented-errors.ts'

/**
 * Returns the error responses of a route: one for each status that depends on the route, with all its codes. The errors of requests in
 * general are in the ranges `4XX` and `5XX`. In OpenAPI, the response of a status takes precedence over that of its range.
 */
export function errorResponses(route: Route, permissions: Permissions): Record<string, Answer> {
  const general = generalErrors(route, permissions)
  const own = (route.spec.errors ?? []).filter((code) => !general.includes(code))
  const statuses = new Set([...own, ...general.filter((code) => ACCESS.includes(statusOf(code)))].map(statusOf))
  return Object.fromEntries([
    ...[...statuses].sort().map((status) => [status, responseOf(status, having(status, [...own, ...general]))]),
    ...['4XX', '5XX'].map((range) => [range, responseOf(range, having(range, general))]),
  ])
}

/** The statuses that depend on who may call a route, and on whether its address exists. They are never part of a range. */
const ACCESS = ['403', '404']

const statusOf = (code: ErrorCode): string => String(apiErrors[code][0])

const having = (range: string, codes: readonly ErrorCode[]): ErrorCode[] =>
  codes.filter((code) =>
    range.endsWith('XX')
      ? statusOf(code)[0] === range[0] && !ACCESS.includes(statusOf(code))
      : statusOf(code) === range,
  )

const responseOf = (status: string, codes: ErrorCode[]): Answer => ({
  description: DESCRIPTIONS[status] ?? (STATUS_CODES[status] as string),
  content: {
    'application/json': {
      schema: {
        allOf: [{ $ref: '#/components/schemas/Error' }],
        properties: { code: { type: 'string', enum: codes } },
      },
    },
  },
})

const DESCRIPTIONS: Record<string, string> = {
  '4XX': 'The request was refused',
  '5XX': 'The service could not answer',
}

/** All error codes with their status and message. */
export const errorCodes = {
  type: 'string',
  description: 'The codes of errors, each with its status and its message',
  'x-enumDescriptions': Object.fromEntries(
    Object.entries(apiErrors).map(([code, [status, message]]) => [code, `${status}: ${message}`]),
  ),
}

const NAMES: Record<string, string> = { '403': 'forbidden', '404': 'not_found', '4XX': 'refused', '5XX': 'failed' }

/** The general errors that some routes have and others do not, with the part that they add to the name of a response. */
const DIFFERENCES: Partial<Record<ErrorCode, string>> = {
  invalid_cursor: 'Page',
  malformed_json: 'Body',
  invalid_idempotency_key: 'Key',
  idempotency_key_in_use: 'Once',
  insufficient_scope: 'Scope',
  permission_denied: '', // every route that requires a permission
  owner_only: 'Owner',
  user_not_active: 'Active',
  not_found: 'Url',
  outcome_unknown: 'Write',
}

/** Returns the name of a response that several routes share. It is the first code, if that is an error of the routes themselves. */
export function errorResponseName(status: string, codes: readonly [ErrorCode, ...ErrorCode[]]): string {
  const isOwn = !status.endsWith('XX') && DIFFERENCES[codes[0]] === undefined
  if (isOwn) return codes[0]
  return [NAMES[status], ...codes.flatMap((code) => DIFFERENCES[code] || [])].join('_')
}
