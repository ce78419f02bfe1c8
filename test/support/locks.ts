import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, Sql } from '../../src/db/connect.ts'

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

async function waitUntilWaiting(sql: Pool, count: number): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    const waiting = await sql`
      select 1
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `
    if (waiting.length >= count) return
    await sleep(5)
  }
  throw new Error(`fewer than ${count} requests wait for the lock`)
}
