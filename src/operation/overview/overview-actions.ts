import type { Deps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { findAskedUserId } from '../../people/user/user-actions.ts'
import { type AttentionKind, EXPIRING_DAYS, FAILED_DAYS, MAX_COUNT } from './overview-rules.ts'
import { type Balance, countAttention, sumBalances } from './overview-store.ts'

export type AttentionItem = { kind: AttentionKind; count: number; hasMore: boolean }

/** Counts the items that need the owner's attention. Leaves out counts of zero. */
export async function getAttention(deps: Deps, { platformId }: Caller): Promise<AttentionItem[]> {
  const now = deps.clock.now()
  const counts = await countAttention(deps.sql, platformId, {
    failedSince: addDays(now, -FAILED_DAYS),
    expiringUntil: addDays(now, EXPIRING_DAYS),
    limit: MAX_COUNT + 1,
  })
  return counts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => ({ kind, count: Math.min(count, MAX_COUNT), hasMore: count > MAX_COUNT }))
}

/** Returns the balance of a platform, or of one of its users. @throws ApiError user_not_found */
export async function getBalance(
  deps: Deps,
  caller: Caller,
  wanted: string | undefined,
): Promise<Balance & { asOf: Date }> {
  const balance = await sumBalances(deps.sql, caller.platformId, await findAskedUserId(deps, caller, wanted))
  return { ...balance, asOf: deps.clock.now() }
}
