import type { BackgroundStep } from '../db/background/background-step.ts'
import type { Deps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { nextSlot } from './request-log-rules.ts'
import { emptySlot } from './request-log-store.ts'
import { deleteUnwantedBodies } from './request-setting-actions.ts'

/**
 * One pass: deletes the bodies of platforms that no longer keep them, and empties the oldest partition.
 *
 * @returns the number of deleted bodies, and 1 more if the partition was not empty
 */
async function sweepRequests(deps: Deps): Promise<number> {
  const count = await deleteUnwantedBodies(deps, requestLogStep.name)
  return count + (await sweepRequestLog(deps))
}

/** One pass: empties the partition of the day that is no longer kept. @returns 1 if it was not empty, otherwise 0 */
export const sweepRequestLog = (deps: Deps): Promise<number> =>
  inTransaction(deps, async ({ sql }) => ((await emptySlot(sql, nextSlot(deps.realClock.now()))) ? 1 : 0))

export const requestLogStep: BackgroundStep = { name: 'sweep request log', run: sweepRequests, isWoken: false }
