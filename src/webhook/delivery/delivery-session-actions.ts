import { SpanKind } from '@opentelemetry/api'
import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { runInSubjectTrace } from '../../foundation/lib/trace/trace.ts'
import { openSigningKeys } from '../endpoint/signing-key-actions.ts'
import { reviewHealth } from '../endpoint/webhook-health-actions.ts'
import type { Health } from '../endpoint/webhook-health-rules.ts'
import type { HealthRecord } from '../endpoint/webhook-health-store.ts'
import type { EndpointKey } from '../endpoint/webhook-store.ts'
import {
  advanceSession,
  type DeliverySession,
  type LaneName,
  newSession,
  type SessionEffect,
  type SessionEvent,
} from './delivery-session-rules.ts'
import { afterAttempt } from './delivery-status.ts'
import type { AttemptRecord, DueQuestion } from './delivery-store.ts'
import type { DueDelivery, Lease } from './delivery-types.ts'
import { bodyToSend } from './full-body-actions.ts'
import { type Lines, type PostResult, postWebhook, unanswered } from './webhook-post-actions.ts'
import type { SigningKeys } from './webhook-rules.ts'

// Runs delivery sessions: executes the effects that `delivery-session-rules.ts` decides on, and reports their results back as events.

/** The state that all delivery sessions of a process share. Their searches, records and leases are batched. */
export type Courier = {
  /** The name under which this process leases endpoints. */
  worker: string
  /** The connections over which webhooks are sent. */
  lines: Lines
  lanes: Record<LaneName, Set<RunningSession>>
  /** The number of passes that have searched for endpoints with due deliveries. */
  passCount: number
  /** Aborted when the process ends. Attempts in flight are finished, and no new ones start. */
  ending: AbortController
  lookUp(deps: Deps, question: DueQuestion): Promise<DueDelivery[]>
  record(deps: Deps, record: AttemptRecord): Promise<void>
  saveHealth(deps: Deps, record: HealthRecord): Promise<void>
  endLease(deps: Deps, endpoint: EndpointKey): Promise<void>
}

export type RunningSession = {
  readonly deps: Deps
  readonly courier: Courier
  session: DeliverySession
  keys: SigningKeys
  /** The pending write of the last change of health. */
  savedHealth: Promise<void>
  /** The first error. The session ends with it. */
  failure: { error: unknown } | null
  end(): void
}

/**
 * Runs the delivery session of a leased endpoint, which sends all due deliveries. Then ends the lease.
 *
 * @returns the number of attempts
 */
export async function deliverToEndpoint(deps: Deps, courier: Courier, lease: Lease): Promise<number> {
  try {
    return await runSession(startSession(deps, courier, lease))
  } finally {
    const { passCount } = courier
    await courier.endLease(deps, lease.endpoint)
    // A pass during the session skipped this endpoint because it was leased. Another pass must search again.
    if (courier.passCount !== passCount) deps.wake()
  }
}

const startSession = (deps: Deps, courier: Courier, lease: Lease): RunningSession => ({
  deps,
  courier,
  session: newSession(lease, performance.now()),
  keys: openSigningKeys(deps, lease.endpoint),
  savedHealth: Promise.resolve(),
  failure: null,
  end: () => {},
})

async function runSession(running: RunningSession): Promise<number> {
  const { deps, courier } = running
  courier.lanes[running.session.lane].add(running)
  try {
    await new Promise<void>((resolve) => {
      running.end = resolve
      dispatch(running, { type: courier.ending.signal.aborted ? 'stopped' : 'woken' })
    })
    await running.savedHealth
    const { lease, health, lastFailure } = running.session
    if (lastFailure && lease.endpoint.kind === 'endpoint') {
      await reviewHealth(deps, lease.endpoint, health, lastFailure)
    }
  } finally {
    courier.lanes[running.session.lane].delete(running)
  }
  if (running.failure) throw running.failure.error
  return running.session.attemptCount
}

/** Notifies a session that an event was written, perhaps for its endpoint. */
export const wakeSession = (running: RunningSession): void => dispatch(running, { type: 'woken' })

/** Stops a session, because its lease is lost or the process ends. Attempts in flight are finished, and no new ones start. */
export const stopSession = (running: RunningSession): void => dispatch(running, { type: 'stopped' })

/** Gives a session its renewed lease, which contains the current state of the endpoint. */
export function renewSession(running: RunningSession, lease: Lease): void {
  try {
    running.keys = openSigningKeys(running.deps, lease.endpoint)
  } catch (error) {
    // If this process cannot open the endpoint's key, only this session fails.
    fail(running, error)
  }
  dispatch(running, { type: 'renewed', lease })
}

/** Moves a session to the slow lane if its receiver has not answered for too long. @returns whether it moved */
export function checkSession(running: RunningSession): boolean {
  const { lane } = running.session
  dispatch(running, { type: 'checked' })
  return running.session.lane !== lane
}

