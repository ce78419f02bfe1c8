import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../../foundation/core/errors.ts'
import type { Role } from '../../../foundation/core/permission-rules.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransactionOrRefused } from '../../../foundation/db/transaction.ts'
import { type Caller, type Origin, personOf } from '../../../foundation/http/caller.ts'
import { DAY_MS } from '../../../foundation/lib/clock.ts'
import { newId, newSecret } from '../../../foundation/lib/ids.ts'
import { hashSecret } from '../../../foundation/lib/secret.ts'
import { normalizeEmail } from '../../../foundation/lib/text/email.ts'
import { sendMail } from '../../../foundation/mail/mail-actions.ts'
import { countAttempts } from '../attempts/attempt-actions.ts'
import { findLogin, findLoginById, type LoginRow } from '../login/login-store.ts'
import { hashPassword, requireGoodPassword } from '../login/password-actions.ts'
import { signIn } from '../login/sign-in-actions.ts'
import { createLogin } from '../owner/owner-actions.ts'
import { startSession } from '../session/session-actions.ts'
import {
  deleteInvitation,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  listInvitations,
  takeInvitation,
} from './invitation-store.ts'
import { addMember, findMember, findMembership, lockTeam } from './member-store.ts'
import { switchPlatform } from './platform-actions.ts'
import { lockCallerTeam, readPlatformName, requireManaged } from './team-actions.ts'
import { teamMails } from './team-mail-rules.ts'
import { INVITATION_DAYS, MAX_TEAM } from './team-rules.ts'

export const getInvitations = (deps: Deps, { platformId }: Caller) =>
  listInvitations(deps.sql, platformId, deps.realClock.now())

/**
 * Invites a person by mail. Replaces an earlier invitation to the same email.
 *
 * @throws ApiError permission_denied, already_member, too_many_tries, team_full
 */
export async function invite(
  deps: TxDeps,
  caller: Caller,
  { role, baseUrl, ...request }: { email: string; role: Role; baseUrl: string },
): Promise<void> {
  const { platformId } = caller
  const email = normalizeEmail(request.email)
  const { team, permissions } = await lockCallerTeam(deps, caller)
  requireManaged(permissions, role)
  const login = await findLogin(deps.sql, email)
  if (login && (await findMember(deps.sql, { platformId, loginId: login.id }))) throw new ApiError('already_member')
  await countAttempts(deps, [{ kind: 'invitation', name: email }])
  const now = deps.realClock.now()
  const replaced = await deleteInvitation(deps.sql, platformId, { email })
  if (replaced) requireManaged(permissions, replaced.role)
  const open = await listInvitations(deps.sql, platformId, now)
  if (team.memberCount + open.length >= MAX_TEAM) throw new ApiError('team_full')
  const token = newSecret(deps)
  const invitedBy = personOf(caller)
  await insertInvitation(deps.sql, hashSecret(token), {
    platformId,
    id: newId({ clock: deps.realClock, random: deps.random }),
    email,
    role,
    invitedBy,
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
  })
  await recordAudit(deps, caller, 'member_invited', `${email} as ${role}`)
  const inviter = (await findLoginById(deps.sql, invitedBy))?.name ?? ''
  const platform = await readPlatformName(deps, caller)
  const content = { platform, inviter, role, url: `${baseUrl}/invitation/${token}` }
  await sendMail(deps, { to: email, ...teamMails.invitation(deps.settings.name, content) })
}

/** Revokes an open invitation. @throws ApiError invitation_not_found, permission_denied */
export async function revokeInvitation(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  const { permissions } = await lockCallerTeam(deps, caller)
  const revoked = await deleteInvitation(deps.sql, caller.platformId, { id })
  if (!revoked) throw new ApiError('invitation_not_found')
  requireManaged(permissions, revoked.role)
  await recordAudit(deps, caller, 'invitation_revoked', revoked.email)
}

export type ShownInvitation = Pick<InvitationRow, 'email' | 'role' | 'expiresAt'> & {
  platformName: string
  inviterName: string
  /** Whether the email has a login. If it has, its password accepts the invitation. */
  hasLogin: boolean
}

/** Returns an invitation as its page shows it. @throws ApiError invitation_not_found */
export async function readInvitation(deps: Deps, token: string): Promise<ShownInvitation> {
  const invitation = await findInvitation(deps.sql, hashSecret(token), deps.realClock.now())
  if (!invitation) throw new ApiError('invitation_not_found')
  return { ...invitation, hasLogin: (await findLogin(deps.sql, invitation.email)) !== null }
}

