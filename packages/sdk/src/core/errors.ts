import type { ErrorCode } from '../generated/types.ts'
import type { ResponseInfo } from './operation.ts'

/** The base class of all errors of this package. The reason of an `AbortSignal` is thrown unchanged. */
export class RemitError extends Error {
  /** Whether the same request can succeed later. */
  readonly isTransient: boolean
  /** The key that the request was sent with. Repeat the call with it to make sure that it happens once. */
  idempotencyKey: string | null = null

  constructor(message: string, { isTransient = false, cause }: { isTransient?: boolean; cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.name = new.target.name
    this.isTransient = isTransient
  }
}

/** A setting or a parameter of the client is missing or invalid. Nothing was sent. */
export class ConfigurationError extends RemitError {}

/** The service did not answer, or its answer was cut off. Whether the request was processed is unknown. */
export class ConnectionError extends RemitError {}

/** The answer did not arrive in time. Whether the request was processed is unknown. */
export class TimeoutError extends ConnectionError {}

/** A webhook is not authentic, too old, or was received before. */
export class WebhookError extends RemitError {}

/** The authorization server refused a request, or the callback does not belong to our request. */
export class OAuthError extends RemitError {
  /** The error code of RFC 6749, for example `invalid_grant` or `access_denied`. */
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** The body of an error. */
type Problem = { message: string; code: ErrorCode | null; fields: Record<string, string[]> }

/** The service refused the request or failed. */
export class ApiError extends RemitError {
  readonly status: number
  /** A stable code for programs. Null if something between you and the service answered. */
  readonly code: ErrorCode | null
  /** Messages by field. */
  readonly fields: Record<string, string[]>
  /** The id of the request. Include it when you ask for help. */
  readonly requestId: string | null
  readonly response: ResponseInfo

  constructor({ message, code, fields }: Problem, response: ResponseInfo) {
    super(message, { isTransient: isTransient(response.status, code) })
    this.status = response.status
    this.code = code
    this.fields = fields
    this.requestId = response.requestId
    this.response = response
  }
}

/** 400: the request is malformed, or a rule refuses it. */
export class BadRequestError extends ApiError {}
/** 401: the credential is missing, wrong or expired. */
export class AuthenticationError extends ApiError {}
/** 403: the credential may not do this. */
export class PermissionError extends ApiError {}
/** 404: there is no such object, or it is not yours. */
export class NotFoundError extends ApiError {}
/** 409: a request with the same Idempotency-Key is still running. */
export class ConflictError extends ApiError {}
/** 422: the Idempotency-Key was used for another request. */
export class IdempotencyError extends ApiError {}
/** 429: too many requests. */
export class RateLimitError extends ApiError {}
/** 5xx: the service failed, is overloaded, or is not reachable behind its proxy. */
export class ServerError extends ApiError {}

const classes: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: IdempotencyError,
  429: RateLimitError,
}

const isTransient = (status: number, code: ErrorCode | null): boolean =>
  [408, 429, 500, 502, 503, 504].includes(status) || (status === 409 && code === 'idempotency_key_in_use')

/** @param text the body of the answer. Null: it is not JSON */
export function apiError(text: string | null, response: ResponseInfo): ApiError {
  const ErrorClass = classes[response.status] ?? (response.status >= 500 ? ServerError : ApiError)
  return new ErrorClass(problemOf(text) ?? unknownProblem(response.status), response)
}

function problemOf(text: string | null): Problem | null {
  try {
    const { message, code, errors } = JSON.parse(text ?? '')
    return typeof message === 'string' && typeof code === 'string'
      ? { message, code: code as ErrorCode, fields: errors ?? {} }
      : null
  } catch {
    return null
  }
}

const unknownProblem = (status: number): Problem => ({
  message: `The answer has status ${status} and is not from Remit. Check the base URL and what is in between.`,
  code: null,
  fields: {},
})
