import type { Pool, Sql } from '../../src/db/connect.ts'
import { waitUntil } from './wait-until.ts'

/** Starts a request and waits until its transaction waits for the lock. */
export type Arrive = <T>(start: () => Promise<T>) => Promise<{ result: Promise<T> }>

/**
 * Holds a lock while requests arrive one by one, each inside its transaction, then lets all of them go. The test knows that
 * they overlap. They get the lock in the order in which they arrived, unless another request asks for it while it is free.
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

/** Waits until so many statements on this database wait for a lock. */
export const waitUntilWaiting = (sql: Pool, count: number): Promise<void> =>
  waitUntil(`${count} statements wait for a lock`, async () => {
    const waiting = await sql`
      select 1
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `
    return waiting.length >= count
  })
