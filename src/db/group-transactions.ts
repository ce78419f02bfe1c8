import { setTimeout as sleep } from 'node:timers/promises'
import type { GroupTransactions } from '../lib/commit-together.ts'
import { ApiError } from '../lib/errors.ts'
import type { Pool, Sql } from './connect.ts'
import { troubleOf } from './trouble.ts'

/** How long a caller may wait to hear what became of a commit whose connection was lost. */
const SETTLE_TIMEOUT_MS = 12_000

/** Transactions for `commit-together`, on a pool of their own. */
export function groupTransactions(pool: Pool): GroupTransactions<Sql> {
  return {
    transaction: (groupId, work) => begin(pool, { groupId, lockTimeoutMs: 100 }, work),
    patientTransaction: (groupId, work) => begin(pool, { groupId, lockTimeoutMs: 5_000 }, work),
    settle: (groupId) => settle(pool, groupId),
    isOutcomeUnknown: (error) => troubleOf(error) === 'connection_lost',
  }
}

function begin<T>(pool: Pool, group: { groupId: string; lockTimeoutMs: number }, work: (tx: Sql) => Promise<T>) {
  return pool.begin(async (tx) => {
    // Sent ahead in the same packet as the work. The lock lives as long as the transaction, wherever its client is.
    const lock = tx`
      select pg_advisory_xact_lock(${group.groupId}::bigint), set_config('lock_timeout', ${String(group.lockTimeoutMs)}, true)
    `.execute()
    const [outcome] = await Promise.all([work(tx), lock])
    return outcome
  }) as Promise<T>
}

/** Waits for the lock that the group's transaction holds: PostgreSQL gives it away when that transaction has ended. */
async function settle(pool: Pool, groupId: string): Promise<void> {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    try {
      await pool.begin((tx) => tx`select pg_advisory_xact_lock(${groupId}::bigint)`)
      return
    } catch (error) {
      if (troubleOf(error) === 'other') throw error
      if (Date.now() > deadline) throw new ApiError('outcome_unknown')
      await sleep(100)
    }
  }
}
