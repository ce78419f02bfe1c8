import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import { formatDollars } from '../../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { businessDate } from '../../../foundation/lib/clock.ts'
import { requireAskedUser, visibleUser } from '../user-actions.ts'
import { lockUser } from '../user-lock-actions.ts'
import { findUser, type UserKey } from '../user-store.ts'
import { effectiveLimits, highestLimits, limitText, NO_LIMITS, type UserLimits } from './limit-rules.ts'
import { findLimits, findSentCents, upsertOwnerLimits } from './limit-store.ts'

export type LimitState = {
  limits: UserLimits
  /** The limits that the operator or the environment set. The owner's own limits can only be lower. */
  highest: UserLimits
  sent: { dayCents: number; monthCents: number }
  /** The time at which this state was read, by the platform's clock. */
  asOf: Date
}

/**
 * Returns the limits of a user and how much of them is used. Without `wanted`, returns those of the caller.
 *
 * @throws ApiError user_not_found
 */
export async function getLimits(deps: Deps, caller: Caller, wanted: string | undefined): Promise<LimitState> {
  const user = await requireAskedUser(deps, caller, wanted)
  const asOf = deps.clock.now()
  const [set, sent] = await Promise.all([
    findLimits(deps.sql, user),
    findSentCents(deps.sql, user, businessDate(asOf, deps.settings.timeZone)),
  ])
  const usual = deps.settings.limits ?? NO_LIMITS
  return { limits: effectiveLimits(set, usual), highest: highestLimits(set, usual), sent, asOf }
}

/** Returns the limits that apply to a user. */
export async function limitsOf(deps: Pick<TxDeps, 'sql' | 'settings'>, user: UserKey): Promise<UserLimits> {
  return effectiveLimits(await findLimits(deps.sql, user), deps.settings.limits ?? NO_LIMITS)
}

const fields = { paymentCents: 'payment', dayCents: 'day', monthCents: 'month' } as const

/** Lowers limits of a user of the owner's platform. Null removes a lowered limit. @throws ApiError user_not_found, invalid_request */
export async function lowerLimits(
  deps: TxDeps,
  caller: Caller,
  { userId, changes }: { userId: string; changes: Partial<UserLimits> },
): Promise<void> {
  const user = visibleUser(caller, userId)
  const isThere = (await lockUser(deps, user)) && (await findUser(deps.sql, user)) !== null
  if (!isThere) throw new ApiError('user_not_found')
  const set = await findLimits(deps.sql, user)
  const highest = highestLimits(set, deps.settings.limits ?? NO_LIMITS)
  for (const [name, field] of Object.entries(fields) as [keyof UserLimits, string][]) {
    const [wanted, most] = [changes[name] ?? null, highest[name]]
    if (wanted !== null && most !== null && wanted > most) {
      const problem = `must not be above the operator’s limit of ${formatDollars(most)}`
      throw new ApiError('invalid_request', { fields: { [field]: [problem] } })
    }
  }
  const limits = { ...set.byOwner, ...changes }
  await upsertOwnerLimits(deps.sql, user, limits)
  const [payment, day, month] = [limits.paymentCents, limits.dayCents, limits.monthCents].map((cents) =>
    limitText(cents, 'unchanged'),
  )
  await recordAudit(deps, caller, 'limits_changed', `${userId} payment ${payment}, day ${day}, month ${month}`)
}
