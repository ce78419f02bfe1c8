import { type Dispatcher, request } from 'undici'
import { type Outcome, RESPONSE_TIMEOUT_MS } from '../../../webhook/delivery/delivery-status.ts'
import { failureReason } from '../../../webhook/delivery/webhook-failure-rules.ts'

/** A delivery from the service, see `webhook/listener/listener-routes.ts`. */
export type Delivery = {
  event: string
  attempt: number
  retry_seconds: number | null
  headers: Record<string, string>
  body: string
}

/** The result of a delivery, as reported to the service. */
export type ForwardResult = {
  event: string
  attempt: number
  outcome: Outcome
  status: number | null
  duration_ms: number
  error: string | null
  headers: Record<string, string>
  response_body: string
}

/** The number of bytes of the response body that are kept. More bytes are read, up to a limit, so that the connection can be reused. */
const KEPT_BYTES = 1_024
const READ_BYTES = 64 * 1_024

/**
 * Posts a delivery as the service would: the same bytes, headers and deadline, without redirects. A failure of the receiver is an outcome,
 * not an exception.
 *
 * @returns null if `stopping` ended it
 */
export async function forward(
  { event, attempt, headers, body }: Delivery,
  { url, dispatcher, stopping }: { url: string; dispatcher: Dispatcher; stopping: AbortSignal },
): Promise<ForwardResult | null> {
  const begin = performance.now()
  const timeout = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
  const done = (outcome: Outcome, rest: { status: number | null; error: string | null; responseBody?: Buffer }) => ({
    event,
    attempt,
    outcome,
    status: rest.status,
    duration_ms: Math.round(performance.now() - begin),
    error: rest.error,
    headers,
    response_body: (rest.responseBody ?? Buffer.alloc(0)).toString('base64'),
  })
  try {
    const signal = AbortSignal.any([timeout, stopping])
    const answer = request(url, { dispatcher, method: 'POST', headers, body, signal })
    const { statusCode: status, body: answerBody } = await Promise.race([answer, rejectionBy(signal)])
    const outcome = status >= 200 && status < 300 ? 'acknowledged' : 'rejected'
    return done(outcome, { status, error: null, responseBody: await readStart(answerBody) })
  } catch (error) {
    if (stopping.aborted) return null
    if (timeout.aborted) return done('timed_out', { status: null, error: 'no response within 10 seconds' })
    return done('unreachable', { status: null, error: inWords(error) })
  }
}

/** Rejects when the signal aborts. undici itself checks the signal only after it has connected. */
const rejectionBy = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** Reads the start of a body. If that fails, the status still decides the outcome. */
async function readStart(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let count = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, Math.max(0, KEPT_BYTES - count)))
      count += chunk.length
      if (count > READ_BYTES) break
    }
  } catch {}
  return Buffer.concat(chunks)
}

/** Describes an error as the service does, with details for developers. */
const inWords = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
    ? 'connection refused: nothing listens there'
    : failureReason(error)
