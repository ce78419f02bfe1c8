/**
 * Whether a request may be sent again when its answer was lost (`x-idempotency` of openapi.json). `read` and `repeatable` change nothing
 * more, `key` needs an Idempotency-Key, and `none` may not be sent again.
 */
export type Idempotency = 'read' | 'repeatable' | 'key' | 'none'

/** One operation of the API. */
export type Operation = {
  /** The `operationId` of openapi.json. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path with its parameters: `/v3/check/{id}`. */
  path: string
  idempotency: Idempotency
  /** A PDF, a picture or a CSV file. */
  answersFile?: true
}

/** A file for a field in base64. In the field `attachment`, a `File` keeps its name. */
export type Upload = Blob | Uint8Array | ArrayBuffer

export type QueryValue = string | number | boolean | null | undefined

/** The parts of a request that depend on the call. `body` can contain uploads. */
export type Input = {
  params?: Record<string, string>
  query?: Readonly<Record<string, QueryValue>>
  body?: object
}

/** The options of a single call. */
export type CallOptions = {
  /** Ends the call, its retries and their pauses. The call then throws `signal.reason`. */
  signal?: AbortSignal
  /** Default: a random key, made before the first try. Repeat a call with its key to make sure that it happens once. */
  idempotencyKey?: string
  /** The maximum number of retries. 0: none. */
  retries?: number
  /** Milliseconds for each try, including the body of the answer. */
  timeoutMs?: number
  /** Milliseconds for all tries and the pauses between them. */
  totalTimeoutMs?: number
}

/** The answer's metadata, without its body. */
export type ResponseInfo = { status: number; headers: Headers; requestId: string | null; tries: number }

/** A parsed answer. */
export type Answer<Data> = { data: Data; response: ResponseInfo }
