import {
  type AttemptResult,
  type Health,
  healthAfter,
  isGone,
  isSameHealth,
  SLOW_MS,
} from '../endpoint/webhook-health-rules.ts'
import { type SessionStatus, type SessionTransition, sessionWork, statusAfter } from './delivery-session-status.ts'
import { EXCHANGE_TIMEOUT_MS } from './delivery-status.ts'
import type { DueDelivery, Lease } from './delivery-types.ts'

// A delivery session as a value: `advanceSession` takes an event and returns the next session and the effects to execute.
// `delivery-session-actions.ts` executes the effects and reports their results as further events.

export type LaneName = 'quick' | 'slow'

/**
 * The limits of each lane: `endpoints` that a process delivers to at once, and `window`, the attempts in flight for one endpoint. Slow
 * endpoints have their own lane, so that they do not take the places of quick ones.
 */
export const LANES: Record<LaneName, { endpoints: number; window: number }> = {
  quick: { endpoints: 400, window: 32 },
  slow: { endpoints: 400, window: 8 },
}

/** The window of a new session: the number of attempts that may be in flight. Each quick answer increases it by one. */
export const FIRST_WINDOW = 2
/** The maximum number of attempts in flight in a lane. It is shared, so that more endpoints have smaller windows. */
export const MAX_IN_LANE = 1_024
/**
 * The maximum number of deliveries, with their bodies, in the queue of a session. The session searches again when half of them are sent.
 */
export const QUEUE_SIZE = 100
/** The maximum duration of a session. After that, other endpoints get their turn. */
export const MAX_SESSION_MS = 60_000
/**
 * The milliseconds that must remain of a lease after the longest possible attempt. They cover clock differences and the recording of the
 * attempt.
 */
export const LEASE_MARGIN_MS = 3_000

/** An attempt that was sent and is not recorded yet. If the process crashes now, the webhook is sent again. */
export type InFlight = { eventId: string; subjectId: string; sentAt: number; isAnswered: boolean }

/** The state of a session. Times are on the clock of `performance.now()`. */
export type DeliverySession = Readonly<{
  status: SessionStatus
  lease: Lease
  lane: LaneName
  startedAt: number
  /** The maximum number of attempts in flight for this endpoint. The lane may lower it. */
  window: number
  /** Deliveries to send, oldest first. */
  queue: readonly DueDelivery[]
  /** Attempts that are not recorded yet, oldest first. */
  inFlight: readonly InFlight[]
  attemptCount: number
  health: Health
  /** The last attempt if it failed, otherwise null. */
  lastFailure: AttemptResult | null
}>

export type SessionEvent =
  | { type: 'woken' }
  | { type: 'found'; deliveries: readonly DueDelivery[] }
  /** `learnsFrom` is null if the webhook was not sent. Such an attempt contains no information about the endpoint. */
  | { type: 'answered'; eventId: string; learnsFrom: (AttemptResult & { url: string }) | null }
  /** Recording the attempt has ended, with or without success. */
  | { type: 'recorded'; eventId: string }
  | { type: 'renewed'; lease: Lease }
  /** A periodic check of how long the attempts take. */
  | { type: 'checked' }
  | { type: 'stopped' }

export type SessionEffect =
  | { type: 'moveToLane'; lane: LaneName }
  | { type: 'saveHealth'; health: Health }
  | { type: 'send'; delivery: DueDelivery }
  /** `except`: events that the session already has. */
  | { type: 'search'; except: string[] }
  | { type: 'end' }

/** The state of the process that a session needs: the time, and the number of sessions in each lane. */
export type Surroundings = { now: number; laneSizes: Readonly<Record<LaneName, number>> }

export type Step = { session: DeliverySession; effects: SessionEffect[] }

/** Creates the session of an endpoint that was just leased. Its due deliveries are unknown. */
export const newSession = (lease: Lease, now: number): DeliverySession => ({
  status: 'WOKEN',
  lease,
  lane: lease.endpoint.isSlow ? 'slow' : 'quick',
  startedAt: now,
  window: FIRST_WINDOW,
  queue: [],
  inFlight: [],
  attemptCount: 0,
  health: healthOf(lease),
  lastFailure: null,
})

const healthOf = ({ endpoint: { isSlow, failingSince } }: Lease): Health => ({ isSlow, failingSince })

export function advanceSession(before: DeliverySession, event: SessionEvent, surroundings: Surroundings): Step {
  if (before.status === 'ENDED') return { session: before, effects: [] }
  const changed = afterEvent(before, event, surroundings)
  const isTurnOver = surroundings.now - before.startedAt > MAX_SESSION_MS
  const { session, effects } = nextWork(isTurnOver ? change(changed, 'stop') : changed, surroundings)
  const moved: SessionEffect[] = session.lane === before.lane ? [] : [{ type: 'moveToLane', lane: session.lane }]
  const isHealthNew = event.type === 'answered' && !isSameHealth(session.health, before.health)
  const saved: SessionEffect[] = isHealthNew ? [{ type: 'saveHealth', health: session.health }] : []
  return { session, effects: [...moved, ...saved, ...effects] }
}

function afterEvent(session: DeliverySession, event: SessionEvent, { now }: Surroundings): DeliverySession {
  switch (event.type) {
    case 'woken':
      return change(session, 'wake')
    case 'found':
      return afterSearch(session, event.deliveries)
    case 'answered':
      return afterAnswer(session, event)
    case 'recorded':
      return { ...session, inFlight: session.inFlight.filter(({ eventId }) => eventId !== event.eventId) }
    case 'renewed':
      return afterRenewal(session, event.lease)
    case 'checked':
      return isWaitingLong(session, now) ? { ...session, lane: 'slow' } : session
    case 'stopped':
      return change(session, 'stop')
  }
}

