import type { Deps } from '../../db/deps.ts'
import { isolate } from '../../db/isolation.ts'
import { openSigningKeys } from '../endpoint/signing-key-actions.ts'
import { reviewHealth } from '../endpoint/webhook-health-actions.ts'
import {
  type AttemptResult,
  type Health,
  healthAfter,
  isGone,
  isSameHealth,
  SLOW_MS,
} from '../endpoint/webhook-health-rules.ts'
import type { HealthRecord } from '../endpoint/webhook-health-store.ts'
import type { EndpointKey } from '../endpoint/webhook-store.ts'
import { afterAttempt } from './delivery-status.ts'
import type { AttemptRecord, DueDelivery, DueQuestion, LeasedEndpoint } from './delivery-store.ts'
import { EXCHANGE_TIMEOUT_MS, type Lines, type PostResult, postWebhook } from './webhook-post-actions.ts'
import type { SigningKeys } from './webhook-rules.ts'

// A drive delivers what is due for one leased endpoint: a window that slides over a short queue. Endpoints that answer
// slowly are driven in a lane of their own, so that they take no place of those that do not.

export type LaneName = 'quick' | 'slow'

/** How many endpoints a process drives in a lane at a time, and how many attempts of one are under way at most. */
export const LANES: Record<LaneName, { endpoints: number; window: number }> = {
  quick: { endpoints: 400, window: 32 },
  slow: { endpoints: 400, window: 8 },
}

/** The window opens by one with each quick answer. */
const FIRST_WINDOW = 2
/** Attempts under way in a lane: many endpoints at a time have smaller windows. */
const MAX_IN_LANE = 1_024
/** Deliveries with their bodies that a drive has in its queue; it looks for more when half of them are gone. */
export const QUEUE_SIZE = 100
/** A drive that goes on for so long ends, and what is still due has its turn again. */
const MAX_DRIVE_MS = 60_000
/** No attempt is begun unless the lease outlives it by this: what clocks differ by, and the time to record it. */
const LEASE_MARGIN_MS = 3_000

/** What the drives of a process have in common. Results, questions and leases of all are written and read together. */
export type Courier = {
  /** The name under which this process leases endpoints. */
  worker: string
  /** The connections on which webhooks leave. */
  lines: Lines
  lanes: Record<LaneName, Set<Drive>>
  /** How often it was looked for endpoints that have something due. */
  passCount: number
  /** Aborted when the process is about to end: what is under way is finished, nothing else is begun. */
  ending: AbortController
  lookUp(deps: Deps, question: DueQuestion): Promise<DueDelivery[]>
  record(deps: Deps, record: AttemptRecord): Promise<void>
  saveHealth(deps: Deps, record: HealthRecord): Promise<void>
  endLease(deps: Deps, endpoint: EndpointKey): Promise<void>
}

/** An endpoint as it was leased, or found when the lease was renewed. `endsAt`: on the clock of `performance.now()`. */
export type Lease = { endpoint: LeasedEndpoint; endsAt: number }

export type Drive = {
  deps: Deps
  courier: Courier
  lease: Lease
  keys: SigningKeys
  lane: LaneName
  beganAt: number
  /** Oldest first. */
  queue: DueDelivery[]
  /** The events that are in the queue, on the wire or not recorded yet. */
  inHand: Set<string>
  /** What is on the wire: when it was begun, by its subject, oldest first. */
  onWire: Map<string, number>
  window: number
  isLooking: boolean
  /** The last look found as much as it could take. */
  hasMore: boolean
  /** Something new has been written, perhaps for this endpoint. */
  isWoken: boolean
  /** Begins nothing any more. */
  isStopped: boolean
  isOver: boolean
  attemptCount: number
  health: Health
  lastFailure: AttemptResult | null
  /** The last change of health on its way to the database. */
  saving: Promise<void>
  problem: { error: unknown } | null
  end(): void
}

/**
 * Delivers what is due for an endpoint until nothing is, it does not answer, or its turn is over; then ends its lease.
 *
 * @returns how many attempts it made
 */
export async function driveEndpoint(deps: Deps, courier: Courier, lease: Lease): Promise<number> {
  try {
    return await run(createDrive(deps, courier, lease))
  } finally {
    const { passCount } = courier
    await courier.endLease(deps, lease.endpoint)
    // A pass that came meanwhile found the endpoint leased.
    if (courier.passCount !== passCount) deps.wake()
  }
}

