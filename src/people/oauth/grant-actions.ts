import { type Actor, recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Scope } from '../../foundation/core/scope.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { type Caller, personOf } from '../../foundation/http/caller.ts'
import { newId } from '../../foundation/lib/ids.ts'
import {
  type GrantKey,
  type GrantRow,
  insertGrant,
  type ListedGrant,
  listLiveGrants,
  markGrantRevoked,
  markGrantsOfMemberRevoked,
} from './grant-store.ts'

/**
 * Creates a grant: an application may act with the permissions of the signed-in member. Each consent creates its own grant
 * (specification.md 2.3).
 */
export async function createGrant(
  deps: TxDeps,
  owner: Caller,
  { application, scope }: { application: { id: string; platformId: string }; scope: Scope },
): Promise<GrantKey> {
  const grant: GrantRow = {
    platformId: owner.platformId,
    id: newId({ clock: deps.realClock, random: deps.random }),
    applicationId: application.id,
    scope,
    createdAt: deps.realClock.now(),
  }
  await insertGrant(deps.sql, {
    ...grant,
    applicationPlatformId: application.platformId,
    createdBy: personOf(owner),
    permissions: [...owner.permissions],
  })
  await recordAudit(deps, owner, 'grant_created', application.id)
  return grant
}

/** Lists the applications that may act for an owner. */
export const getGrants = (deps: Deps, { platformId }: Caller): Promise<ListedGrant[]> =>
  listLiveGrants(deps.sql, platformId)

/** Ends a grant and all its tokens immediately, in every process. @returns whether it was active until now */
export async function endGrant(
  deps: TxDeps,
  grant: GrantKey,
  by: Actor,
  reason: 'grant_revoked' | 'grant_replayed' = 'grant_revoked',
): Promise<boolean> {
  const applicationId = await markGrantRevoked(deps.sql, grant, deps.realClock.now())
  if (applicationId !== null) await recordAudit(deps, by, reason, applicationId)
  return applicationId !== null
}

/** Ends the grants that a former member of the caller's platform created. */
export async function endMemberGrants(deps: TxDeps, caller: Caller, loginId: string): Promise<void> {
  const { platformId } = caller
  const applicationIds = await markGrantsOfMemberRevoked(deps.sql, { platformId, loginId }, deps.realClock.now())
  for (const id of applicationIds) await recordAudit(deps, caller, 'grant_revoked', id)
}

/** Ends a grant at the owner's request. @throws ApiError grant_not_found */
export async function revokeGrant(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  const isEnded = await endGrant(deps, { platformId: caller.platformId, id }, caller)
  if (!isEnded) throw new ApiError('grant_not_found')
}
