import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Deps } from '../db/deps.ts'
import { afterAttempt, type Outcome, RESPONSE_TIMEOUT_MS } from './delivery-status.ts'
import { signatureHeader, standardWebhookHeaders } from './webhook-rules.ts'
import {
  type DueDelivery,
  endLease,
  type LeasedEndpoint,
  leaseDueEndpoints,
  listDueDeliveries,
  recordAttempt,
  renewLease,
} from './webhook-store.ts'

/** A dead worker's endpoints are driven by another after this time. */
const LEASE_MS = 20_000
const RENEW_EVERY_MS = 5_000
const ENDPOINTS_PER_PASS = 100
const DELIVERIES_PER_BATCH = 8

export type Courier = { worker: string; agent: Agent }

/** The connections on which webhooks leave, and the name under which this process leases endpoints. */
export const createCourier = (worker: string): Courier => ({
  worker,
  agent: new Agent({ keepAliveTimeout: 30_000 }),
})

/**
 * One pass: leases endpoints for which something is due, and delivers it. The lease is taken before sending, so a crash
 * repeats a webhook instead of losing it.
 *
 * @returns how many attempts it made
 */
export async function deliverDueWebhooks(deps: Deps, courier: Courier): Promise<number> {
  const realNow = deps.realClock.now()
  const endpoints = await leaseDueEndpoints(deps.sql, {
    worker: courier.worker,
    now: deps.clock.now(),
    realNow,
    until: new Date(realNow.getTime() + LEASE_MS),
    limit: ENDPOINTS_PER_PASS,
  })
  const counts = await Promise.all(endpoints.map((endpoint) => driveEndpoint(deps, courier, endpoint)))
  return counts.reduce((sum, count) => sum + count, 0)
}

async function driveEndpoint(deps: Deps, courier: Courier, endpoint: LeasedEndpoint): Promise<number> {
  const released = new AbortController()
  const renewing = keepLease(deps, courier, endpoint, released.signal)
  let count = 0
  try {
    while (!released.signal.aborted) {
      const due = await listDueDeliveries(deps.sql, endpoint, { now: deps.clock.now(), limit: DELIVERIES_PER_BATCH })
      if (due.length === 0) break
      const isHealthy = await deliverBatch(deps, courier, endpoint, due)
      count += due.length
      // A receiver that does not answer holds its lease for one batch only.
      if (!isHealthy) break
    }
  } finally {
    released.abort()
    await renewing
    await endLease(deps.sql, endpoint, courier.worker)
  }
  return count
}

/** Renews the lease while the endpoint is driven. */
async function keepLease(deps: Deps, { worker }: Courier, endpoint: LeasedEndpoint, released: AbortSignal) {
  for (;;) {
    await sleep(RENEW_EVERY_MS, undefined, { signal: released }).catch(() => {})
    if (released.aborted) return
    const until = new Date(deps.realClock.now().getTime() + LEASE_MS)
    await renewLease(deps.sql, endpoint, { worker, until }).catch((error) => {
      deps.log.warn({ err: error, endpoint: endpoint.endpointId }, 'lease not renewed')
    })
  }
}

/** Events of one payment go one after the other, those of several payments side by side. */
async function deliverBatch(deps: Deps, courier: Courier, endpoint: LeasedEndpoint, due: DueDelivery[]) {
  const bySubject = Map.groupBy(due, ({ subjectId }) => subjectId)
  const results = await Promise.all(
    [...bySubject.values()].map(async (deliveries) => {
      let isHealthy = true
      for (const delivery of deliveries) {
        const outcome = await attempt(deps, courier, endpoint, delivery)
        isHealthy &&= outcome !== 'timed_out'
      }
      return isHealthy
    }),
  )
  return results.every(Boolean)
}

async function attempt(deps: Deps, { agent }: Courier, endpoint: LeasedEndpoint, delivery: DueDelivery) {
  const startedAt = deps.clock.now()
  const begin = performance.now()
  const result = await post(deps, agent, endpoint, delivery)
  const durationMs = Math.round(performance.now() - begin)
  const number = delivery.attemptCount + 1
  const change = afterAttempt({ outcome: result.outcome, attemptNumber: number, startedAt })
  await recordAttempt(deps.sql, delivery, { number, startedAt, durationMs, ...result }, change)
  return result.outcome
}

type PostResult = { outcome: Outcome; httpStatus: number | null; error: string | null }

/** One HTTP POST. What the receiver does wrong is an outcome, not an exception. */
async function post(
  deps: Deps,
  agent: Agent,
  endpoint: LeasedEndpoint,
  { eventId, body }: DueDelivery,
): Promise<PostResult> {
  const key = deps.keyRing.openText(endpoint.webhookKeySealed, 'webhook key')
  const nonce = deps.random.bytes(6).readUIntBE(0, 6).toString()
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
  try {
    const response = await request(endpoint.url, {
      dispatcher: agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Remit-Webhooks/1',
        signature: signatureHeader({ body, nonce, key }),
        ...standardWebhookHeaders({ id: eventId, body, key, now: deps.realClock.now() }),
      },
      body,
      signal,
    })
    const isAcknowledged = response.statusCode >= 200 && response.statusCode < 300
    // The status is the answer, whatever its body does: a few bytes are read so that the connection can be kept.
    await response.body.dump({ limit: 64 * 1024, signal }).catch(() => {})
    return { outcome: isAcknowledged ? 'acknowledged' : 'rejected', httpStatus: response.statusCode, error: null }
  } catch (error) {
    if (signal.aborted) return { outcome: 'timed_out', httpStatus: null, error: 'no answer within 10 seconds' }
    const { code, message } = error as { code?: string; message: string }
    return { outcome: 'unreachable', httpStatus: null, error: code ?? message.slice(0, 200) }
  }
}