function fail(running: RunningSession, error: unknown): void {
  running.failure ??= { error }
  dispatch(running, { type: 'stopped' })
}

function dispatch(running: RunningSession, event: SessionEvent): void {
  const { quick, slow } = running.courier.lanes
  const laneSizes = { quick: quick.size, slow: slow.size }
  const { lane } = running.session
  const { session, effects } = advanceSession(running.session, event, { now: performance.now(), laneSizes })
  running.session = session
  for (const effect of effects) execute(running, effect, lane)
}

function execute(running: RunningSession, effect: SessionEffect, laneBefore: LaneName): void {
  switch (effect.type) {
    case 'moveToLane':
      running.courier.lanes[laneBefore].delete(running)
      running.courier.lanes[effect.lane].add(running)
      break
    case 'saveHealth':
      running.savedHealth = saveHealth(running, effect.health)
      running.savedHealth.catch((error) => fail(running, error))
      break
    case 'send':
      void attempt(running, effect.delivery)
      break
    case 'search':
      void search(running, effect.except)
      break
    case 'end':
      running.end()
  }
}

function saveHealth({ deps, courier, session }: RunningSession, health: Health): Promise<void> {
  const { platformId, endpointId, url } = session.lease.endpoint
  return courier.saveHealth(deps, { platformId, endpointId, url, ...health })
}

async function search(running: RunningSession, except: string[]): Promise<void> {
  const { deps, courier, session } = running
  const { platformId, endpointId } = session.lease.endpoint
  const deliveries = await courier.lookUp(deps, { platformId, endpointId, except }).catch((error) => {
    fail(running, error)
    return []
  })
  dispatch(running, { type: 'found', deliveries })
}

async function attempt(running: RunningSession, delivery: DueDelivery): Promise<void> {
  const { eventId } = delivery
  try {
    await sendAndRecord(running, delivery)
  } catch (error) {
    fail(running, error)
  }
  dispatch(running, { type: 'recorded', eventId })
}

async function sendAndRecord(running: RunningSession, delivery: DueDelivery): Promise<void> {
  const { deps, courier, keys } = running
  const { url, bodyFormat } = running.session.lease.endpoint
  const startedAt = new Date(deps.clock.now().getTime() + delivery.offsetMs)
  let begin = performance.now()
  const { isSent, ...result } = await runInSubjectTrace(
    delivery.subjectId,
    'webhook',
    { kind: SpanKind.CLIENT },
    async () => {
      const body = await bodyToSend(deps, delivery, bodyFormat)
      begin = performance.now()
      return postWebhook(deps, courier.lines, { url, ...keys }, { ...delivery, body, order: delivery })
    },
  )
    .then((posted) => ({ ...posted, isSent: true }))
    .catch((error) => notSent(running, delivery, error))
  const durationMs = Math.round(performance.now() - begin)
  const attempt = { ...result, startedAt, durationMs }
  deps.meter.webhookAttempted({ outcome: result.outcome, seconds: durationMs / 1000 })
  const recorded = courier.record(deps, recordOf(running.session.lease, delivery, attempt))
  const { outcome, httpStatus, error } = result
  const learnsFrom = isSent ? { url, outcome, httpStatus, error, startedAt, durationMs } : null
  dispatch(running, { type: 'answered', eventId: delivery.eventId, learnsFrom })
  await recorded
}

/** Reports an event that could not be sent as a failed attempt, so that later events get their turn. */
function notSent(
  { deps, session }: RunningSession,
  { eventId: id }: DueDelivery,
  error: unknown,
): PostResult & { isSent: false } {
  const { platformId } = session.lease.endpoint
  isolate(deps, 'deliver webhooks').fail({ platformId, kind: 'event', id }, error)
  return { isSent: false, ...unanswered('The event could not be sent because of an internal error.', {}) }
}

type Attempt = PostResult & { startedAt: Date; durationMs: number }

function recordOf({ endpoint }: Lease, delivery: DueDelivery, attempt: Attempt): AttemptRecord {
  const { outcome, startedAt, durationMs, httpStatus, requestHeaders, responseBody } = attempt
  const number = delivery.attemptCount + 1
  const retryAfterSeconds = endpoint.kind === 'endpoint' ? attempt.retryAfterSeconds : null
  const change = afterAttempt({
    outcome,
    attemptNumber: number - delivery.attemptsBefore,
    startedAt,
    notBefore:
      retryAfterSeconds === null ? null : new Date(startedAt.getTime() + durationMs + retryAfterSeconds * 1000),
  })
  // PostgreSQL cannot store NUL characters or lone surrogates in text.
  const error = attempt.error?.replaceAll('\0', '').toWellFormed() ?? null
  const row = { number, startedAt, durationMs, outcome, httpStatus, error, requestHeaders, responseBody }
  return { delivery, attempt: row, change }
}
