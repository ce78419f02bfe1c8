import { setTimeout as sleep } from 'node:timers/promises'
import type { GroupTransactions } from '../lib/concurrency/commit-together.ts'
import { isOnCitus } from './cluster/by-platform.ts'
import { countBackendsOnNodes, endBackendsOnNodes } from './cluster/session-backends.ts'
import type { Pool } from './connect.ts'
import { type Session, sessionOf } from './driver/connection.ts'
import { classifyDatabaseError, type Trouble } from './trouble.ts'

/**
 * The number of groups of payments that may run at once. While one is in the database, this process parses and answers the requests of the
 * other. More groups would be smaller and therefore less efficient.
 */
export const GROUPS_IN_FLIGHT = 2
/** The number of groups of payments that may run at once on a cluster. Each group has one platform and waits for the commit of its node. */
export const GROUPS_IN_FLIGHT_ON_CLUSTER = 8

/** The lock timeout of a group. It is shorter than the time after which PostgreSQL checks for deadlocks. */
export const GROUP_LOCK_TIMEOUT_MS = 100

/** The time that a caller waits for the outcome of a commit if the connection was lost. */
const SETTLE_TIMEOUT_MS = 12_000
/** The time in which the session of a lost connection may end by itself. After that, the session is terminated. */
const SETTLE_PATIENCE_MS = 2_000
const SETTLE_LOCK_TIMEOUT_MS = 1_000
const SETTLE_RETRY_MS = 100

const effects: Record<Trouble, 'undone' | 'unreachable' | 'unknown'> = {
  unreachable: 'unreachable',
  interrupted: 'undone',
  connection_lost: 'unknown',
  deadlock: 'undone',
  too_slow: 'undone',
  other: 'undone',
}

/** Runs and recovers the statements of groups for commit-together. Each has its own transaction. */
export const groupTransactions = (pool: Pool): GroupTransactions => ({
  settle: (error) => settle(pool, sessionOf(error)),
  effectOf: (error) => effects[classifyDatabaseError(error)],
  placeOf,
})

/**
 * Returns the index of the item that made a group statement fail, or null. The SQL functions put its position (from 1) into the error's
 * hint.
 */
function placeOf(error: unknown): number | null {
  const place = Number((error as { hint?: unknown }).hint)
  return Number.isSafeInteger(place) && place > 0 ? place - 1 : null
}

/**
 * Waits until a lost session has ended. PostgreSQL releases its lock after it has executed everything that was sent. A session that does
 * not end in time is terminated, because it may not have noticed that its client is gone.
 */
async function settle(pool: Pool, session: Session): Promise<void> {
  await settleSession(pool, session.lock)
  if (await isOnCitus(pool)) await settleOnNodes(pool, session.processId)
}

async function settleSession(pool: Pool, session: string): Promise<void> {
  const start = Date.now()
  for (;;) {
    try {
      await pool.begin(async (tx) => {
        await tx.unsafe(`set local lock_timeout = ${SETTLE_LOCK_TIMEOUT_MS}`)
        await tx`select pg_advisory_xact_lock(${session}::bigint)`
      })
      return
    } catch (error) {
      const waitedMs = Date.now() - start
      if (waitedMs > SETTLE_TIMEOUT_MS) throw error
      if (waitedMs > SETTLE_PATIENCE_MS) await endSession(pool, session).catch(() => {})
      await sleep(SETTLE_RETRY_MS)
    }
  }
}

/**
 * Waits until no node runs a call for a session of the coordinator. A node can commit a delegated call even if the coordinator has lost
 * the session.
 *
 * @throws an error if a node does not answer, because that node may run the call
 */
async function settleOnNodes(pool: Pool, processId: number): Promise<void> {
  const start = Date.now()
  while ((await countBackendsOnNodes(pool, processId)) > 0) {
    const waitedMs = Date.now() - start
    if (waitedMs > SETTLE_TIMEOUT_MS) throw new Error('a node of the cluster still runs a lost call')
    if (waitedMs > SETTLE_PATIENCE_MS) await endBackendsOnNodes(pool, processId)
    await sleep(SETTLE_RETRY_MS)
  }
}

/** Terminates the session that holds an advisory lock. `pg_locks` stores the lock's number as two halves. */
async function endSession(pool: Pool, session: string): Promise<void> {
  await pool`
    select pg_terminate_backend(pid)
    from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = ${session}::bigint
      and database = (select oid from pg_database where datname = current_database())
  `
}
