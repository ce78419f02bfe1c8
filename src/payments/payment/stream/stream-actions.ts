import { Readable } from 'node:stream'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { isDatabaseDown } from '../../../foundation/db/trouble.ts'
import { type Caller, personOf } from '../../../foundation/http/caller.ts'
import { liveSessions } from '../../../people/auth/session/session-actions.ts'
import {
  changesSince,
  messageOf,
  type Polled,
  type PolledRow,
  REPLACED,
  STILL_HERE,
  toPollResult,
} from './stream-rules.ts'
import { listNews } from './stream-store.ts'

const POLL_MS = 1_000
/**
 * The time span that each poll reads again, in milliseconds. A transaction can commit seconds after the time that it writes into its rows.
 */
const OVERLAP_MS = 10_000
const MAX_CHANGES = 1_000
const NEWEST = 100

const STILL_HERE_MS = 15_000
/** The maximum age of a stream. Then it ends, and the browser connects again. This also ends connections whose loss was not noticed. */
const MAX_AGE_MS = 15 * 60_000
/** The maximum number of unread bytes. A stream with more is closed, because its browser has stopped reading. */
const MAX_WAITING_BYTES = 64 * 1024

type Stream = { body: Readable; loginId: string; openedAt: number; sentAt: number; hasEnded: boolean }

/** A platform whose payments are shown on an open page. */
type Watched = {
  platformId: string
  /** The streams by session. */
  streams: Map<string, Stream>
  /** The result of the last poll. */
  last: Promise<Polled>
}

/** The live streams of this process. */
export type PaymentStreams = {
  /**
   * Opens the stream of a session. Ends an earlier stream of the session, because a browser needs only one.
   *
   * @throws ApiError too_many_streams
   */
  open(caller: Caller): Promise<Readable>
  /** Ends all streams and refuses new ones. */
  end(): void
}

/**
 * Creates the live streams. Each platform with an open page is polled once a second, regardless of how many pages are open. LISTEN/NOTIFY
 * of PostgreSQL is not used, because it would take a lock in each transaction that changes a payment.
 */
export function createPaymentStreams(deps: Deps): PaymentStreams {
  const platforms = new Map<string, Watched>()
  let count = 0
  let timer: NodeJS.Timeout | null = null
  let isPolling = false
  let hasEnded = false

  /** Replaces the stream of a session with a new one. */
  function add(caller: Caller): { watched: Watched; body: Readable } {
    const { platformId, credential } = caller
    const watched = platforms.get(platformId) ?? { platformId, streams: new Map(), last: firstPoll(deps, platformId) }
    platforms.set(platformId, watched)
    const { streams } = watched
    endStream(streams.get(credential.id), REPLACED)
    const body = new Readable({ read() {} })
    const now = performance.now()
    streams.set(credential.id, { body, loginId: personOf(caller), openedAt: now, sentAt: now, hasEnded: false })
    count++
    body.once('close', () => {
      count--
      if (streams.get(credential.id)?.body === body) streams.delete(credential.id)
      if (streams.size === 0 && platforms.get(platformId) === watched) platforms.delete(platformId)
    })
    return { watched, body }
  }

  async function pass(): Promise<void> {
    if (isPolling) return
    isPolling = true
    for (const watched of platforms.values()) await report(deps, watched)
    isPolling = false
    if (platforms.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }

  return {
    open: async (caller) => {
      if (hasEnded) throw new ApiError('overloaded')
      const isSecond = platforms.get(caller.platformId)?.streams.has(caller.credential.id)
      if (count >= deps.settings.maxStreams && !isSecond) throw new ApiError('too_many_streams')
      const { watched, body } = add(caller)
      timer ??= setInterval(() => void pass(), POLL_MS).unref()
      try {
        await watched.last // Changes that happen after this poll are reported.
      } catch (error) {
        body.destroy()
        throw error
      }
      body.push(STILL_HERE) // sends the headers
      return body
    },
    end: () => {
      hasEnded = true
      if (timer) clearInterval(timer)
      for (const { streams } of platforms.values()) for (const stream of streams.values()) endStream(stream)
    },
  }
}

const firstPoll = (deps: Deps, platformId: string): Promise<Polled> => poll(deps, platformId).then(toPollResult)

const poll = ({ sql, realClock }: Deps, platformId: string): Promise<PolledRow[]> => {
  const since = new Date(realClock.now().getTime() - OVERLAP_MS)
  return listNews(sql, platformId, { since, changes: MAX_CHANGES, newest: NEWEST })
}

/** Sends the changes to the streams of a platform. Ends streams whose session has ended. */
async function report(deps: Deps, watched: Watched): Promise<void> {
  const { platformId, streams } = watched
  try {
    const last = await watched.last
    const sessions = [...streams].map(([id, { loginId }]) => ({ id, loginId }))
    const live = await liveSessions(deps, platformId, sessions)
    for (const { id } of sessions) if (!live.has(id)) endStream(streams.get(id))
    const rows = await poll(deps, platformId)
    const messages = changesSince(last, rows).map(messageOf).join('')
    watched.last = Promise.resolve(toPollResult(rows))
    for (const stream of streams.values()) send(stream, messages)
  } catch (error) {
    if (!isDatabaseDown(error)) deps.log.warn({ err: error, platformId }, 'the live stream of a platform failed')
  }
}

function send(stream: Stream, messages: string): void {
  const { body, openedAt } = stream
  if (stream.hasEnded) return
  const now = performance.now()
  const isOld = now - openedAt > MAX_AGE_MS
  if (body.readableLength > (isOld ? 0 : MAX_WAITING_BYTES)) {
    body.destroy()
  } else if (isOld) {
    endStream(stream)
  } else if (messages !== '' || now - stream.sentAt >= STILL_HERE_MS) {
    stream.sentAt = now
    body.push(messages || STILL_HERE)
  }
}

function endStream(stream: Stream | undefined, farewell?: string): void {
  if (!stream || stream.hasEnded) return
  stream.hasEnded = true
  if (farewell) stream.body.push(farewell)
  stream.body.push(null)
}
