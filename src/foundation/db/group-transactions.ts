import { setTimeout as sleep } from 'node:timers/promises'
import type { GroupTransactions } from '../lib/concurrency/commit-together.ts'
import { isOnCitus } from './cluster/by-platform.ts'
import { countBackendsOnNodes, endBackendsOnNodes } from './cluster/session-backends.ts'
import type { Pool } from './connect.ts'
import { type Session, sessionOf } from './driver/connection.ts'
import { type Trouble, troubleOf } from './trouble.ts'

/**
 * How many groups of payments may run at once: one group is in the database while this process parses and answers the requests of
 * the other. More would be smaller, and the work of a call is shared by fewer payments.
 */
export const GROUPS_IN_FLIGHT = 2
/** The same on a cluster, where each group is of one platform and waits for the commit of its node. */
export const GROUPS_IN_FLIGHT_ON_CLUSTER = 8

/** A group stops waiting for a lock before PostgreSQL checks for a deadlock. */
export const GROUP_LOCK_TIMEOUT_MS = 100

/** How long a caller waits for the outcome of a commit whose connection was lost. */
const SETTLE_TIMEOUT_MS = 12_000
/** How long its session may take to end by itself. */
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

/** How commit-together runs and recovers statements for groups, each in its own transaction. */
export const groupTransactions = (pool: Pool): GroupTransactions => ({
  settle: (error) => settle(pool, sessionOf(error)),
  effectOf: (error) => effects[troubleOf(error)],
  placeOf,
})

/** The position (from 1) of the item that made a group statement fail, which its functions put into the hint. */
function placeOf(error: unknown): number | null {
  const place = Number((error as { hint?: unknown }).hint)
  return Number.isSafeInteger(place) && place > 0 ? place - 1 : null
}

/**
 * Waits for the lock of a lost session, which PostgreSQL releases after executing everything that was sent. If the session
 * does not end in time, it may not know that its client is gone, and is terminated.
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
 * Waits until no node runs anything for a session of the coordinator. A node commits a call that was delegated to it even if the
 * coordinator has lost the session.
 *
 * @throws an error when a node does not answer: it may be that node which runs the call
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

/** `pg_locks` has the two halves of the lock's number. */
async function endSession(pool: Pool, session: string): Promise<void> {
  await pool`
    select pg_terminate_backend(pid)
    from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = ${session}::bigint
      and database = (select oid from pg_database where datname = current_database())
  `
}
