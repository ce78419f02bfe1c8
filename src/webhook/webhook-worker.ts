import type { Deps } from '../db/deps.ts'
import type { EnvironmentSettings } from '../lib/environment.ts'
import { afterAttempt } from './delivery-status.ts'
import { closeLines, createLines, type Lines, postWebhook } from './webhook-post-actions.ts'
import {
  type DueDelivery,
  endLease,
  type LeasedEndpoint,
  leaseDueEndpoints,
  listDueDeliveries,
  recordAttempt,
  renewLease,
} from './webhook-store.ts'

/** A dead worker's endpoints are driven by another after this time: longer than a batch takes. */
const LEASE_MS = 20_000
const ENDPOINTS_PER_PASS = 100
/** As many may wait for receivers that do not answer before others wait for them. */
const MAX_ENDPOINTS_DRIVEN = 500
const DELIVERIES_PER_BATCH = 8

export type Courier = {
  /** The name under which this process leases endpoints. */
  worker: string
  /** The connections on which webhooks leave. */
  lines: Lines
  /** What is under way. */
  drives: Set<Promise<void>>
  /** Aborted when the process is about to end: what is under way is finished, nothing else is begun. */
  ending: AbortController
}

export const createCourier = (worker: string, settings: EnvironmentSettings): Courier => ({
  worker,
  lines: createLines(settings),
  drives: new Set(),
  ending: new AbortController(),
})

/** Finishes what is under way and closes the connections. */
export async function endCourier({ lines, drives, ending }: Courier): Promise<void> {
  ending.abort()
  while (drives.size > 0) await Promise.all(drives)
  await closeLines(lines)
}

/**
 * One pass of the service: leases endpoints for which something is due, and begins to deliver it. It waits for no
 * receiver, so that one which does not answer holds up nobody.
 *
 * @returns how many endpoints it leased
 */
export async function startDueWebhooks(deps: Deps, courier: Courier): Promise<number> {
  const limit = Math.min(ENDPOINTS_PER_PASS, MAX_ENDPOINTS_DRIVEN - courier.drives.size)
  const endpoints = limit > 0 && !courier.ending.signal.aborted ? await leaseDue(deps, courier, limit) : []
  for (const endpoint of endpoints) {
    const drive = driveEndpoint(deps, courier, endpoint)
      // What was written between its last look and the end of the lease found the endpoint leased.
      .then((count) => count > 0 && deps.wake())
      .catch((error) => deps.log.warn({ err: error, endpoint: endpoint.endpointId }, 'webhooks not delivered'))
      .then(() => void courier.drives.delete(drive))
    courier.drives.add(drive)
  }
  return endpoints.length
}

/** The same, and waits until all that is due has been tried. @returns how many attempts it made */
export async function deliverDueWebhooks(deps: Deps, courier: Courier): Promise<number> {
  const endpoints = await leaseDue(deps, courier, ENDPOINTS_PER_PASS)
  const counts = await allOf(endpoints.map((endpoint) => driveEndpoint(deps, courier, endpoint)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The lease is taken before sending, so a crash repeats a webhook instead of losing it. */
function leaseDue(deps: Deps, { worker }: Courier, limit: number): Promise<LeasedEndpoint[]> {
  const realNow = deps.realClock.now()
  const until = new Date(realNow.getTime() + LEASE_MS)
  return leaseDueEndpoints(deps.sql, { worker, now: deps.clock.now(), realNow, until, limit })
}

/** Waits for all before it fails: what still runs after a failure would run without its lease. */
async function allOf<Result>(promises: Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

async function driveEndpoint(deps: Deps, courier: Courier, endpoint: LeasedEndpoint): Promise<number> {
  let count = 0
  try {
    do {
      const clock = await deps.clocks.of(endpoint.platformId)
      const due = await listDueDeliveries(deps.sql, endpoint, { now: clock.now(), limit: DELIVERIES_PER_BATCH })
      const batch = oldestOfEachPayment(due)
      const outcomes = await allOf(batch.map((delivery) => attempt({ ...deps, clock }, courier, endpoint, delivery)))
      count += batch.length
      // A receiver that does not answer holds its lease for one batch only.
      if (batch.length === 0 || outcomes.includes('timed_out') || courier.ending.signal.aborted) break
    } while (await keepLease(deps, courier, endpoint))
  } finally {
    await endLease(deps.sql, endpoint, courier.worker)
  }
  return count
}

/** Events of one payment go one after the other, in order; those of several payments side by side. */
const oldestOfEachPayment = (due: DueDelivery[]): DueDelivery[] =>
  [...Map.groupBy(due, ({ subjectId }) => subjectId).values()].flatMap(([oldest]) => oldest ?? [])

/** @returns false when another worker has it by now: this one was away for too long */
const keepLease = (deps: Deps, { worker }: Courier, endpoint: LeasedEndpoint): Promise<boolean> =>
  renewLease(deps.sql, endpoint, { worker, until: new Date(deps.realClock.now().getTime() + LEASE_MS) })

async function attempt(deps: Deps, { lines }: Courier, endpoint: LeasedEndpoint, delivery: DueDelivery) {
  const startedAt = deps.clock.now()
  const begin = performance.now()
  const webhookKey = deps.keyRing.openText(endpoint.webhookKeySealed, 'webhook key')
  const result = await postWebhook(deps, lines, { url: endpoint.url, webhookKey }, delivery)
  const durationMs = Math.round(performance.now() - begin)
  const number = delivery.attemptCount + 1
  const change = afterAttempt({ outcome: result.outcome, attemptNumber: number, startedAt })
  await recordAttempt(deps.sql, delivery, { number, startedAt, durationMs, ...result }, change)
  return result.outcome
}
