import { ApiError } from '../core/errors.ts'
import type { Deps } from '../db/deps.ts'
import type { Caller } from '../http/caller.ts'
import { addDays } from '../lib/clock.ts'
import { lowestIdOf } from '../lib/ids.ts'
import { type AttentionKind, EXPIRING_DAYS, FAILED_DAYS, MAX_COUNT } from './overview-rules.ts'
import { type Balance, countAttention, sumBalance } from './overview-store.ts'

export type AttentionItem = { kind: AttentionKind; count: number; hasMore: boolean }

/** What the owner of a platform may have to act on, without what has a count of zero. */
export async function getAttention(deps: Deps, { platformId }: Caller): Promise<AttentionItem[]> {
  const now = deps.clock.now()
  const counts = await countAttention(deps.sql, platformId, {
    failedSinceId: lowestIdOf(addDays(now, -FAILED_DAYS)),
    expiringUntil: addDays(now, EXPIRING_DAYS),
    limit: MAX_COUNT + 1,
  })
  return counts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => ({ kind, count: Math.min(count, MAX_COUNT), hasMore: count > MAX_COUNT }))
}

/** The balance of a platform, or of one of its users. @throws ApiError user_not_found */
export async function getBalance(
  deps: Deps,
  { platformId, userId, isOwner }: Caller,
  wanted: string | undefined,
): Promise<Balance & { asOf: Date }> {
  if (!isOwner && wanted !== undefined && wanted !== userId) throw new ApiError('user_not_found')
  const balance = await sumBalance(deps.sql, platformId, isOwner ? (wanted ?? null) : userId)
  return { ...balance, asOf: deps.clock.now() }
}
