import type { Pool, Sql } from '../../src/foundation/db/connect.ts'
import { waitUntil } from './wait-until.ts'

/** Starts a request and waits until its transaction waits for the lock. */
export type Arrive = <T>(start: () => Promise<T>) => Promise<{ result: Promise<T> }>

/**
 * Holds a lock while requests arrive one at a time, each inside its transaction, and then releases it. The requests
 * therefore overlap. They get the lock in the order in which they arrived, unless another request asks for it while it
 * is free.
 *
 * @param sql a pool that none of the requests uses
 */
export async function holdingLock<T>(
  sql: Pool,
  lock: (tx: Sql) => Promise<unknown>,
  requests: (arrive: Arrive) => Promise<T>,
): Promise<T> {
  let count = 0
  return sql.begin(async (tx) => {
    await lock(tx)
    return requests(async (start) => {
      const result = start()
      result.catch(() => {}) // the caller that awaits it gets the error
      await waitUntilWaiting(sql, ++count)
      return { result }
    })
  }) as Promise<T>
}

/** Locks a row by its id until the end of the transaction. On a cluster, a statement that locks names the platform. */
export async function lockRow(tx: Sql, table: LockedTable, id: string): Promise<void> {
  const key = tx(table === 'user_counters' ? 'user_id' : 'id')
  const [row] = await tx<{ platformId: string }[]>`select platform_id from ${tx(table)} where ${key} = ${id}`
  await tx`select from ${tx(table)} where platform_id = ${row?.platformId as string} and ${key} = ${id} for update`
}

/** Locks the row that each change of a user locks first. */
export async function lockAllCounters(tx: Sql): Promise<void> {
  const users = await tx<{ userId: string }[]>`select user_id from user_counters order by user_id`
  for (const { userId } of users) await lockRow(tx, 'user_counters', userId)
}

type LockedTable = 'banks' | 'invoices' | 'payments' | 'user_counters' | 'users'

/** On a cluster, a statement of the coordinator waits for a lock on a node. */
const ACTIVITY = process.env.TEST_CITUS ? 'citus_stat_activity' : 'pg_stat_activity'

/** Waits until this number of statements on the database wait for a lock. */
export const waitUntilWaiting = (sql: Pool, count: number): Promise<void> =>
  waitUntil(`${count} statements wait for a lock`, async () => {
    const waiting = await sql`
      select 1
      from ${sql.unsafe(ACTIVITY)}
      where datname = current_database() and wait_event_type = 'Lock'
    `
    return waiting.length >= count
  })
