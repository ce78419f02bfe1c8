import { Pool } from 'undici'
import type { EnvironmentSettings } from '../../foundation/core/environment.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { traceHeaders } from '../../foundation/lib/trace/trace.ts'
import { BODY_TIMEOUT_MS, LOOKUP_TIMEOUT_MS, type Outcome, RESPONSE_TIMEOUT_MS } from './delivery-status.ts'
import { connectorTo, createDialer, type Dialer, endDialer } from './webhook-dial-actions.ts'
import { CLOSED_AFTER_TLS, failureReason, isClosed, Refused, type Stage, TimedOut } from './webhook-failure-rules.ts'
import {
  retryAfterSeconds,
  type SentEvent,
  type SigningKeys,
  webhookHeaders,
  webhookUrlProblem,
} from './webhook-rules.ts'

/** The open connections for webhooks. Source addresses are used in turn (specification.md 7.2). */
export type Lines = {
  dialer: Dialer
  /** Connection pools by source address and origin, least recently used first. */
  lines: Map<string, Line>
  turn: number
}

/**
 * The connections from one source address to one origin. `stage` and `lookedUpAt` (the end of the lookup) are those of the newest
 * connection. `hasAnswered`: whether the receiver has ever answered.
 */
type Line = { pool: Pool; stage: Stage; lookedUpAt: number; hasAnswered: boolean }

/** The maximum number of pools. Above it, the least recently used one is closed, because idle connections take memory. */
const MAX_LINES = 1_000
const CONNECTIONS_PER_LINE = 256

export const createLines = (settings: EnvironmentSettings): Lines => ({
  dialer: createDialer(settings),
  lines: new Map(),
  turn: 0,
})

export async function closeLines({ dialer, lines }: Lines): Promise<void> {
  const closed = Promise.all([...lines.values()].map(({ pool }) => pool.close()))
  endDialer(dialer)
  await closed
}

function lineTo(owner: Lines, url: URL): Line {
  const all = owner.dialer.settings.webhookSourceAddresses
  const first = all.length > 0 ? owner.turn++ % all.length : 0
  const sources = [...all.slice(first), ...all.slice(0, first)]
  const key = `${sources[0] ?? ''} ${url.origin}`
  const line = owner.lines.get(key) ?? openLine(owner, { key, url, sources })
  owner.lines.delete(key)
  owner.lines.set(key, line)
  const [oldest] = owner.lines.keys()
  if (owner.lines.size > MAX_LINES && oldest !== undefined) closeLine(owner, oldest)
  return line
}

