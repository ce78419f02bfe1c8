import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { requirePermission } from '../../foundation/http/permission.ts'
import type { Wakeups } from '../../foundation/lib/concurrency/wakeups.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { afterAttempt, RETRY_DELAYS_SECONDS } from '../delivery/delivery-status.ts'
import {
  type AttemptRecord,
  failPendingDeliveries,
  listDueDeliveries,
  recordAttempts,
} from '../delivery/delivery-store.ts'
import type { DueDelivery } from '../delivery/delivery-types.ts'
import { bodyToSend } from '../delivery/full-body-actions.ts'
import { webhookHeaders } from '../delivery/webhook-rules.ts'
import { DELIVERIES_FAILED_AT_ONCE } from '../endpoint/endpoint-rules.ts'
import { openSigningKeys } from '../endpoint/signing-key-actions.ts'
import type { EndpointKey } from '../endpoint/webhook-store.ts'
import type { BodyFormat, EventType } from '../event/event-rules.ts'
import { type ListenerDelivery, type ListenerResult, MAX_LISTENERS, SILENCE_MS } from './listener-rules.ts'
import {
  countListeners,
  findHeldListener,
  type HeldListener,
  insertListener,
  leaseListener,
  listPendingDeliveries,
  listSubjects,
  markListenerRemoved,
  type PendingDelivery,
} from './listener-store.ts'

const DELIVERIES_PER_POLL = 20
/** The milliseconds between two checks of a poll for changes by other processes. */
const CHECK_MS = 1_000
/** The milliseconds within which wake-ups are combined. */
const WAKEUP_DELAY_MS = 3

/**
 * Creates a listener of the owner's platform. It receives events from now on.
 *
 * @throws ApiError permission_denied, listener_limit_reached
 */
export async function createListener(
  deps: TxDeps,
  caller: Caller,
  { eventTypes, bodyFormat }: { eventTypes: readonly EventType[]; bodyFormat: BodyFormat },
): Promise<string> {
  const { platformId } = caller
  if (bodyFormat === 'FULL') requirePermission('read', caller)
  const [now, realNow] = [deps.clock.now(), deps.realClock.now()]
  const after = new Date(realNow.getTime() - SILENCE_MS)
  const count = await countListeners(deps.sql, { platformId, after })
  if (count >= MAX_LISTENERS) throw new ApiError('listener_limit_reached')
  const endpointId = newId(deps)
  await insertListener(deps.sql, { platformId, endpointId, eventTypes, bodyFormat, now, realNow })
  return endpointId
}

type Poll = {
  listenerId: string
  results: readonly ListenerResult[]
  /** Events that the listener is still processing. */
  holding: string[]
  waitSeconds: number
  wakeups: Wakeups
  /** Whether the client has disconnected. */
  isGone: () => boolean
}

/**
 * Records the listener's results and waits for due deliveries. A new poll ends an earlier one that is still waiting. A delivery is
 * returned again until its result arrives, so each one is sent at least once.
 *
 * @throws ApiError listener_not_found, permission_denied
 */
export async function pollListener(deps: Deps, caller: Caller, poll: Poll): Promise<ListenerDelivery[]> {
  const listener = { platformId: caller.platformId, endpointId: poll.listenerId }
  const connection = newId(deps)
  const until = new Date(deps.realClock.now().getTime() + poll.waitSeconds * 1000)
  await inTransaction(deps, async (tx) => {
    if (!(await leaseListener(tx.sql, listener, { connection, until }))) throw new ApiError('listener_not_found')
    const held = await findHeldListener(tx.sql, listener, connection)
    if (held?.bodyFormat === 'FULL') requirePermission('read', caller)
    await recordResults(tx, listener, poll.results)
  })
  return waitForDue(deps, listener, { ...poll, connection })
}