async function run(drive: Drive): Promise<number> {
  const { deps, courier, lease } = drive
  courier.lanes[drive.lane].add(drive)
  try {
    await new Promise<void>((resolve) => {
      drive.end = resolve
      pump(drive)
    })
    await drive.saving
    if (drive.lastFailure && lease.endpoint.kind === 'endpoint') {
      await reviewHealth(deps, drive.lease.endpoint, drive.health, drive.lastFailure)
    }
  } finally {
    courier.lanes[drive.lane].delete(drive)
  }
  if (drive.problem) throw drive.problem.error
  return drive.attemptCount
}

function createDrive(deps: Deps, courier: Courier, lease: Lease): Drive {
  const { isSlow, failingSince } = lease.endpoint
  return {
    deps,
    courier,
    lease,
    keys: openSigningKeys(deps, lease.endpoint),
    lane: isSlow ? 'slow' : 'quick',
    beganAt: performance.now(),
    queue: [],
    inHand: new Set(),
    onWire: new Map(),
    window: FIRST_WINDOW,
    isLooking: false,
    hasMore: false,
    isWoken: true,
    isStopped: false,
    isOver: false,
    attemptCount: 0,
    health: { isSlow, failingSince },
    lastFailure: null,
    saving: Promise.resolve(),
    problem: null,
    end: () => {},
  }
}

/** There may be something new for the endpoint. */
export function wakeDrive(drive: Drive): void {
  drive.isWoken = true
  pump(drive)
}

/** The lease holds for longer; the endpoint may have changed. */
export function renewDrive(drive: Drive, lease: Lease): void {
  const { url, isSlow, failingSince } = lease.endpoint
  // What was learnt of another URL says nothing of this one.
  if (url !== drive.lease.endpoint.url) Object.assign(drive, { health: { isSlow, failingSince }, lastFailure: null })
  drive.lease = lease
  try {
    drive.keys = openSigningKeys(drive.deps, lease.endpoint)
  } catch (error) {
    // A key that this process cannot open stops one endpoint, and not the renewal of the others.
    fail(drive, error)
  }
  pump(drive)
}

/** Finishes what is under way and begins nothing else: the lease is lost, or nothing is to be delivered any more. */
export function stopDrive(drive: Drive): void {
  drive.isStopped = true
  pump(drive)
}

/** Whether a drive waits for a receiver for so long that it belongs in the other lane. */
export function moveIfSlow(drive: Drive): boolean {
  const [oldest] = drive.onWire.values()
  const isSlow = drive.lane === 'quick' && oldest !== undefined && performance.now() - oldest > SLOW_MS
  if (isSlow) moveTo(drive, 'slow')
  return isSlow
}

function moveTo(drive: Drive, lane: LaneName): void {
  if (drive.lane === lane) return
  drive.courier.lanes[drive.lane].delete(drive)
  drive.courier.lanes[lane].add(drive)
  drive.lane = lane
}

/** Does whatever can be done now. Called after everything that may have changed it. */
function pump(drive: Drive): void {
  if (drive.isOver) return
  const isStopping = drive.isStopped || drive.courier.ending.signal.aborted || isTurnOver(drive)
  if (!isStopping) {
    while (underWay(drive) < windowOf(drive) && outlivesAttempt(drive)) {
      const delivery = takeNext(drive)
      if (!delivery) break
      void attempt(drive, delivery)
    }
    if (wantsMore(drive)) void look(drive)
  }
  if (underWay(drive) > 0 || drive.isLooking) return
  if (!isStopping && (drive.queue.length > 0 || drive.isWoken || drive.hasMore)) return
  drive.isOver = true
  drive.end()
}

const isTurnOver = ({ beganAt }: Drive): boolean => performance.now() - beganAt > MAX_DRIVE_MS

/** On the wire, or not recorded yet: what would be repeated after a crash. */
const underWay = ({ inHand, queue }: Drive): number => inHand.size - queue.length

const windowOf = ({ window, lane, courier }: Drive): number =>
  Math.max(FIRST_WINDOW, Math.min(window, LANES[lane].window, Math.floor(MAX_IN_LANE / courier.lanes[lane].size)))

const outlivesAttempt = ({ lease }: Drive): boolean =>
  lease.endsAt - performance.now() > EXCHANGE_TIMEOUT_MS + LEASE_MARGIN_MS

/** The oldest whose payment has nothing on the wire: events of one payment go one after the other, in order. */
function takeNext({ queue, onWire }: Drive): DueDelivery | undefined {
  const index = queue.findIndex(({ subjectId }) => !onWire.has(subjectId))
  return index === -1 ? undefined : queue.splice(index, 1)[0]
}

const wantsMore = (drive: Drive): boolean =>
  !drive.isLooking &&
  ((drive.hasMore && drive.queue.length <= QUEUE_SIZE / 2) ||
    (drive.isWoken && drive.queue.length === 0 && underWay(drive) < windowOf(drive)))

