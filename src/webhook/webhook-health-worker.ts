import type { Deps } from '../db/deps.ts'
import { listClosedEndpoints } from './delivery-store.ts'
import { giveUpPending } from './webhook-health-actions.ts'

const ENDPOINTS_PER_PASS = 20

/**
 * One pass: gives up what is still PENDING for endpoints that were removed or disabled: written while that was done, or
 * left behind by a crash.
 *
 * @returns how many endpoints there were
 */
export async function giveUpForClosedEndpoints(deps: Deps): Promise<number> {
  const closed = await listClosedEndpoints(deps.sql, ENDPOINTS_PER_PASS)
  for (const endpoint of closed) await giveUpPending(deps, endpoint)
  return closed.length
}
