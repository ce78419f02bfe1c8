import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { requireUnshared } from '../../../foundation/core/demo-rules.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import { type Permissions, permissionsOf, type Role } from '../../../foundation/core/permission-rules.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { type Caller, personOf } from '../../../foundation/http/caller.ts'
import { sendMail } from '../../../foundation/mail/mail-actions.ts'
import { getApiKeys, getKeysMadeBy } from '../../user/api-key/api-key-actions.ts'
import type { MadeKey } from '../../user/api-key/api-key-store.ts'
import { lockUser } from '../../user/user-lock-actions.ts'
import { findPerson } from '../login/login-store.ts'
import { deleteInvitationsBy } from './invitation-store.ts'
import {
  deleteMember,
  findMember,
  findMembership,
  findTeam,
  listMembers,
  listRolesUnderDualControl,
  lockTeam,
  type Member,
  type MemberRow,
  renewReceivingAddress,
  type Team,
  updateRole,
  updateTwoFactorRule,
} from './member-store.ts'
import { teamMails } from './team-mail-rules.ts'
import { manageableRoles, mayManage } from './team-rules.ts'

/** Functions of higher folders (operation/app/removal.ts). */
export type MemberHooks = {
  /** Ends all work that a former member started. */
  endMemberWork(deps: TxDeps, caller: Caller, loginId: string): Promise<void>
}

/** A member with the API keys that it created. They stop working when the membership ends. */
export type ListedMember = MemberRow & { apiKeys: { id: string; name: string | null }[] }

export async function getTeam(
  deps: Deps,
  { platformId }: Caller,
): Promise<{ members: ListedMember[]; requiresTwoFactor: boolean }> {
  const members = await listMembers(deps.sql, platformId)
  const team = await findTeam(deps.sql, platformId)
  const keys = await getApiKeys(deps, { platformId, userId: platformId })
  const apiKeysOf = (loginId: string) =>
    keys.filter(({ createdBy }) => createdBy === loginId).map(({ key, name }) => ({ id: key, name }))
  return {
    members: members.map((member) => ({ ...member, apiKeys: apiKeysOf(member.loginId) })),
    requiresTwoFactor: team?.requiresTwoFactor === true,
  }
}

/**
 * Changes the role of a member. Revokes the member's open invitations that the new role may not give.
 *
 * @throws ApiError member_not_found, permission_denied, shared_by_all, last_owner, second_person_needed
 */
export async function changeRole(
  deps: TxDeps,
  caller: Caller,
  { loginId, role }: { loginId: string; role: Role },
): Promise<void> {
  const { platformId } = caller
  const { team, member, permissions } = await lockMember(deps, caller, loginId)
  if (member.role === role) return
  requireManaged(permissions, member.role)
  requireManaged(permissions, role)
  requireUnshared(deps.settings, { email: member.email })
  requireAnotherOwner(team, member.role)
  await requireSecondPerson(deps, caller, { loginId, before: member.role, after: role })
  await updateRole(deps.sql, { platformId, loginId, from: member.role, to: role })
  const keptRoles = manageableRoles(role, deps.settings.name)
  await deleteInvitationsBy(deps.sql, { platformId, loginId, keptRoles })
  if (member.role === 'owner') await renewReceivingAddress(deps.sql, platformId)
  await recordAudit(deps, caller, 'member_role_changed', `${loginId} from ${member.role} to ${role}`)
  if (loginId === personOf(caller)) return
  const platform = await readPlatformName(deps, caller)
  await sendMail(deps, { to: member.email, ...teamMails.roleChanged(deps.settings.name, { platform, role }) })
}

/**
 * Removes a member. Ends the member's sessions on the platform, invitations, grants and open approvals at once.
 *
 * @returns the API keys that the member made, so that they can be revoked
 * @throws ApiError member_not_found, permission_denied, shared_by_all, last_owner, second_person_needed
 */
export async function removeMember(
  deps: TxDeps,
  caller: Caller,
  { loginId, ...hooks }: { loginId: string } & MemberHooks,
): Promise<MadeKey[]> {
  const { team, member, permissions } = await lockMember(deps, caller, loginId)
  requireManaged(permissions, member.role)
  requireUnshared(deps.settings, { email: member.email })
  await requireSecondPerson(deps, caller, { loginId, before: member.role, after: null })
  const keys = await endMembership(deps, caller, { team, loginId, role: member.role, ...hooks })
  await recordAudit(deps, caller, 'member_removed', loginId)
  const platform = await readPlatformName(deps, caller)
  await sendMail(deps, { to: member.email, ...teamMails.removed(deps.settings.name, { platform }) })
  return keys
}