/** Fills the queue. */
async function look(drive: Drive): Promise<void> {
  const { deps, courier, queue, inHand } = drive
  drive.isLooking = true
  drive.isWoken = false
  drive.hasMore = false
  try {
    const { platformId, endpointId } = drive.lease.endpoint
    const due = await courier.lookUp(deps, { platformId, endpointId, except: [...inHand] })
    queue.push(...due)
    for (const { eventId } of due) inHand.add(eventId)
    drive.hasMore = due.length === QUEUE_SIZE
  } catch (error) {
    fail(drive, error)
  }
  drive.isLooking = false
  pump(drive)
}

async function attempt(drive: Drive, delivery: DueDelivery): Promise<void> {
  const { deps, courier, lease, keys, inHand, onWire } = drive
  const startedAt = new Date(deps.clock.now().getTime() + delivery.offsetMs)
  const begin = performance.now()
  onWire.set(delivery.subjectId, begin)
  drive.attemptCount++
  try {
    const { url } = lease.endpoint
    const { isSent, ...result } = await postWebhook(deps, courier.lines, { url, ...keys }, delivery)
      .then((posted) => ({ ...posted, isSent: true }))
      .catch((error) => notSent(drive, delivery, error))
    const durationMs = Math.round(performance.now() - begin)
    onWire.delete(delivery.subjectId)
    deps.meter.webhookAttempted({ outcome: result.outcome, seconds: durationMs / 1000 })
    const recorded = courier.record(deps, recordOf(drive, delivery, { ...result, startedAt, durationMs }))
    // What another URL has answered says nothing of the one that the endpoint has now.
    if (isSent && url === drive.lease.endpoint.url) learn(drive, { ...result, startedAt, durationMs })
    pump(drive)
    await recorded
  } catch (error) {
    onWire.delete(delivery.subjectId)
    fail(drive, error)
  }
  inHand.delete(delivery.eventId)
  pump(drive)
}

/** An event that cannot be sent is one attempt, so that the events behind it have their turn. */
function notSent({ deps, lease }: Drive, { eventId: id }: DueDelivery, error: unknown): PostResult & { isSent: false } {
  const { platformId } = lease.endpoint
  isolate(deps, 'deliver webhooks').fail({ platformId, kind: 'event', id }, error)
  return {
    isSent: false,
    outcome: 'unreachable',
    httpStatus: null,
    error: 'The event could not be sent because of an internal error.',
    requestHeaders: {},
    responseBody: Buffer.alloc(0),
    retryAfterSeconds: null,
  }
}

function fail(drive: Drive, error: unknown): void {
  drive.problem ??= { error }
  drive.isStopped = true
}

type Made = PostResult & { startedAt: Date; durationMs: number }

function recordOf({ lease }: Drive, delivery: DueDelivery, made: Made): AttemptRecord {
  const { outcome, startedAt, durationMs, httpStatus, requestHeaders, responseBody } = made
  const number = delivery.attemptCount + 1
  const retryAfterSeconds = lease.endpoint.kind === 'endpoint' ? made.retryAfterSeconds : null
  const change = afterAttempt({
    outcome,
    attemptNumber: number - delivery.attemptsBefore,
    startedAt,
    notBefore:
      retryAfterSeconds === null ? null : new Date(startedAt.getTime() + durationMs + retryAfterSeconds * 1000),
  })
  // What PostgreSQL does not take as text.
  const error = made.error?.replaceAll('\0', '').toWellFormed() ?? null
  const attempt = { number, startedAt, durationMs, outcome, httpStatus, error, requestHeaders, responseBody }
  return { delivery, attempt, change }
}

/** What an attempt tells of the endpoint: its lane, its window, its health. */
function learn(drive: Drive, made: AttemptResult): void {
  const { deps, courier, lease } = drive
  const isOfEndpoint = lease.endpoint.kind === 'endpoint'
  const { isSlow, failingSince } = healthAfter(drive.health, made)
  const health = { isSlow, failingSince: isOfEndpoint ? failingSince : null }
  drive.lastFailure = made.outcome === 'acknowledged' ? null : made
  drive.window = isSlow ? Math.max(FIRST_WINDOW, drive.window >> 1) : Math.min(drive.window + 1, LANES.quick.window)
  // Whoever does not answer at all has its next turn when others had theirs.
  if (made.outcome === 'timed_out' || (isOfEndpoint && isGone(made))) drive.isStopped = true
  moveTo(drive, isSlow ? 'slow' : 'quick')
  if (isSameHealth(health, drive.health)) return
  drive.health = health
  const { platformId, endpointId, url } = lease.endpoint
  drive.saving = courier.saveHealth(deps, { platformId, endpointId, url, ...health })
  drive.saving.catch((error) => fail(drive, error))
}