export type Acceptance = {
  token: string
  /** The name of a new person. */
  name: string | undefined
  password: string | undefined
  code: string | undefined
  /** The person who is signed in with the browser, or null. */
  caller: Caller | null
  device: string | null
  origin: Origin
  previousToken: string | null
}

/**
 * Accepts an invitation: as the signed-in person, with the password of an existing login, or as a new person. The link proves the email,
 * because only the invited address received it.
 *
 * @returns the email and the session token. The token is null if the second factor is still missing
 * @throws ApiError invitation_not_found, invitation_for_another, invalid_request, wrong_login, wrong_code, weak_password, team_full
 */
export async function acceptInvitation(
  deps: Deps,
  { token, name, password, code, caller, ...browser }: Acceptance,
): Promise<{ token: string | null; email: string }> {
  const { email, hasLogin } = await readInvitation(deps, token)
  if (caller) {
    await acceptSignedIn(deps, caller, { token, email, origin: browser.origin })
    return { token: browser.previousToken, email }
  }
  if (password === undefined) throw fieldError('invalid_request', 'password', 'is required')
  if (hasLogin) {
    const enter = (tx: TxDeps, login: LoginRow) => joinTeam(tx, { token, login, origin: browser.origin })
    return { token: await signIn(deps, { email, password, code, ...browser, enter }), email }
  }
  if (name === undefined) throw fieldError('invalid_request', 'name', 'is required')
  return { token: await acceptAsNew(deps, { token, email, name, password, ...browser }), email }
}

type Browser = Pick<Acceptance, 'origin' | 'previousToken'>

/**
 * Accepts an invitation for the signed-in person and keeps the session. A new session would count as a recent confirmation, which the
 * person has not given.
 */
async function acceptSignedIn(
  deps: Deps,
  caller: Caller,
  { token, email, origin }: { token: string; email: string; origin: Origin },
): Promise<void> {
  await inTransactionOrRefused(deps, async (tx) => {
    const login = await findLoginById(tx.sql, personOf(caller))
    if (login?.email !== email) return new ApiError('invitation_for_another')
    const platformId = await joinTeam(tx, { token, login, origin })
    if (platformId instanceof ApiError) return platformId
    await switchPlatform(tx, caller, platformId)
    return null
  })
}

async function acceptAsNew(
  deps: Deps,
  { token, email, name, password, ...browser }: Browser & Record<'token' | 'email' | 'name' | 'password', string>,
): Promise<string> {
  await requireGoodPassword(password, [email, name])
  const passwordHash = await hashPassword(password)
  return inTransactionOrRefused(deps, async (tx) => {
    const id = await createLogin(tx, { email, name, passwordHash })
    const platformId = await joinTeam(tx, { token, login: { id, email, name }, origin: browser.origin })
    // Throws instead of returning, so that the new login is rolled back.
    if (platformId instanceof ApiError) throw platformId
    return (await startSession(tx, { platformId, loginId: id, ...browser })).token
  })
}

/** Makes a person a member. @returns the platform, or the refusal invitation_not_found, invitation_for_another, team_full */
async function joinTeam(
  deps: TxDeps,
  { token, login, origin }: { token: string; login: Pick<LoginRow, 'id' | 'email' | 'name'>; origin: Origin },
): Promise<string | ApiError> {
  const now = deps.realClock.now()
  const found = await findInvitation(deps.sql, hashSecret(token), now)
  if (!found) return new ApiError('invitation_not_found')
  const { platformId, role, invitedBy } = found
  if (found.email !== login.email) return new ApiError('invitation_for_another')
  // Locks the team before its invitations, as all other code does.
  const team = await lockTeam(deps.sql, platformId)
  if (!team || team.memberCount >= MAX_TEAM) return new ApiError('team_full')
  if (!(await takeInvitation(deps.sql, hashSecret(token), now))) return new ApiError('invitation_not_found')
  const isNew = await addMember(deps.sql, { platformId, loginId: login.id, role, now })
  if (!isNew) return platformId
  const actor = { kind: 'anonymous', loginId: login.id } as const
  await recordAudit(deps, { platformId, userId: platformId, credential: actor, origin }, 'member_joined', login.id)
  await tellInviter(deps, { platformId, invitedBy, role, person: login.name })
  return platformId
}

async function tellInviter(
  deps: TxDeps,
  { platformId, invitedBy, role, person }: { platformId: string; invitedBy: string; role: Role; person: string },
): Promise<void> {
  const inviter = await findLoginById(deps.sql, invitedBy)
  const membership = await findMembership(deps.sql, { platformId, loginId: invitedBy })
  if (!inviter || !membership) return
  const platform = membership.platformName
  await sendMail(deps, { to: inviter.email, ...teamMails.joined(deps.settings.name, { platform, person, role }) })
}
