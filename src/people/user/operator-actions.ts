import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { AuditAction } from '../../foundation/audit/audit-rules.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { businessDate } from '../../foundation/lib/clock.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { normalizeEmail } from '../../foundation/lib/text/email.ts'
import { neutralText } from '../../foundation/lib/text/plain-text.ts'
import { effectiveLimits, limitText, NO_LIMITS, type UserLimits } from './limit/limit-rules.ts'
import { findLimits, findSentCents, upsertLimits } from './limit/limit-store.ts'
import { type OperatorEvent, operatorEvents } from './operator-rules.ts'
import { findUserByName, listOwnedPlatforms } from './operator-store.ts'
import { changeUserStatus } from './user-actions.ts'
import { lockUser } from './user-lock-actions.ts'
import type { UserStatus } from './user-status.ts'
import { findPerson, type UserKey, type UserRow } from './user-store.ts'

// Decisions of the operator about users, made on the command line (specification.md 3.2).

/**
 * Finds a user of a platform by user_id or system id. Without `user`, finds the platform's owner.
 *
 * @param named.owner the email address of an owner, or the id of the platform
 * @throws StartProblem
 */
export async function findNamedUser(
  deps: TxDeps,
  { owner, user }: { owner: string; user: string | undefined },
): Promise<UserKey> {
  const platformId = await findNamedPlatform(deps, owner)
  if (user === undefined) return { platformId, userId: platformId }
  const userId = await findUserByName(deps.sql, { platformId, name: user, id: isId(user) ? user : null })
  if (userId === null) throw new StartProblem(`The platform of ${owner} has no user ${user}. Check --user.`)
  return { platformId, userId }
}

/**
 * Finds a platform by an owner's email or by its id. Refuses the email of an owner of several platforms, so that the wrong one is not
 * suspended.
 */
async function findNamedPlatform(deps: TxDeps, owner: string): Promise<string> {
  const platforms = await listOwnedPlatforms(deps.sql, {
    email: normalizeEmail(owner),
    id: isId(owner) ? owner : null,
  })
  const [platform] = platforms
  if (!platform) {
    const what = isId(owner) ? `No platform has the id ${owner}` : `No owner has the email address ${owner}`
    throw new StartProblem(`${what}. Check --owner.`)
  }
  if (platforms.length > 1) {
    const lines = platforms.map(({ platformId, name }) => `  --owner ${platformId}  ${neutralText(name)}`)
    throw new StartProblem(`${owner} owns several platforms. Choose one:\n${lines.join('\n')}`)
  }
  return platform.platformId
}

/** Verifies, suspends or closes a user. @throws StartProblem if the user's status does not allow it */
export async function decideUser(deps: TxDeps, user: UserKey, event: OperatorEvent): Promise<void> {
  await lockUser(deps, user)
  const { status } = await requirePerson(deps, user)
  const clock = await clockOf(deps, user.platformId)
  if (!(await changeUserStatus({ ...deps, clock }, user, event)))
    throw new StartProblem(`The user is ${status}, so nothing was changed.`)
  await record(deps, user, operatorEvents[event], user.userId)
}

/** The operator can also name guests. They can owe money. @throws ApiError user_not_found */
async function requirePerson(deps: TxDeps, user: UserKey): Promise<UserRow> {
  const person = await findPerson(deps.sql, user)
  if (!person) throw new ApiError('user_not_found')
  return person
}

/** Sets limits of a user. Omitted limits are unchanged. */
export async function changeLimits(deps: TxDeps, user: UserKey, changes: Partial<UserLimits>): Promise<void> {
  await lockUser(deps, user)
  const limits = { ...(await findLimits(deps.sql, user)).byOperator, ...changes }
  await upsertLimits(deps.sql, user, limits)
  const [payment, day, month] = [limits.paymentCents, limits.dayCents, limits.monthCents].map((cents) =>
    limitText(cents),
  )
  await record(deps, user, 'limits_changed', `${user.userId} payment ${payment}, day ${day}, month ${month}`)
}

const record = (deps: TxDeps, { platformId }: UserKey, action: AuditAction, subject: string) =>
  recordAudit(deps, { platformId, userId: null, credential: { kind: 'operator' }, origin: null }, action, subject)

/** A user as the operator sees it. `limits` apply to the user. `own` are the limits that the operator set for this user, or null. */
export type UserState = {
  id: string
  externalId: string | null
  name: string
  status: UserStatus
  limits: UserLimits
  ownLimits: UserLimits
  sent: { dayCents: number; monthCents: number }
}

export async function getUserState(deps: TxDeps, user: UserKey): Promise<UserState> {
  const { id, externalId, name, status } = await requirePerson(deps, user)
  const set = await findLimits(deps.sql, user)
  const today = businessDate((await clockOf(deps, user.platformId)).now(), deps.settings.timeZone)
  return {
    id,
    externalId,
    name,
    status,
    limits: effectiveLimits(set, deps.settings.limits ?? NO_LIMITS),
    ownLimits: set.byOperator,
    sent: await findSentCents(deps.sql, user, today),
  }
}
