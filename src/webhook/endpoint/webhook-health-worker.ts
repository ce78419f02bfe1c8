import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { listClosedEndpoints } from '../delivery/delivery-store.ts'
import { failAllPending } from './webhook-health-actions.ts'

const ENDPOINTS_PER_PASS = 20

export const closedEndpointStep: BackgroundStep = {
  name: 'give up for closed endpoints',
  run: failDeliveriesOfClosedEndpoints,
  isWoken: false,
}

/**
 * Runs one pass: fails PENDING deliveries of removed or disabled endpoints. Such deliveries can remain after a concurrent event, or if the
 * process was interrupted.
 *
 * @returns the number of these endpoints
 */
export async function failDeliveriesOfClosedEndpoints(deps: Deps): Promise<number> {
  const isolation = isolate(deps, closedEndpointStep.name)
  const closed = await listClosedEndpoints(deps.sql, {
    now: deps.clock.now(),
    limit: ENDPOINTS_PER_PASS,
    skipped: isolation.skipped(),
  })
  let count = 0
  for (const endpoint of closed) {
    const { platformId, endpointId: id } = endpoint
    const done = await isolation.run({ platformId, kind: 'endpoint', id }, () => failAllPending(deps, endpoint))
    if (done !== null) count++
  }
  return count
}
