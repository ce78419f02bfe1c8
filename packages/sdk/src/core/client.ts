import { ApiPromise } from './api-promise.ts'
import type { Credentials } from './credentials.ts'
import { type EncodedRequest, encodeRequest } from './encode.ts'
import { ApiError, AuthenticationError, RemitError } from './errors.ts'
import { callHook, type ResponseEvent } from './hooks.ts'
import { exchange } from './http.ts'
import { List } from './list.ts'
import type { Answer, CallOptions, Input, Operation, QueryValue } from './operation.ts'
import { mayRepeat, pause, pauseMs } from './retry.ts'
import { requireNumber, type Settings } from './settings.ts'
import { withTimeLimit } from './time-limit.ts'
import { VERSION } from './version.ts'

/** A call with the values that its tries share. */
type Call = {
  operation: Operation
  request: EncodedRequest
  idempotencyKey: string | null
  signal: AbortSignal | undefined
  retries: number
  timeoutMs: number
  endsAt: number
  /** The header of the latest try. */
  authorization: string | null
}

/** Sends the requests of all resources. */
export class Client {
  readonly #settings: Settings
  readonly #credentials: Credentials

  constructor(settings: Settings, credentials: Credentials) {
    this.#settings = settings
    this.#credentials = credentials
  }

  call<Data>(operation: Operation, input: Input = {}, options: CallOptions = {}): ApiPromise<Data> {
    return new ApiPromise(this.#send<Data>(operation, input, options))
  }

  list<Item, Body>(
    operation: Operation,
    { field, ...input }: Input & { field: string },
    options: CallOptions = {},
  ): List<Item, Body> {
    const fetch = (query: Readonly<Record<string, QueryValue>>) =>
      this.#send<Body>(operation, { ...input, query }, options)
    return new List(fetch, { query: input.query ?? {}, field })
  }

  async #send<Data>(operation: Operation, input: Input, options: CallOptions): Promise<Answer<Data>> {
    const call = await this.#prepare(operation, input, options)
    const { id, method, path } = operation
    for (let attempt = 1; ; attempt++) {
      const event = { operation: id, method, path, attempt }
      const start = performance.now()
      callHook(this.#settings.hooks.onRequest, event)
      const result = await this.#try<Data>(call, attempt).catch(failed)
      const retryInMs = 'error' in result ? this.#pauseBeforeNextTry(call, attempt, result.error) : null
      const durationMs = Math.round(performance.now() - start)
      callHook(this.#settings.hooks.onResponse, { ...event, ...shownResult(result), durationMs, retryInMs })
      if (!('error' in result)) return result
      if (retryInMs === null) throw withKey(result.error, call.idempotencyKey)
      await pause(retryInMs, call.signal)
    }
  }

  async #prepare(operation: Operation, input: Input, options: CallOptions): Promise<Call> {
    const { baseUrl, ...defaults } = this.#settings
    const timeoutMs = requireNumber('timeoutMs', options.timeoutMs ?? defaults.timeoutMs, 1)
    const totalTimeoutMs = requireNumber('totalTimeoutMs', options.totalTimeoutMs ?? defaults.totalTimeoutMs, 1)
    const endsAt = performance.now() + totalTimeoutMs
    return {
      operation,
      request: await encodeRequest(baseUrl, operation, input),
      // Made before the first try, because a key made for the second would not recognize the first.
      idempotencyKey: options.idempotencyKey ?? (operation.idempotency === 'key' ? crypto.randomUUID() : null),
      signal: options.signal,
      retries: requireNumber('retries', options.retries ?? defaults.retries, 0),
      timeoutMs,
      endsAt,
      authorization: null,
    }
  }

  #try<Data>(call: Call, attempt: number): Promise<Answer<Data>> {
    const { operation, request, idempotencyKey } = call
    const ms = Math.max(1, Math.min(call.timeoutMs, call.endsAt - performance.now()))
    return withTimeLimit({ ms, signal: call.signal }, async (signal) => {
      call.authorization = await this.#credentials.header()
      const headers = {
        authorization: call.authorization,
        accept: operation.answersFile ? '*/*' : 'application/json',
        'user-agent': `remit-payments-sdk/${VERSION}`,
        ...(request.body !== null && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
      }
      const reader = { fetch: this.#settings.fetch, answersFile: operation.answersFile === true, tries: attempt }
      return exchange<Data>({ ...request, headers, signal }, reader)
    })
  }

  /** Returns null if there is no next try. */
  #pauseBeforeNextTry(call: Call, attempt: number, error: unknown): number | null {
    if (attempt > call.retries || call.signal?.aborted) return null
    // The service refuses a token before it does anything, so even an operation that may not be repeated is sent again.
    const isRefusedToken = error instanceof AuthenticationError && error.code === 'invalid_token'
    if (isRefusedToken) return this.#credentials.refuse(call.authorization) ? 0 : null
    if (!mayRepeat(call.operation, error)) return null
    const ms = pauseMs(error, { attempt })
    return performance.now() + ms < call.endsAt ? ms : null
  }
}

type Result<Data> = Answer<Data> | { error: unknown }

const failed = (error: unknown): { error: unknown } => ({ error })

function shownResult(result: Result<unknown>): Pick<ResponseEvent, 'status' | 'error' | 'requestId'> {
  if (!('error' in result)) return { status: result.response.status, error: null, requestId: result.response.requestId }
  const { error } = result
  if (error instanceof ApiError) return { status: error.status, error: error.code, requestId: error.requestId }
  return { status: null, error: error instanceof Error ? error.name : 'Error', requestId: null }
}

function withKey(error: unknown, idempotencyKey: string | null): unknown {
  if (error instanceof RemitError) error.idempotencyKey = idempotencyKey
  return error
}
