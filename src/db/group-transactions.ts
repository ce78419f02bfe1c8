import { setTimeout as sleep } from 'node:timers/promises'
import type { GroupTransactions } from '../lib/commit-together.ts'
import type { Pool, Sql } from './connect.ts'
import { type Trouble, troubleOf } from './trouble.ts'

/** Groups of payments: one commits while the next one works. */
export const GROUPS_IN_FLIGHT = 2

/** A group gives up a lock sooner than PostgreSQL looks for a deadlock, and a call alone waits like any request. */
const GROUP_LOCK_TIMEOUT_MS = 100
const PATIENT_LOCK_TIMEOUT_MS = 5_000

/** How long a caller may wait to hear what became of a commit whose connection was lost. */
const SETTLE_TIMEOUT_MS = 12_000
const SETTLE_RETRY_MS = 100

const effects: Record<Trouble, 'undone' | 'unreachable' | 'unknown'> = {
  unreachable: 'unreachable',
  interrupted: 'unknown', // known to be undone, and tried again like what is found to be
  connection_lost: 'unknown',
  deadlock: 'undone',
  too_slow: 'undone',
  other: 'undone',
}

/** Transactions for `commit-together`: groups on a pool of their own, which nothing else may hold up. */
export function groupTransactions(groupPool: Pool, pool: Pool): GroupTransactions<Sql> {
  return {
    transaction: (groupId, work) => begin(groupPool, { groupId, lockTimeoutMs: GROUP_LOCK_TIMEOUT_MS }, work),
    patientTransaction: (groupId, work) => begin(pool, { groupId, lockTimeoutMs: PATIENT_LOCK_TIMEOUT_MS }, work),
    settle: (groupId) => settle(pool, groupId),
    effectOf: (error) => effects[troubleOf(error)],
    placeOf,
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
  })
}

/** The functions that are called for a whole group say in the hint which one made them fail, from 1. */
function placeOf(error: unknown): number | null {
  const place = Number((error as { hint?: unknown }).hint)
  return Number.isSafeInteger(place) && place > 0 ? place - 1 : null
}

/** Waits for the lock that the group's transaction holds: PostgreSQL gives it away when that transaction has ended. */
async function settle(pool: Pool, groupId: string): Promise<void> {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    try {
      await pool.begin((tx) => tx`select pg_advisory_xact_lock(${groupId}::bigint)`)
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(SETTLE_RETRY_MS)
    }
  }
}
