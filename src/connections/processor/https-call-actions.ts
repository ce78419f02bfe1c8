import type { Socket } from 'node:net'
import { type buildConnector, Client } from 'undici'
import type { Deps } from '../../foundation/db/deps.ts'
import { connectorTo, createDialer, endDialer } from '../../webhook/delivery/webhook-dial-actions.ts'
import { failureReason, Refused } from '../../webhook/delivery/webhook-failure-rules.ts'
import { retryAfterSeconds, webhookUrlProblem } from '../../webhook/delivery/webhook-rules.ts'

export type CallDeps = Pick<Deps, 'settings' | 'realClock'>

/** A call of a processor. `answerMs`: the time limit of the whole call in milliseconds, from the connection to the end of the answer. */
export type HttpsCall = {
  method: 'GET' | 'POST'
  url: string
  headers: Readonly<Record<string, string>>
  body: string | null
  answerMs: number
}

/** The answer of a processor. `json`: undefined if the body is not JSON. `sentAt`: the time by the processor's clock, if it sends one. */
export type HttpsAnswer = { status: number; json: unknown; retryAfterSeconds: number | null; sentAt: Date | null }

/** Thrown if no complete answer arrived. `hasLeft`: whether a connection was made, so that the processor may have read the request. */
export class CallFailed extends Error {
  readonly hasLeft: boolean
  constructor(message: string, { hasLeft }: { hasLeft: boolean }) {
    super(message)
    this.hasLeft = hasLeft
  }
}

/** The maximum size of an answer. */
const MAX_ANSWER_BYTES = 256 * 1024

/**
 * Calls a processor by the rules for webhooks: allowed addresses, TLS, no redirects. Each call has its own connection. If a call fails
 * before its connection was made, nothing was sent.
 *
 * @throws CallFailed
 */
export async function callOverHttps({ settings, realClock }: CallDeps, call: HttpsCall): Promise<HttpsAnswer> {
  const problem = webhookUrlProblem(call.url, settings)
  if (problem !== null) throw new CallFailed(`The URL ${problem}.`, { hasLeft: false })
  const url = new URL(call.url)
  const dialer = createDialer(settings)
  const connect = connectorTo(dialer, {
    url: new URL(url.origin),
    sources: settings.webhookSourceAddresses,
    onStage: () => {},
  })
  let hasLeft = false
  const client = new Client(url.origin, {
    connect: watched(connect, () => {
      hasLeft = true
    }),
    allowH2: false,
    // One deadline limits the whole call. A limit on the silence between two bytes would never end a very slow answer.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  })
  const deadline = AbortSignal.timeout(call.answerMs)
  try {
    const answer = await exchange(client, { ...call, url, deadline })
    return { ...answer, retryAfterSeconds: retryAfterSeconds(answer.retryAfter, { now: realClock.now() }) }
  } catch (error) {
    const reason = deadline.aborted ? `no answer within ${call.answerMs / 1000} seconds` : failureReason(error)
    throw new CallFailed(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`, { hasLeft })
  } finally {
    endDialer(dialer)
    await client.destroy()
  }
}

/** Reports that a connection was made, before anything is written to it. */
const watched =
  (connect: buildConnector.connector, onConnect: () => void): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => {
      if (result[0] === null) onConnect()
      callback(...(result as Parameters<buildConnector.Callback>))
    })

async function exchange(
  client: Client,
  { method, url, headers, body, deadline }: Omit<HttpsCall, 'url'> & { url: URL; deadline: AbortSignal },
): Promise<Omit<HttpsAnswer, 'retryAfterSeconds'> & { retryAfter: string | undefined }> {
  const path = url.pathname + url.search
  const answer = await client.request({ path, method, headers, body, signal: deadline })
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer.body) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new Refused('the answer is too long')
    chunks.push(chunk)
  }
  const date = Date.parse(textOf(answer.headers.date) ?? '')
  return {
    status: answer.statusCode,
    json: parsed(Buffer.concat(chunks).toString()),
    retryAfter: textOf(answer.headers['retry-after']),
    sentAt: Number.isNaN(date) ? null : new Date(date),
  }
}

const textOf = (header: string | string[] | undefined): string | undefined => [header].flat()[0]

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