/** Records results. Results can arrive twice, so results of recorded attempts and ended deliveries are ignored. */
async function recordResults(deps: TxDeps, listener: EndpointKey, results: readonly ListenerResult[]): Promise<void> {
  if (results.length === 0) return
  const eventIds = results.map(({ eventId }) => eventId)
  const pending = new Map((await listPendingDeliveries(deps.sql, listener, eventIds)).map((row) => [row.eventId, row]))
  const records = new Map<string, AttemptRecord>()
  for (const result of results) {
    const delivery = pending.get(result.eventId)
    if (delivery?.attemptCount === result.attempt - 1) records.set(result.eventId, recordOf(deps, delivery, result))
  }
  await recordAttempts(deps, [...records.values()])
}

function recordOf(
  { clock }: TxDeps,
  delivery: PendingDelivery,
  { attempt: number, ...result }: ListenerResult,
): AttemptRecord {
  const startedAt = new Date(clock.now().getTime() - result.durationMs)
  const attemptNumber = number - delivery.attemptsBefore
  const change = afterAttempt({ outcome: result.outcome, attemptNumber, startedAt })
  return { delivery, attempt: { number, startedAt, ...result }, change }
}

/** Waits for due deliveries. Checks after each wake-up in this process, and every second. Holds no database connection between checks. */
async function waitForDue(
  deps: Deps,
  listener: EndpointKey,
  { holding, connection, waitSeconds, wakeups, isGone }: Poll & { connection: string },
): Promise<ListenerDelivery[]> {
  const deadline = performance.now() + waitSeconds * 1000
  const question = [{ ...listener, except: holding }]
  const heldSubjects = await listSubjects(deps.sql, listener, holding)
  for (;;) {
    const seen = wakeups.count()
    const [held, due] = await Promise.all([
      findHeldListener(deps.sql, listener, connection),
      listDueDeliveries(deps.sql, question, { now: deps.clocks.base.now(), limit: DELIVERIES_PER_POLL }),
    ])
    if (!held || isGone()) return []
    const next = oldestOfEachSubject(due).filter(({ subjectId }) => !heldSubjects.includes(subjectId))
    const leftMs = deadline - performance.now()
    if (next.length > 0 || leftMs <= 0 || wakeups.isClosed()) return handOut(deps, held, next)
    await wakeups.wait(seen, Math.min(leftMs, CHECK_MS))
    await sleep(WAKEUP_DELAY_MS)
  }
}

/**
 * Returns the oldest due delivery of each payment. Events of one payment are delivered in order, those of different payments in parallel.
 */
const oldestOfEachSubject = (due: DueDelivery[]): DueDelivery[] =>
  [...Map.groupBy(due, ({ subjectId }) => subjectId).values()].flatMap(([oldest]) => oldest ?? [])

function handOut(deps: Deps, held: HeldListener, due: DueDelivery[]): Promise<ListenerDelivery[]> {
  const keys = openSigningKeys(deps, held)
  const now = deps.realClock.now()
  return Promise.all(
    due.map(async (delivery) => {
      const { eventId, attemptCount, attemptsBefore } = delivery
      const nonce = deps.random.bytes(6).readUIntBE(0, 6).toString()
      const body = await bodyToSend(deps, delivery, held.bodyFormat)
      return {
        eventId,
        attempt: attemptCount + 1,
        retrySeconds: RETRY_DELAYS_SECONDS[attemptCount - attemptsBefore] ?? null,
        headers: webhookHeaders({ eventId, body, order: delivery, nonce, now }, keys),
        body,
      }
    }),
  )
}

/** Removes a listener and fails its pending deliveries. @throws ApiError listener_not_found */
export async function removeListener(deps: TxDeps, { platformId }: Caller, listenerId: string): Promise<void> {
  const listener = { platformId, endpointId: listenerId }
  if (!(await markListenerRemoved(deps.sql, listener, deps.clock.now()))) throw new ApiError('listener_not_found')
  await failPendingDeliveries(deps.sql, listener, DELIVERIES_FAILED_AT_ONCE)
}
