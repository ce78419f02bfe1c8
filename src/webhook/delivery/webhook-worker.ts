import { setTimeout as sleep } from 'node:timers/promises'
import type { EnvironmentSettings } from '../../foundation/core/environment.ts'
import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import { runByPlatform } from '../../foundation/db/cluster/by-platform.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { classifyDatabaseError, isDatabaseDown } from '../../foundation/db/trouble.ts'
import { createBatches } from '../../foundation/lib/concurrency/batches.ts'
import { type HealthRecord, updateHealth } from '../endpoint/webhook-health-store.ts'
import type { EndpointKey } from '../endpoint/webhook-store.ts'
import {
  checkSession,
  deliverToEndpoint,
  type RunningSession,
  renewSession,
  type Courier as SessionCourier,
  stopSession,
  wakeSession,
} from './delivery-session-actions.ts'
import { LANES, type LaneName, QUEUE_SIZE } from './delivery-session-rules.ts'
import {
  type AttemptRecord,
  type DueQuestion,
  endLeases,
  leaseEndpoints,
  listDueDeliveries,
  listDueEndpoints,
  recordAttempts,
  renewLeases,
} from './delivery-store.ts'
import type { DueDelivery, Lease, LeasedEndpoint } from './delivery-types.ts'
import { closeLines, createLines } from './webhook-post-actions.ts'

/**
 * The duration of a lease in milliseconds. If a worker crashes, another one can lease its endpoints after this time.
 */
const LEASE_MS = 30_000
const RENEWED_AFTER_MS = 3_000
const HEARTBEAT_MS = 1_000
const ENDPOINTS_PER_PASS = 25
/** The pause in milliseconds between two searches for slow endpoints. A search takes longer if more endpoints wait for a retry. */
const SLOW_LANE_RESTS_MS = 200
const RECORDS_PER_STATEMENT = 500
const QUESTIONS_PER_STATEMENT = 100

export type Courier = SessionCourier & {
  /** One promise for each session that has not ended. */
  sessions: Set<Promise<void>>
  /** The last endpoint that was leased in each lane, if the pass left endpoints out. The next pass starts after it. Otherwise null. */
  lastLeased: Record<LaneName, EndpointKey | null>
  /** The earliest time of the next search for slow endpoints, on the clock of `performance.now()`. */
  restsUntil: number
  /** Wakes the worker at the end of the pause if the worker was woken during it. */
  restTimer: NodeJS.Timeout | null
  /** Renews the leases regularly while there are sessions. */
  heart: NodeJS.Timeout | null
  renewedAt: number
}

export const createCourier = (worker: string, settings: EnvironmentSettings): Courier => ({
  worker,
  lines: createLines(settings),
  lanes: { quick: new Set(), slow: new Set() },
  passCount: 0,
  ending: new AbortController(),
  lookUp: createBatches(lookUpTogether, { maxSize: QUESTIONS_PER_STATEMENT, canBeOfOne }),
  record: createBatches(recordTogether, { maxSize: RECORDS_PER_STATEMENT, canBeOfOne }),
  saveHealth: createBatches(saveHealthTogether, { maxSize: RECORDS_PER_STATEMENT, canBeOfOne }),
  endLease: createBatches((deps: Deps, endpoints: EndpointKey[]) => endTogether(deps, endpoints, worker), {
    maxSize: RECORDS_PER_STATEMENT,
    canBeOfOne,
  }),
  sessions: new Set(),
  lastLeased: { quick: null, slow: null },
  restsUntil: 0,
  restTimer: null,
  heart: null,
  renewedAt: performance.now(),
})

/** Returns whether a single item may have caused the failure of a batch. If so, each item is tried alone. */
const canBeOfOne = (error: unknown): boolean => !isDatabaseDown(error)

/** Finishes attempts in flight and closes the connections. */
export async function endCourier(courier: Courier): Promise<void> {
  courier.ending.abort()
  if (courier.restTimer) clearTimeout(courier.restTimer)
  for (const session of sessionsOf(courier)) stopSession(session)
  while (courier.sessions.size > 0) await Promise.all(courier.sessions)
  await closeLines(courier.lines)
}

const sessionsOf = ({ lanes }: Courier): RunningSession[] => [...lanes.quick, ...lanes.slow]

export const deliveryStep: BackgroundStep<{ courier: Courier }> = {
  name: 'deliver webhooks',
  run: (deps, { courier }) => startDueWebhooks(deps, courier),
  isWoken: true,
}

/**
 * One pass: leases endpoints with due deliveries and starts their sessions. Does not wait for the sessions, so that a receiver that does
 * not answer delays no others.
 *
 * @returns the number of leased endpoints
 */