const change = (session: DeliverySession, transition: SessionTransition): DeliverySession => ({
  ...session,
  status: statusAfter(session.status, transition),
})

function afterSearch(session: DeliverySession, deliveries: readonly DueDelivery[]): DeliverySession {
  const found = change(session, deliveries.length === QUEUE_SIZE ? 'findPart' : 'findAll')
  return { ...found, queue: [...session.queue, ...deliveries] }
}

function afterAnswer(
  session: DeliverySession,
  { eventId, learnsFrom }: Extract<SessionEvent, { type: 'answered' }>,
): DeliverySession {
  const inFlight = session.inFlight.map((one) => (one.eventId === eventId ? { ...one, isAnswered: true } : one))
  const answered = { ...session, inFlight }
  // An answer from the endpoint's previous URL does not count for its current URL.
  if (learnsFrom === null || learnsFrom.url !== session.lease.endpoint.url) return answered
  return learn(answered, learnsFrom)
}

/** Updates the lane, the window and the health of a session after an attempt. */
function learn(session: DeliverySession, attempt: AttemptResult): DeliverySession {
  const { isSlow, failingSince } = healthAfter(session.health, attempt)
  const { outcome } = attempt
  const isManaged = session.lease.endpoint.kind === 'endpoint'
  const learned: DeliverySession = {
    ...session,
    lane: isSlow ? 'slow' : 'quick',
    window: isSlow ? Math.max(FIRST_WINDOW, session.window >> 1) : Math.min(session.window + 1, LANES.quick.window),
    health: { isSlow, failingSince: isManaged ? failingSince : null },
    lastFailure: outcome === 'acknowledged' ? null : attempt,
  }
  // The session stops, so that other endpoints get their turn before this one, which does not answer.
  return outcome === 'timed_out' || (isManaged && isGone(attempt)) ? change(learned, 'stop') : learned
}

function afterRenewal(session: DeliverySession, lease: Lease): DeliverySession {
  const renewed = { ...session, lease }
  if (lease.endpoint.url === session.lease.endpoint.url) return renewed
  return { ...renewed, health: healthOf(lease), lastFailure: null }
}

const isWaitingLong = ({ inFlight }: DeliverySession, now: number): boolean => {
  const oldest = inFlight.find(({ isAnswered }) => !isAnswered)
  return oldest !== undefined && now - oldest.sentAt > SLOW_MS
}

/** Decides what a session does now: send, search or end. */
function nextWork(before: DeliverySession, { now, laneSizes }: Surroundings): Step {
  const window = windowOf(before, laneSizes)
  const room = window - before.inFlight.length
  const canSend = room > 0 && before.queue.length > 0 && isSending(before, now)
  const { session, effects } = canSend ? sendNext(before, room, now) : { session: before, effects: [] }
  if (isSearching(session, window)) {
    return { session: change(session, 'search'), effects: [...effects, { type: 'search', except: eventsOf(session) }] }
  }
  if (isFinished(session)) return { session: change(session, 'end'), effects: [...effects, { type: 'end' }] }
  return { session, effects }
}

const windowOf = ({ window, lane }: DeliverySession, laneSizes: Surroundings['laneSizes']): number =>
  Math.max(FIRST_WINDOW, Math.min(window, LANES[lane].window, Math.floor(MAX_IN_LANE / laneSizes[lane])))

const isSending = ({ status, lease }: DeliverySession, now: number): boolean =>
  sessionWork[status].isSending && lease.endsAt - now > EXCHANGE_TIMEOUT_MS + LEASE_MARGIN_MS

/** Sends the oldest deliveries whose payment has no attempt in flight. Events of one payment are sent one at a time, in order. */
function sendNext(session: DeliverySession, room: number, now: number): Step {
  const inFlight = [...session.inFlight]
  const waiting: DueDelivery[] = []
  const effects: SessionEffect[] = []
  for (const delivery of session.queue) {
    const { eventId, subjectId } = delivery
    if (effects.length === room || isOnWire(inFlight, subjectId)) {
      waiting.push(delivery)
      continue
    }
    inFlight.push({ eventId, subjectId, sentAt: now, isAnswered: false })
    effects.push({ type: 'send', delivery })
  }
  const attemptCount = session.attemptCount + effects.length
  return { session: { ...session, queue: waiting, inFlight, attemptCount }, effects }
}

const isOnWire = (inFlight: InFlight[], subject: string): boolean =>
  inFlight.some(({ subjectId, isAnswered }) => subjectId === subject && !isAnswered)

function isSearching({ status, queue, inFlight }: DeliverySession, window: number): boolean {
  const { searchesWhen } = sessionWork[status]
  if (searchesWhen === 'queueIsHalfEmpty') return queue.length <= QUEUE_SIZE / 2
  return searchesWhen === 'queueIsEmpty' && queue.length === 0 && inFlight.length < window
}

const eventsOf = ({ queue, inFlight }: DeliverySession): string[] =>
  [...queue, ...inFlight].map(({ eventId }) => eventId)

function isFinished({ status, queue, inFlight }: DeliverySession): boolean {
  const { endsWhen } = sessionWork[status]
  return inFlight.length === 0 && (endsWhen === 'always' || (endsWhen === 'queueIsEmpty' && queue.length === 0))
}
