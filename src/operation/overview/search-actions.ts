import type { Deps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { lowestIdOf } from '../../foundation/lib/ids.ts'
import { getUsers } from '../../people/user/user-actions.ts'
import type { ListedUser } from '../../people/user/user-store.ts'
import { parseLookup } from './search-rules.ts'
import {
  type FoundPayment,
  findPayments,
  findSearchProgress,
  insertSearchTerms,
  lockSearchProgress,
  type Progress,
  requestSearchTerms,
  updateSearchProgress,
} from './search-store.ts'

const EACH = 8
const PAYMENTS_PER_PASS = 5_000
/** The milliseconds after the time in its id when a payment can still become visible. */
const LATENESS_MS = 60_000
const REFRESH_MS = 10_000
/** The age of the last pass in milliseconds above which a search reads new payments first. */
const STALE_MS = 1_000

export type Found = {
  payments: FoundPayment[]
  users: ListedUser[]
  /** Whether all payments were searched. False also while another process reads the newest ones. */
  isComplete: boolean
}

/** Finds the payments and users of a platform that match a text, at most eight of each. */
export async function search(deps: Deps, { platformId }: Caller, q: string): Promise<Found> {
  const realNow = deps.realClock.now()
  await requestSearchTerms(deps.sql, platformId, { id: lowestIdOf(deps.clock.now()), realNow })
  const before = await findSearchProgress(deps.sql, platformId)
  if (before && isStale(before, realNow)) {
    // If new payments cannot be read, the search covers the earlier ones.
    await readTerms(deps, platformId).catch((error) =>
      deps.log.warn({ err: error, platform: platformId }, 'search terms not read'),
    )
  }
  // The progress is read before the payments, because another process may finish reading between the two statements.
  const progress = await findSearchProgress(deps.sql, platformId)
  const isComplete = progress?.isComplete === true && !isStale(progress, realNow)
  const paging = { limit: EACH, sort: { field: 'DATE', direction: 'desc' }, page: 1, offset: 0, after: null } as const
  const [payments, users] = await Promise.all([
    findPayments(deps.sql, platformId, parseLookup(q), EACH),
    getUsers(deps, { platformId, q, paging }),
  ])
  return { payments, users: users.rows, isComplete }
}

const isStale = ({ nextAt }: Progress, realNow: Date): boolean =>
  nextAt.getTime() - REFRESH_MS + STALE_MS <= realNow.getTime()

/**
 * Stores the search terms of new payments of a platform, and of a part of those that were never read. Only one process does this at a
 * time.
 *
 * @returns whether there is more to read now
 */
export function readTerms(deps: Deps, platformId: string): Promise<boolean> {
  return inTransaction(deps, async (tx) => {
    const progress = await lockSearchProgress(tx.sql, platformId)
    if (!progress) return false
    const limit = PAYMENTS_PER_PASS
    const now = (await clockOf(tx, platformId)).now()
    const recent = await insertSearchTerms(tx.sql, platformId, { id: progress.toId, isForward: true, limit })
    const isFull = recent.count === limit
    const settled = lowestIdOf(new Date(now.getTime() - LATENESS_MS))
    const toId = isFull ? (recent.lastId as string) : later(progress.toId, settled)
    const past = progress.isComplete
      ? null
      : await insertSearchTerms(tx.sql, platformId, { id: progress.fromId, isForward: false, limit })
    const isComplete = past === null || past.count < limit
    const hasMore = isFull || !isComplete
    const nextAt = new Date(tx.realClock.now().getTime() + (hasMore ? 0 : REFRESH_MS))
    const fromId = past?.firstId ?? progress.fromId
    await updateSearchProgress(tx.sql, platformId, { fromId, toId, isComplete, nextAt })
    return hasMore
  })
}

const later = (a: string, b: string): string => (plain(a) > plain(b) ? a : b)
const plain = (id: string): string => id.replaceAll('-', '')