export async function startDueWebhooks(deps: Deps, courier: Courier): Promise<number> {
  if (courier.ending.signal.aborted) return 0
  courier.passCount++
  for (const session of sessionsOf(courier)) wakeSession(session)
  const leases = await leaseDue(deps, courier, isSlowLaneAtRest(deps, courier) ? ['quick'] : ['quick', 'slow'])
  const isolation = isolate(deps, deliveryStep.name)
  for (const lease of leases) {
    isolation
      .run(unitOf(lease.endpoint), () => startSession(deps, courier, lease))
      .catch((error) => deps.log.warn({ err: error, endpoint: lease.endpoint.endpointId }, 'webhook delivery failed'))
  }
  return leases.length
}

/** Runs one pass and waits until all its sessions end. @returns the number of attempts */
export async function deliverDueWebhooks(deps: Deps, courier: Courier): Promise<number> {
  const sessions = (await leaseDue(deps, courier, ['quick', 'slow'])).map((lease) => startSession(deps, courier, lease))
  // Waits for all sessions before reporting a failure, so that none keeps running afterward.
  await Promise.allSettled(sessions)
  const counts = await Promise.all(sessions)
  return counts.reduce((sum, count) => sum + count, 0)
}

function startSession(deps: Deps, courier: Courier, lease: Lease): Promise<number> {
  const session = deliverToEndpoint(deps, courier, lease)
  courier.heart ??= setInterval(() => void beat(deps, courier), HEARTBEAT_MS)
  const ended: Promise<void> = session.catch(() => {}).then(() => forgetSession(deps, courier, ended))
  courier.sessions.add(ended)
  return session
}

function forgetSession(deps: Deps, courier: Courier, session: Promise<void>): void {
  courier.sessions.delete(session)
  // A place in a lane has become free, so an endpoint that a pass left out can be leased now.
  if (courier.lastLeased.quick || courier.lastLeased.slow) deps.wake()
  if (courier.sessions.size > 0 || !courier.heart) return
  clearInterval(courier.heart)
  courier.heart = null
}

/** Leases endpoints in these lanes. They are leased before sending, so that a crash repeats a webhook instead of losing it. */
async function leaseDue(deps: Deps, courier: Courier, names: LaneName[]): Promise<Lease[]> {
  const lanes = await Promise.all(names.map((lane) => leaseInLane(deps, courier, lane)))
  // An endpoint with a running session is not leased again, even if its lease expired while the database was unavailable. A session that is
  // ending is no longer in a lane, so its endpoint can be leased before this process learns that the lease ended.
  const active = new Set(sessionsOf(courier).map(({ session: { lease } }) => lease.endpoint.endpointId))
  return lanes.flat().filter(({ endpoint }) => !active.has(endpoint.endpointId))
}

/**
 * Returns whether the slow lane pauses now. If it does not, starts its next pause. Deliveries that become due during a pause are found at
 * its end.
 */
function isSlowLaneAtRest(deps: Deps, courier: Courier): boolean {
  const leftMs = courier.restsUntil - performance.now()
  if (leftMs <= 0) {
    courier.restsUntil = performance.now() + SLOW_LANE_RESTS_MS
    return false
  }
  courier.restTimer ??= setTimeout(() => {
    courier.restTimer = null
    deps.wake()
  }, Math.ceil(leftMs))
  return true
}

/** Leases endpoints of a lane. If a pass cannot lease all, the next pass starts after its last endpoint, so that each gets its turn. */
async function leaseInLane(deps: Deps, courier: Courier, lane: LaneName): Promise<Lease[]> {
  const places = Math.min(LANES[lane].endpoints - courier.lanes[lane].size, ENDPOINTS_PER_PASS)
  if (places <= 0) return []
  const endsAt = performance.now() + LEASE_MS
  const realNow = deps.realClock.now()
  const isSlow = lane === 'slow'
  const query = { now: deps.clock.now(), realNow, isSlow, skipped: isolate(deps, deliveryStep.name).skipped() }
  const due = await listInTurn(courier.lastLeased[lane], places, (turn) =>
    listDueEndpoints(deps.sql, { ...query, ...turn }),
  )
  courier.lastLeased[lane] = due.length === places ? (due.at(-1) ?? null) : null
  const terms = { worker: courier.worker, realNow, until: new Date(realNow.getTime() + LEASE_MS), isSlow }
  const leased = await leaseTogether(deps, due, (endpoints) => leaseEndpoints(deps.sql, endpoints, terms))
  return leased.map((endpoint) => ({ endpoint, endsAt }))
}

/** Lists the endpoints after a given one, and then those before it. */
async function listInTurn(
  after: EndpointKey | null,
  limit: number,
  list: (turn: { after: EndpointKey | null; limit: number }) => Promise<EndpointKey[]>,
): Promise<EndpointKey[]> {
  const behind = await list({ after, limit })
  if (!after || behind.length === limit) return behind
  const ids = new Set(behind.map(({ endpointId }) => endpointId))
  const all = await list({ after: null, limit })
  return [...behind, ...all.filter(({ endpointId }) => !ids.has(endpointId))].slice(0, limit)
}

