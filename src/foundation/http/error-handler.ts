import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode } from '../core/errors.ts'
import { classifyDatabaseError, type Trouble } from '../db/trouble.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { traceFields } from '../lib/trace/trace.ts'
import { limitLines } from './limits/line-limit.ts'

const codeOfFastify: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

const codeOfTrouble: Record<Trouble, ErrorCode | null> = {
  unreachable: 'database_unavailable',
  interrupted: 'database_unavailable',
  connection_lost: 'outcome_unknown',
  too_slow: 'overloaded',
  deadlock: 'overloaded',
  other: null,
}

/** Creates the error handler. No other code turns errors into answers. */
export function createErrorHandler(deps: { log: Log; clock: Clock }) {
  const logFailure = createFailureLog(deps)
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const apiError = apiErrorOf(error, request)
    request.errorCode = apiError.code
    if (apiError.status >= 500) logFailure(apiError, { error, request })
    if (apiError.status === 401 || apiError.status === 403)
      request.refusal = { code: apiError.code, ...request.refusal }
    sendError(reply, apiError)
  }
}

/** Creates the log of failed requests. Temporary failures are rate limited, because all requests fail without a database. */
function createFailureLog({ log, clock }: { log: Log; clock: Clock }) {
  const writeLimited = limitLines(clock)
  return ({ status, code }: ApiError, { error, request }: { error: unknown; request: FastifyRequest }): void => {
    const { id: requestId, method, routeOptions } = request
    const fields = { requestId, method, route: routeOptions.url, code, err: error }
    // Metrics count the refusals under overload. Logging each one would add load.
    if (code === 'overloaded' && error instanceof ApiError) log.debug(fields, 'request refused')
    else if (status === 500) log.error(fields, 'request failed')
    else if (code === 'outcome_unknown') log.warn(fields, 'request failed')
    else writeLimited((omitted) => log.warn({ ...fields, ...omitted }, 'request failed'))
  }
}

export function sendError(reply: FastifyReply, error: ApiError): void {
  const challenge = challenges[error.code] ?? (error.status === 401 ? BEARER : null)
  if (challenge) reply.header('www-authenticate', challenge)
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== null) reply.header('retry-after', retryAfter)
  reply.code(error.status).type(JSON_TYPE).send(errorBody(error))
}

/** Returns the value of `Retry-After` in seconds. Returns null if waiting alone does not help, or if the time is unknown. */
export function retryAfterOf({ status, code, retryAfterSeconds }: ApiError): string | null {
  const usual = RETRY_AFTER_SECONDS[code] ?? (status === 503 || status === 409 ? 1 : null)
  const seconds = retryAfterSeconds ?? usual
  return seconds === null ? null : String(seconds)
}

/** The usual delays for refusals that end after some time. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  internal_error: 60,
  institution_unavailable: 300,
  too_many_tries: 60,
  release_limit_reached: 86_400,
  check_not_ready: 3_600,
  notify_limit_reached: 3_600,
}

export const JSON_TYPE = 'application/json; charset=utf-8'

const BEARER = 'Bearer realm="remit"'

/** The `WWW-Authenticate` challenges (RFC 6750, 3). */
const challenges: Partial<Record<ErrorCode, string>> = {
  invalid_token: `${BEARER}, error="invalid_token"`,
  insufficient_scope: `${BEARER}, error="insufficient_scope"`,
}

export const errorBody = ({ message, code, fields }: ApiError): string =>
  JSON.stringify({ message, error: message, code, errors: fields, trace_id: traceFields().traceId })

/** Returns the error code for a database problem. If a request only reads, an unknown outcome does not matter. */
const codeOf = (trouble: Trouble, { method }: FastifyRequest): ErrorCode | null =>
  trouble === 'connection_lost' && (method === 'GET' || method === 'HEAD')
    ? 'database_unavailable'
    : codeOfTrouble[trouble]

function apiErrorOf(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (request.raw.readableAborted)
    return new ApiError('invalid_request', {
      message: 'The connection closed before the whole request arrived. Send it again.',
    })
  const code = codeOfFastify[(error as { code?: string }).code ?? ''] ?? codeOf(classifyDatabaseError(error), request)
  if (code) return new ApiError(code)
  return new ApiError('internal_error', {
    message: `Something went wrong on our side. If it happens again, give the operator this request id: ${request.id}`,
  })
}
