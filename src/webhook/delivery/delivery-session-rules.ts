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
// `delivery-session-actions.ts` executes them and reports back with further events.

export type LaneName = 'quick' | 'slow'

/**
 * How many endpoints a process delivers to in a lane, and how many attempts of one endpoint may be in flight. Slow endpoints
 * have a lane of their own, so that they take no place from the others.
 */
export const LANES: Record<LaneName, { endpoints: number; window: number }> = {
  quick: { endpoints: 400, window: 32 },
  slow: { endpoints: 400, window: 8 },
}

/** Each quick answer opens the window by one. */
export const FIRST_WINDOW = 2
/** Attempts in flight in a lane. With many endpoints, each has a smaller window. */
export const MAX_IN_LANE = 1_024
/** Deliveries with their bodies that a session keeps in its queue. It searches again when half of them are gone. */
export const QUEUE_SIZE = 100
/** A session ends after this time, so that other endpoints get their turn. */
export const MAX_SESSION_MS = 60_000
/** No attempt starts unless the lease outlives it by this time: the difference between clocks, and the time to record it. */
export const LEASE_MARGIN_MS = 3_000

/** An attempt that is on the wire, or answered and not recorded yet. A crash now would repeat it. */
export type InFlight = { eventId: string; subjectId: string; sentAt: number; isAnswered: boolean }

/** Times are on the clock of `performance.now()`. */
export type DeliverySession = Readonly<{
  status: SessionStatus
  lease: Lease
  lane: LaneName
  startedAt: number
  /** How many attempts may be in flight, as far as this endpoint is concerned. */
  window: number
  /** Oldest first. */
  queue: readonly DueDelivery[]
  /** Oldest first. */
  inFlight: readonly InFlight[]
  attemptCount: number
  health: Health
  /** The last attempt, if it failed. */
  lastFailure: AttemptResult | null
}>

export type SessionEvent =
  | { type: 'woken' }
  | { type: 'found'; deliveries: readonly DueDelivery[] }
  /** `learnsFrom` is null when the webhook was not sent: that says nothing about the endpoint. */
  | { type: 'answered'; eventId: string; learnsFrom: (AttemptResult & { url: string }) | null }
  /** The attempt was recorded, or recording it failed. */
  | { type: 'recorded'; eventId: string }
  | { type: 'renewed'; lease: Lease }
  /** Time has passed. */
  | { type: 'checked' }
  | { type: 'stopped' }

export type SessionEffect =
  | { type: 'moveToLane'; lane: LaneName }
  | { type: 'saveHealth'; health: Health }
  | { type: 'send'; delivery: DueDelivery }
  /** `except`: events that the session has already. */
  | { type: 'search'; except: string[] }
  | { type: 'end' }

/** What a session needs to know about the rest of the process. */
export type Surroundings = { now: number; laneSizes: Readonly<Record<LaneName, number>> }

export type Step = { session: DeliverySession; effects: SessionEffect[] }

/** A session that has just leased its endpoint: what is due is unknown. */
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
  // The answer of a former URL says nothing about the present one.
  if (learnsFrom === null || learnsFrom.url !== session.lease.endpoint.url) return answered
  return learn(answered, learnsFrom)
}

/** What an attempt says about the endpoint: its lane, its window, its health. */
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
  // An endpoint that does not answer gets its next turn after the others.
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

/** Everything that can be done now. */
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

/** Sends the oldest deliveries whose payment has nothing on the wire: events of one payment are sent one by one, in order. */
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