/** Takes or renews leases with one statement for each platform. If it fails, each endpoint is tried alone. */
function leaseTogether(
  deps: Deps,
  endpoints: EndpointKey[],
  lease: (endpoints: EndpointKey[]) => Promise<LeasedEndpoint[]>,
): Promise<LeasedEndpoint[]> {
  return runByPlatform(deps, endpoints, (own) =>
    lease(own).catch(async (error) => {
      if (isDatabaseDown(error)) throw error
      const isolation = isolate(deps, deliveryStep.name)
      const leased: LeasedEndpoint[] = []
      for (const one of own) leased.push(...((await isolation.run(unitOf(one), () => lease([one]))) ?? []))
      return leased
    }),
  )
}

const unitOf = ({ platformId, endpointId }: EndpointKey) => ({ platformId, kind: 'endpoint', id: endpointId })

/** Renews the leases, and moves endpoints that turn out to be slow to their lane. */
async function beat(deps: Deps, courier: Courier): Promise<void> {
  const moved = sessionsOf(courier).filter(checkSession)
  if (moved.length > 0) deps.wake()
  if (performance.now() - courier.renewedAt < RENEWED_AFTER_MS) return
  courier.renewedAt = performance.now()
  try {
    await renewSessionLeases(deps, courier)
  } catch (error) {
    // The sessions stop sending before their leases end. The next call tries again.
    deps.log.warn({ err: error }, 'renewing the leases of webhook endpoints failed')
  }
}

/** Renews the leases of this worker. Stops a session if another worker took its lease or its endpoint was closed. */
export async function renewSessionLeases(deps: Deps, courier: Courier): Promise<void> {
  const sessions = sessionsOf(courier)
  const endsAt = performance.now() + LEASE_MS
  const until = new Date(deps.realClock.now().getTime() + LEASE_MS)
  const keys = sessions.map(({ session: { lease } }) => lease.endpoint)
  const lease = { worker: courier.worker, until }
  const held = await leaseTogether(deps, keys, (own) => renewLeases(deps.sql, own, lease))
  const byId = new Map(held.map((endpoint) => [endpoint.endpointId, endpoint]))
  for (const running of sessions) {
    const endpoint = byId.get(running.session.lease.endpoint.endpointId)
    if (endpoint) renewSession(running, { endpoint, endsAt })
    else stopSession(running)
  }
}

async function lookUpTogether(deps: Deps, questions: DueQuestion[]): Promise<DueDelivery[][]> {
  const limits = { now: deps.clock.now(), limit: QUEUE_SIZE }
  const due = await runByPlatform(deps, questions, (own) => listDueDeliveries(deps.sql, own, limits))
  const byEndpoint = Map.groupBy(due, ({ endpointId }) => endpointId)
  return questions.map(({ endpointId }) => byEndpoint.get(endpointId) ?? [])
}

/** Records attempts in one batch. If recording fails, the webhooks are sent again. */
async function recordTogether(deps: Deps, records: AttemptRecord[]): Promise<undefined[]> {
  const items = records.map((record) => ({ platformId: record.delivery.platformId, record }))
  return runByPlatform(deps, items, async (own) => {
    const ofPlatform = own.map(({ record }) => record)
    await withPatience(deps, 'attempts of webhooks not recorded', () => recordAttempts(deps, ofPlatform))
    return []
  })
}

/** Stores the health of endpoints in one batch. If an endpoint has several records, the last one is stored. */
async function saveHealthTogether(deps: Deps, records: HealthRecord[]): Promise<undefined[]> {
  const last = new Map(records.map((record) => [record.endpointId, record]))
  return runByPlatform(deps, [...last.values()], async (own) => {
    await updateHealth(deps.sql, own)
    return []
  })
}

/** Ends leases in one batch. A lease that is not ended here blocks its endpoint until it expires. */
async function endTogether(deps: Deps, endpoints: EndpointKey[], worker: string): Promise<undefined[]> {
  return runByPlatform(deps, endpoints, async (own) => {
    await withPatience(deps, 'leases of webhook endpoints not ended', () => endLeases(deps.sql, own, worker))
    return []
  })
}

/** The milliseconds between retries while the database is briefly unavailable. */
const PATIENCE_MS = [100, 400, 1_500]

async function withPatience(deps: Deps, failure: string, write: () => Promise<void>): Promise<void> {
  for (const delayMs of PATIENCE_MS) {
    try {
      return await write()
    } catch (error) {
      if (classifyDatabaseError(error) === 'other') throw error
      deps.log.warn({ err: error }, failure)
      await sleep(delayMs)
    }
  }
  return write()
}
