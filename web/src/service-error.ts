/** An answer of the service that is not a success, or no answer at all (`unreachable`). `message` is made to be shown. */
export class ServiceError extends Error {
  readonly code: string
  readonly fields: Record<string, string[]>
  readonly retryAfterSeconds: number | null

  constructor(options: {
    code: string
    message: string
    fields?: Record<string, string[]>
    retryAfterSeconds?: number | null
  }) {
    super(options.message)
    this.code = options.code
    this.fields = options.fields ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}

export const unreachable = () =>
  new ServiceError({
    code: 'unreachable',
    message: 'Remit cannot be reached. Check your connection and try again.',
  })

/** Reads the body `{message, code, errors?}` of a refusal; a proxy in between may have answered something else. */
export async function refusal(response: Response): Promise<ServiceError> {
  const body = await response.json().catch(() => null)
  const seconds = Number(response.headers.get('retry-after'))
  return new ServiceError({
    code: body?.code ?? `http_${response.status}`,
    message: body?.message ?? `The service answered with status ${response.status}. Try again shortly.`,
    fields: body?.errors ?? {},
    retryAfterSeconds: seconds > 0 ? seconds : null,
  })
}

export const hasCode = (error: unknown, code: string) => error instanceof ServiceError && error.code === code
