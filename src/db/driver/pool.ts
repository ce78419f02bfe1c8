import pg from 'pg'
import { troubleOf } from '../trouble.ts'
import { beginSession, type ConnectionOptions, clientConfig, connectionError, executeOn } from './connection.ts'
import { listenOn } from './listener.ts'
import { type ServerAddress, tlsFailure } from './server-address.ts'
import { serverChoice } from './server-choice.ts'
import { createSql, type Execute, type Sql } from './sql.ts'

export type Pool = Sql & {
  /** Runs `work` in a transaction: commits when it resolves, rolls back when it rejects. */
  begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Calls `onNotify` for each notification until the pool ends. Resolves when it starts to listen. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<void>
  notify(channel: string, payload: string): Promise<void>
  load(): PoolLoad
  /** Waits for running work, at most `timeout` seconds, then cancels it and closes all connections. */
  end(options?: { timeout?: number }): Promise<void>
}

/** The numbers of used and unused connections, and of callers that wait for one. */
export type PoolLoad = { busy: number; idle: number; waiting: number }

export type PoolOptions = ConnectionOptions & { max: number; acquireTimeoutMs: number }

/** A connection that was taken from the pool. */
type Taken = { execute: Execute; isLost(): boolean; lose(): void; release(): void }

/** A pool of `pg` in which a lost connection is closed and never used again. */
export function createPool(address: ServerAddress, { max, acquireTimeoutMs, ...options }: PoolOptions): Pool {
  const servers = serverChoice(address.servers)
  const start = (client: pg.ClientBase) => beginSession(client, { mustWrite: address.servers.length > 1 })
  const pool = new pg.Pool({
    max,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: acquireTimeoutMs,
    onConnect: start,
    // The server is chosen for each connection.
    Client: class extends pg.Client {
      constructor() {
        super(clientConfig(address, servers.current(), options))
      }
    },
  })
  // A statement reports the loss of its connection. The loss of an idle connection needs no report.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const busy = new Set<pg.PoolClient>()
  const listeners = new Set<{ end(): Promise<void> }>()
  const waiting = new Set<(reason: Error) => void>()

  async function acquire(): Promise<Taken> {
    for (let serversLeft = address.servers.length; ; serversLeft--) {
      const server = servers.current()
      try {
        return takenFrom(await checkOut())
      } catch (error) {
        const refusal = acquireError(error)
        if (troubleOf(refusal) !== 'unreachable' || pool.ending) throw refusal
        servers.replace(server)
        if (serversLeft <= 1) throw refusal
      }
    }
  }

  /** Takes a connection from the pool, and rejects if the pool ends before. */
  function checkOut(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      waiting.add(reject)
      pool.connect((error, client) => {
        const isWaiting = waiting.delete(reject)
        if (error || !client) reject(error)
        else if (isWaiting) resolve(client)
        else client.release()
      })
    })
  }

  function acquireError(error: unknown): Error {
    const { message, code } = error as { message: string; code?: string }
    if (message === 'timeout exceeded when trying to connect')
      return connectionError('POOL_TIMEOUT', `No connection came free within ${acquireTimeoutMs} ms.`)
    // No statement was sent yet, so the outcome is certain.
    const tlsMessage = tlsFailure(error)
    if (tlsMessage === null && code !== undefined && troubleOf(error) !== 'connection_lost') return error as Error
    return connectionError('CONNECT_FAILED', tlsMessage ?? message)
  }

  function takenFrom(client: pg.PoolClient): Taken {
    busy.add(client)
    let isLost = false
    const lose = () => {
      isLost = true
    }
    client.once('error', lose).once('end', lose)
    return {
      execute: executeOn(client, lose),
      isLost: () => isLost,
      lose,
      release: () => {
        client.removeListener('error', lose).removeListener('end', lose)
        busy.delete(client)
        client.release(isLost)
      },
    }
  }

  const executeAnywhere: Execute = async (statement) => {
    const connection = await acquire()
    try {
      return await connection.execute(statement)
    } finally {
      connection.release()
    }
  }

  /** The loss of an idle connection may only show here. Nothing was executed yet, so another connection is tried. */
  async function acquireInTransaction(): Promise<Taken> {
    for (let triesLeft = max; ; triesLeft--) {
      const connection = await acquire()
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

  async function begin<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const connection = await acquireInTransaction()
    try {
      return await transact(connection, work)
    } finally {
      connection.release()
    }
  }

  async function end({ timeout }: { timeout?: number } = {}) {
    for (const reject of waiting) reject(connectionError('CONNECTION_ENDED', 'The pool of connections was closed.'))
    waiting.clear()
    const listenersClosed = [...listeners].map((listener) => listener.end())
    const closed = Promise.all([...listenersClosed, ...(pool.ending ? [] : [pool.end()])])
    if (timeout === undefined) return void (await closed)
    if (await settlesWithin(closed, timeout * 1_000)) return
    // The server cancels their statements, see client_connection_check_interval in connect.ts.
    for (const client of busy) void client.end()
    await settlesWithin(closed, CLOSE_TIMEOUT_MS)
  }

  function newClient() {
    const server = servers.current()
    return { client: new pg.Client(clientConfig(address, server, options)), server }
  }

  const sql = createSql(executeAnywhere)
  return Object.assign(sql, {
    begin,
    listen: (channel: string, onNotify: (payload: string) => void) => {
      const listener = listenOn(newClient, { channel, onNotify, start, onFailed: servers.replace })
      listeners.add(listener)
      return listener.listening
    },
    notify: async (channel: string, payload: string) => {
      await sql`select pg_notify(${channel}, ${payload})`
    },
    load: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    end,
  })
}

/** How long to wait for a server that does not answer to a closed connection. */
const CLOSE_TIMEOUT_MS = 1_000

function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ms)
    work.then(() => resolve(true), reject).finally(() => clearTimeout(timer))
  })
}

/** Transactions without time limits. */
const longTransactions = new WeakSet<Sql>()

/** Removes the time limits of the statements of a transaction. */
export async function withoutTimeLimit(sql: Sql): Promise<void> {
  longTransactions.add(sql)
  await sql`set local statement_timeout = 0`
}

/** Runs `work` in the transaction of a connection, and ends it. */
async function transact<T>(connection: Taken, work: (sql: Sql) => Promise<T>): Promise<T> {
  let isOver = false
  const sql = createSql((statement) => {
    // A later statement would run outside the transaction.
    if (isOver) return Promise.reject(new Error('the transaction is over'))
    return connection.execute({ ...statement, canTakeLong: longTransactions.has(sql) })
  })
  let isCommitting = false
  try {
    const result = await work(sql)
    isCommitting = true
    const { command } = await sql.unsafe('commit')
    // PostgreSQL answers ROLLBACK if a statement of the transaction has failed.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement had failed')
    return result
  } catch (error) {
    if (isCommitting) throw error
    await sql.unsafe('rollback').catch(connection.lose)
    throw troubleOf(error) === 'connection_lost' ? interrupted(error) : error
  } finally {
    isOver = true
  }
}

const interrupted = (cause: unknown) =>
  Object.assign(connectionError('TRANSACTION_INTERRUPTED', 'The connection was lost before the commit.'), { cause })
