import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { lowestIdOf } from '../../foundation/lib/ids.ts'
import { getEndpoint } from '../endpoint/endpoint-actions.ts'
import { endpointStatus } from '../endpoint/endpoint-rules.ts'
import {
  type FailedDeliveries,
  listFailedDeliveries,
  lockDelivery,
  makeDeliveryDueNow,
  restartDelivery,
  restartFailedDeliveries,
} from './replay-store.ts'

const DELIVERIES_PER_BATCH = 1_000

/**
 * Sends an event to an endpoint again, now, with a new retry schedule. If the delivery is waiting for its next attempt, that
 * attempt is made now.
 *
 * @throws ApiError delivery_not_found, endpoint_removed, endpoint_disabled, delivery_pending
 */
export async function replayDelivery(
  deps: TxDeps,
  caller: Caller,
  { eventId, endpointId }: { eventId: string; endpointId: string },
): Promise<void> {
  const key = { platformId: caller.platformId, eventId, endpointId }
  const delivery = await lockDelivery(deps.sql, key)
  if (!delivery) throw new ApiError('delivery_not_found')
  if (delivery.isRemoved) throw new ApiError('endpoint_removed')
  if (delivery.isDisabled) throw new ApiError('endpoint_disabled')
  const now = deps.clock.now()
  if (delivery.status !== 'PENDING') await restartDelivery(deps.sql, key, now)
  else if (!(await makeDeliveryDueNow(deps.sql, key, now))) throw new ApiError('delivery_pending')
  await recordAudit(deps, caller, 'webhooks_replayed', `event ${eventId}`)
  deps.afterCommit(deps.wake)
}

/**
 * Replays all failed deliveries of events since a time, for one endpoint or for all enabled ones. Each batch has its own transaction, so
 * that many deliveries hold no locks for long.
 *
 * @returns the number of replayed deliveries
 * @throws ApiError endpoint_not_found, endpoint_disabled
 */
export async function replayFailed(
  deps: Deps,
  caller: Caller,
  { since, endpointId }: { since: Date; endpointId: string | undefined },
): Promise<number> {
  if (endpointId !== undefined) {
    const endpoint = await getEndpoint(deps, caller, endpointId)
    if (endpointStatus(endpoint) === 'DISABLED') throw new ApiError('endpoint_disabled')
  }
  const { platformId } = caller
  const failed: FailedDeliveries = {
    platformId,
    endpointId: endpointId ?? null,
    fromId: lowestIdOf(since),
    after: null,
    limit: DELIVERIES_PER_BATCH,
  }
  let replayed = 0
  for (;;) {
    const batch = await inTransaction(deps, (tx) => replayBatch(tx, failed))
    if (batch.count > 0) deps.wake()
    replayed += batch.count
    failed.after = batch.last
    if (batch.last === null) break
  }
  await inTransaction(deps, (tx) =>
    recordAudit(tx, caller, 'webhooks_replayed', `${replayed} since ${formatDateTime(since)}`),
  )
  return replayed
}

/** Replays one batch. `last` is the delivery after which the next batch starts, or null at the end. */
async function replayBatch(deps: TxDeps, failed: FailedDeliveries) {
  const batch = await listFailedDeliveries(deps.sql, failed)
  const open = batch.filter(({ isOpen }) => isOpen)
  const count = await restartFailedDeliveries(deps.sql, failed.platformId, open, deps.clock.now())
  return { count, last: batch.length === failed.limit ? (batch.at(-1) ?? null) : null }
}
