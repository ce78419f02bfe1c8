import { recordAudit } from '../audit/audit-actions.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { isolate } from '../db/isolation.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Caller } from '../http/caller.ts'
import { requirePermission } from '../http/permission.ts'
import {
  deleteBodies,
  deleteSetting,
  findKeepsBodies,
  listPlatformsWithoutBodies,
  lockKeepsBodies,
  upsertKeepsBodies,
} from './request-setting-store.ts'

/** The number of bodies that one transaction deletes. */
const BODIES_PER_BATCH = 5_000
const PLATFORMS_PER_PASS = 20

export const getKeepsBodies = (deps: Deps, { platformId }: Caller): Promise<boolean> =>
  findKeepsBodies(deps.sql, platformId)

/**
 * Sets whether a platform keeps the bodies of requests. When this is turned off, the stored bodies are deleted: the first ones at once, and
 * the rest by a background step.
 *
 * @throws ApiError permission_denied
 */
export async function setKeepsBodies(deps: TxDeps, caller: Caller, keepsBodies: boolean): Promise<void> {
  const { platformId } = caller
  // Bodies show the content of payments.
  if (keepsBodies) requirePermission('read', caller)
  const before = (await lockKeepsBodies(deps.sql, platformId)) ?? false
  if (before === keepsBodies) return
  await upsertKeepsBodies(deps.sql, { platformId, keepsBodies })
  if (!keepsBodies) await deleteBodies(deps.sql, platformId, BODIES_PER_BATCH)
  await recordAudit(deps, caller, keepsBodies ? 'request_bodies_on' : 'request_bodies_off')
}

/** One pass: deletes bodies of platforms that no longer keep them. @returns the number of bodies */
export async function deleteUnwantedBodies(deps: Deps, step: string): Promise<number> {
  const platformIds = await listPlatformsWithoutBodies(deps.sql, PLATFORMS_PER_PASS)
  return isolate(deps, step).each(platformIds, (platformId) =>
    inTransaction(deps, async ({ sql }) => {
      if ((await lockKeepsBodies(sql, platformId)) !== false) return 0 // the platform has turned it on again
      const count = await deleteBodies(sql, platformId, BODIES_PER_BATCH)
      if (count < BODIES_PER_BATCH) await deleteSetting(sql, platformId)
      return count
    }),
  )
}
