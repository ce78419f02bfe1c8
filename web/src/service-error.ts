/**
 * An error response of the service, or no response at all (`unreachable`). `message` is for the user.
 */
export class ServiceError extends Error {
  readonly code: string
  readonly fields: Record<string, string[]>
  readonly retryAfterSeconds: number | null
  /** The request id, by which the operator of the service finds the request in the log. */
  readonly requestId: string | null
  /** The HTTP status of the response. Null if there was no response. */
  readonly status: number | null

  constructor(options: {
    code: string
    message: string
    fields?: Record<string, string[]>
    retryAfterSeconds?: number | null
    requestId?: string | null
    status?: number | null
  }) {
    super(options.message)
    this.code = options.code
    this.fields = options.fields ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
    this.requestId = options.requestId ?? null
    this.status = options.status ?? null
  }
}

export const unreachable = () =>
  new ServiceError({
    code: 'unreachable',
    message: 'We can’t reach Remit. Check your connection and try again.',
  })

/** Reads the body `{message, code, errors?}` of an error response. A proxy may have sent something else. */
export async function refusal(response: Response): Promise<ServiceError> {
  const body = await response.json().catch(() => null)
  const seconds = Number(response.headers.get('retry-after'))
  return new ServiceError({
    code: body?.code ?? `http_${response.status}`,
    message: body?.message ?? `Something went wrong (status ${response.status}). Try again shortly.`,
    fields: body?.errors ?? {},
    retryAfterSeconds: seconds > 0 ? seconds : null,
    requestId: response.headers.get('x-request-id'),
    status: response.status,
  })
}

export const hasCode = (error: unknown, code: string) => error instanceof ServiceError && error.code === code