/** Ends the caller's own membership. @throws ApiError shared_by_all, last_owner */
export async function leaveTeam(deps: TxDeps, caller: Caller, hooks: MemberHooks): Promise<void> {
  const loginId = personOf(caller)
  const { team, member } = await lockMember(deps, caller, loginId)
  requireUnshared(deps.settings, { email: member.email })
  await endMembership(deps, caller, { team, loginId, role: member.role, ...hooks })
  await recordAudit(deps, caller, 'member_left', loginId)
}

/**
 * Sets whether each member needs a second factor. Members without one can then only set it up.
 *
 * @throws ApiError permission_denied, shared_by_all, two_factor_is_off if the caller has no second factor
 */
export async function setTwoFactorRule(deps: TxDeps, caller: Caller, isRequired: boolean): Promise<void> {
  const { permissions } = await lockCallerTeam(deps, caller)
  if (!permissions.has('policy')) throw new ApiError('permission_denied')
  requireUnshared(deps.settings, { platformId: caller.platformId })
  const person = await findPerson(deps.sql, personOf(caller))
  if (isRequired && !person?.hasTwoFactor) throw new ApiError('two_factor_is_off')
  const isChanged = await updateTwoFactorRule(deps.sql, caller.platformId, isRequired)
  if (isChanged) await recordAudit(deps, caller, isRequired ? 'two_factor_rule_on' : 'two_factor_rule_off')
}

export const readPlatformName = async (deps: TxDeps, caller: Caller): Promise<string> =>
  (await findMembership(deps.sql, { platformId: caller.platformId, loginId: personOf(caller) }))?.platformName ?? ''

type LockedTeam = { team: Team; permissions: Permissions }

/** Locks the team and reads the caller's role again, because another member may have changed it since the request began. */
export async function lockCallerTeam(deps: TxDeps, caller: Caller): Promise<LockedTeam> {
  const { platformId } = caller
  const team = await lockTeam(deps.sql, platformId)
  const own = await findMember(deps.sql, { platformId, loginId: personOf(caller) })
  if (!team || !own) throw new ApiError('not_signed_in')
  return { team, permissions: permissionsOf(own.role, deps.settings.name) }
}

async function lockMember(deps: TxDeps, caller: Caller, loginId: string): Promise<LockedTeam & { member: Member }> {
  const locked = await lockCallerTeam(deps, caller)
  const member = await findMember(deps.sql, { platformId: caller.platformId, loginId })
  if (!member) throw new ApiError('member_not_found')
  return { ...locked, member }
}

/** Checks that the caller may manage a role. @throws ApiError permission_denied */
export function requireManaged(permissions: Permissions, role: Role): void {
  if (mayManage(permissions, role)) return
  const missing = permissions.has('team') ? 'policy' : 'team'
  throw new ApiError('permission_denied', {
    message: `Only owners can invite, change or remove an owner or an admin: your role does not include the permission "${missing}".`,
  })
}

/** Checks that the team keeps an owner. @throws ApiError last_owner */
function requireAnotherOwner({ ownerCount }: Team, role: Role): void {
  if (role === 'owner' && ownerCount === 1) throw new ApiError('last_owner')
}

/**
 * Checks that, under dual control, another member can still release payments. Without one, the caller could switch dual control off alone.
 *
 * @throws ApiError second_person_needed
 */
async function requireSecondPerson(
  deps: TxDeps,
  caller: Caller,
  { loginId, before, after }: { loginId: string; before: Role; after: Role | null },
): Promise<void> {
  const mayRelease = (role: Role | null) => role !== null && permissionsOf(role, deps.settings.name).has('release')
  const person = personOf(caller)
  if (loginId === person || !mayRelease(before) || mayRelease(after)) return
  const roles = await listRolesUnderDualControl(deps.sql, { platformId: caller.platformId, except: [person, loginId] })
  if (roles === null || roles.some(mayRelease)) return
  throw new ApiError('second_person_needed', {
    message:
      'Under dual control, another person must be able to release payments. Invite another approver first, or let this member confirm that dual control is switched off.',
  })
}

async function endMembership(
  deps: TxDeps,
  caller: Caller,
  { team, loginId, role, endMemberWork }: { team: Team; loginId: string; role: Role } & MemberHooks,
): Promise<MadeKey[]> {
  const { platformId } = caller
  requireAnotherOwner(team, role)
  // A concurrent request of the member waits for this lock. It then reads that the membership has ended, and is refused.
  await lockUser(deps, { platformId, userId: platformId })
  await deleteMember(deps.sql, { platformId, loginId, role })
  await deleteInvitationsBy(deps.sql, { platformId, loginId, keptRoles: [] })
  if (role === 'owner') await renewReceivingAddress(deps.sql, platformId)
  await endMemberWork(deps, caller, loginId)
  return getKeysMadeBy(deps, { platformId, loginId })
}
