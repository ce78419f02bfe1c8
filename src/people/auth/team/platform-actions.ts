import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { type Caller, personOf } from '../../../foundation/http/caller.ts'
import { updateSessionPlatform } from '../session/session-store.ts'
import { endPayeePages, findMembership, listPlatforms, type PlatformRow, updatePlatformUse } from './member-store.ts'

export const getPlatforms = (deps: Deps, caller: Caller): Promise<PlatformRow[]> =>
  listPlatforms(deps.sql, personOf(caller))

/** Moves the session to another platform of the person. @throws ApiError platform_not_found */
export async function switchPlatform(deps: TxDeps, caller: Caller, platformId: string): Promise<void> {
  const loginId = personOf(caller)
  if (!(await findMembership(deps.sql, { platformId, loginId }))) throw new ApiError('platform_not_found')
  await updateSessionPlatform(deps.sql, { loginId, id: caller.credential.id, platformId })
  await updatePlatformUse(deps.sql, { platformId, loginId }, deps.realClock.now())
  await recordAudit(deps, { ...caller, platformId, userId: platformId }, 'platform_entered')
}

export async function setUpPlatform(deps: TxDeps, caller: Caller): Promise<void> {
  if (await endPayeePages(deps.sql, caller.platformId)) await recordAudit(deps, caller, 'platform_set_up')
}
