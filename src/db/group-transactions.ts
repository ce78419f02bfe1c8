import { setTimeout as sleep } from 'node:timers/promises'
import type { GroupTransactions } from '../lib/concurrency/commit-together.ts'
import type { Pool } from './connect.ts'
import { sessionOf } from './connection.ts'
import { type Trouble, troubleOf } from './trouble.ts'

/** Groups of payments: one commits while the next ones work. */
export const GROUPS_IN_FLIGHT = 3

/** A group gives up a lock sooner than PostgreSQL looks for a deadlock. */
export const GROUP_LOCK_TIMEOUT_MS = 100

/** How long a caller may wait to hear what became of a commit whose connection was lost. */
const SETTLE_TIMEOUT_MS = 12_000
const SETTLE_RETRY_MS = 100

const effects: Record<Trouble, 'undone' | 'unreachable' | 'unknown'> = {
  unreachable: 'unreachable',
  interrupted: 'undone',
  connection_lost: 'unknown',
  deadlock: 'undone',
  too_slow: 'undone',
  other: 'undone',
}

/** What is known of the statements that are called for groups, each a transaction of its own. */
export const groupTransactions = (pool: Pool): GroupTransactions => ({
  settle: (error) => settle(pool, sessionOf(error)),
  effectOf: (error) => effects[troubleOf(error)],
  placeOf,
})

/** The functions that are called for a whole group say in the hint which one made them fail, from 1. */
function placeOf(error: unknown): number | null {
  const place = Number((error as { hint?: unknown }).hint)
  return Number.isSafeInteger(place) && place > 0 ? place - 1 : null
}

/** Waits for the lock of a lost session: PostgreSQL gives it away when all that was sent there has been done. */
async function settle(pool: Pool, session: string): Promise<void> {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    try {
      await pool.begin((tx) => tx`select pg_advisory_xact_lock(${session}::bigint)`)
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(SETTLE_RETRY_MS)
    }
  }
}
