import { classifyDatabaseError } from '../trouble.ts'
import { connectionError } from './connection.ts'
import { Connections, type PoolLoad, type PoolOptions, type Taken } from './connections.ts'
import type { ServerAddress } from './server-address.ts'
import { createSql, type Execute, type Sql } from './sql.ts'

export type Pool = Sql & {
  /** Runs `work` in a transaction. Commits if it resolves, and rolls back if it rejects. */
  begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * Calls `onNotify` for each notification until the pool ends. Resolves when listening starts. Calls `onStart` at that time, and after
   * each lost connection that was replaced, because notifications in between were missed.
   */
  listen(channel: string, onNotify: (payload: string) => void, onStart?: () => void): Promise<void>
  notify(channel: string, payload: string): Promise<void>
  /** The time that a statement waits for a lock. */
  lockTimeoutMs: number
  load(): PoolLoad
  /** Waits for running work, at most `timeout` seconds, then cancels it and closes all connections. */
  end(options?: { timeout?: number }): Promise<void>
}

export function createPool(address: ServerAddress, options: PoolOptions): Pool {
  const connections = new Connections(address, options)
  const sql = createSql(async (statement) => {
    const connection = await connections.acquire()
    try {
      return await connection.execute(statement)
    } finally {
      connection.release()
    }
  })
  return Object.assign(sql, {
    begin: async <T>(work: (sql: Sql) => Promise<T>) => {
      const connection = await acquireInTransaction(connections, options.max)
      try {
        return await transact(connection, work)
      } finally {
        connection.release()
      }
    },
    listen: (name: string, onNotify: (payload: string) => void, onStart?: () => void) =>
      connections.listen({ name, onNotify, onStart }),
    notify: async (channel: string, payload: string) => {
      await sql`select pg_notify(${channel}, ${payload})`
    },
    lockTimeoutMs: Number(options.settings.lock_timeout),
    load: () => connections.load(),
    end: (ending?: { timeout?: number }) => connections.end(ending),
  })
}

/**
 * Begins a transaction on a connection of the pool. If the connection was lost while it was idle, no statement has run, so another one is
 * tried.
 */
async function acquireInTransaction(connections: Connections, maxRetries: number): Promise<Taken> {
  for (let triesLeft = maxRetries; ; triesLeft--) {
    const connection = await connections.acquire()
    try {
      await createSql(connection.execute).unsafe('begin')
      return connection
    } catch (error) {
      connection.lose()
      connection.release()
      if (triesLeft === 0) throw error
    }
  }
}

/** Transactions whose statements have their own time limits. */
const longTransactions = new WeakSet<Sql>()

/** Removes the time limit of the statements of a transaction. */
export const withoutTimeLimit = (sql: Sql): Promise<void> => setTimeLimit(sql, 0)

/** Sets the time limit of the statements of a transaction. `ms`: 0 for no limit. */
export async function setTimeLimit(sql: Sql, ms: number): Promise<void> {
  longTransactions.add(sql)
  await sql.unsafe(`set local statement_timeout = ${ms}`)
}

/** Runs `work` in a transaction on a connection, and commits or rolls back. */
async function transact<T>(connection: Taken, work: (sql: Sql) => Promise<T>): Promise<T> {
  let isOver = false
  const execute: Execute = (statement) => connection.execute({ ...statement, canTakeLong: longTransactions.has(sql) })
  const sql: Sql = createSql((statement) =>
    isOver ? Promise.reject(new Error('the transaction is over')) : execute(statement),
  )
  // Stops accepting statements before the end, because other parts of the work may still be running. Their statements would run outside of
  // the transaction.
  const end = (command: 'commit' | 'rollback') => {
    isOver = true
    return createSql(execute).unsafe(command)
  }
  let isCommitting = false
  try {
    const result = await work(sql)
    isCommitting = true
    const { command } = await end('commit')
    // PostgreSQL answers a commit with ROLLBACK if a statement of the transaction has failed.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back, because a statement had failed')
    return result
  } catch (error) {
    if (isCommitting) throw error
    await end('rollback').catch(connection.lose)
    throw classifyDatabaseError(error) === 'connection_lost' ? interrupted(error) : error
  }
}

const interrupted = (cause: unknown) =>
  Object.assign(connectionError('TRANSACTION_INTERRUPTED', 'The connection was lost before the commit.'), { cause })