function openLine(owner: Lines, { key, url, sources }: { key: string; url: URL; sources: string[] }): Line {
  const onStage = (stage: Stage) => {
    line.stage = stage
    if (stage.doing === 'connecting') line.lookedUpAt = performance.now()
  }
  const pool = new Pool(url.origin, {
    connections: CONNECTIONS_PER_LINE,
    connect: connectorTo(owner.dialer, { url: new URL(url.origin), sources, onStage }),
    allowH2: false,
    // Four seconds is undici's default, and the receiver may name another time. If the receiver closes an idle connection while a webhook
    // is being sent, the webhook is lost.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    maxHeaderSize: 16 * 1024,
    // `exchange` enforces one deadline for the whole attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const line: Line = { pool, stage: { doing: 'connecting' }, lookedUpAt: 0, hasAnswered: false }
  const closeIfUnused = () => {
    const { connected, size } = pool.stats
    if (connected === 0 && size === 0 && owner.lines.get(key) === line) closeLine(owner, key)
  }
  pool.on('disconnect', closeIfUnused).on('connectionError', closeIfUnused)
  return line
}

/** Closes a pool after its requests in flight have finished. */
function closeLine({ lines }: Lines, key: string): void {
  void lines.get(key)?.pool.close()
  lines.delete(key)
}

export type PostResult = {
  outcome: Outcome
  httpStatus: number | null
  /** A sentence for the user who set the URL, or null if the receiver responded. */
  error: string | null
  /** The request headers that were sent, with names in lower case. */
  requestHeaders: Record<string, string>
  /** The first KiB of the response's body, or an empty buffer. */
  responseBody: Buffer
  /** The seconds of delay from the Retry-After header of an error response, or null. */
  retryAfterSeconds: number | null
}

/** Sends one HTTP POST, signed with the key of the user who set the URL. An error of the receiver is returned as an outcome, not thrown. */
export async function postWebhook(
  deps: Pick<Deps, 'settings' | 'random' | 'realClock'>,
  lines: Lines,
  { url: text, ...keys }: { url: string } & SigningKeys,
  event: SentEvent,
): Promise<PostResult> {
  const nonce = deps.random.bytes(6).readUIntBE(0, 6).toString()
  const requestHeaders = {
    ...webhookHeaders({ ...event, nonce, now: deps.realClock.now() }, keys),
    ...traceHeaders(),
  }
  try {
    // The rules for URLs may have become stricter since this URL was stored.
    const problem = webhookUrlProblem(text, deps.settings)
    if (problem !== null) throw new Refused(`the URL ${problem}`)
    const answer = await exchange(lines, { url: new URL(text), headers: requestHeaders, body: event.body })
    const isAcknowledged = answer.status >= 200 && answer.status < 300
    return {
      outcome: isAcknowledged ? 'acknowledged' : 'rejected',
      httpStatus: answer.status,
      error: null,
      requestHeaders,
      responseBody: answer.body,
      retryAfterSeconds: isAcknowledged ? null : retryAfterSeconds(answer.retryAfter, { now: deps.realClock.now() }),
    }
  } catch (error) {
    return {
      ...unanswered(failureReason(error), requestHeaders),
      ...(error instanceof TimedOut && { outcome: 'timed_out' }),
    }
  }
}

export const unanswered = (error: string, requestHeaders: Record<string, string>): PostResult => ({
  outcome: 'unreachable',
  httpStatus: null,
  error,
  requestHeaders,
  responseBody: Buffer.alloc(0),
  retryAfterSeconds: null,
})

type Answer = { status: number; retryAfter: string | undefined; body: Buffer }

/** The maximum size of a body that is read to its end. Above it, the connection is closed. */
const MAX_BODY_BYTES = 64 * 1024
const KEPT_BODY_BYTES = 1024
const MAX_INTERIM_ANSWERS = 20

/** Sends a request and reads the response. @throws TimedOut, Refused, and errors of undici, sockets and TLS */
function exchange(
  lines: Lines,
  { url, headers, body }: { url: URL; headers: Record<string, string>; body: string },
): Promise<Answer> {
  const line = lineTo(lines, url)
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    let abort: (() => void) | null = null
    let answer: Answer | null = null
    let interimCount = 0
    let bodyBytes = 0
    let isOver = false
    const settle = (error: unknown) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      if (answer) resolve(answer)
      else reject(error)
    }
    const breakOff = (error: Error) => {
      settle(error)
      abort?.()
    }
    const timeOut = () => {
      breakOff(new TimedOut(abort ? { doing: 'waiting for the answer' } : line.stage))
    }
    let timer = setTimeout(() => {
      // The time of the lookup does not count toward the receiver's time limit.
      const lookupMs = Math.min(Math.max(line.lookedUpAt - startedAt, 0), LOOKUP_TIMEOUT_MS)
      if (lookupMs > 0) timer = setTimeout(timeOut, lookupMs)
      else timeOut()
    }, RESPONSE_TIMEOUT_MS)
    const isClosedAfterTls = (error: unknown) =>
      url.protocol === 'https:' && !line.hasAnswered && line.stage.doing === 'waiting for the answer' && isClosed(error)
    const path = url.pathname + url.search
    line.pool.dispatch(
      { origin: url.origin, path, method: 'POST', headers, body },
      {
        onRequestStart(controller) {
          abort = () => controller.abort(new Error('nothing more is read'))
          if (isOver) abort()
        },
        onResponseStart(_controller, status, fields) {
          line.hasAnswered = true
          if (status < 200) {
            if (++interimCount > MAX_INTERIM_ANSWERS) breakOff(new Refused('too many interim answers (1xx)'))
            return
          }
          answer = { status, retryAfter: [fields['retry-after']].flat()[0], body: Buffer.alloc(0) }
          clearTimeout(timer)
          timer = setTimeout(timeOut, BODY_TIMEOUT_MS)
        },
        onResponseData(_controller, chunk) {
          bodyBytes += chunk.length
          if (answer && answer.body.length < KEPT_BODY_BYTES) {
            answer.body = Buffer.concat([answer.body, chunk]).subarray(0, KEPT_BODY_BYTES)
          }
          if (bodyBytes > MAX_BODY_BYTES) breakOff(new Error('the body is longer'))
        },
        onResponseEnd: () => settle(null),
        onResponseError: (_controller, error) =>
          settle(isClosedAfterTls(error) ? new Refused(CLOSED_AFTER_TLS) : error),
      },
    )
  })
}
