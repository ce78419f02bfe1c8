import postgres from 'postgres'
import {
  type Connection,
  type CustomTypes,
  connectionError,
  type Driver,
  type DriverOptions,
  openConnection,
  type Statement,
} from './connection.ts'
import { troubleOf } from './trouble.ts'

/** Creates and runs statements, on any connection of a pool or on the one of a transaction. */
export type Sql = postgres.ISql<CustomTypes>

export type Pool = Sql & {
  /** Runs `work` in a transaction: commits when it resolves, rolls back when it rejects. */
  begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  listen(channel: string, onNotify: (payload: string) => void): Promise<unknown>
  /** The current load. */
  load(): PoolLoad
  /** Waits for running work, at most `timeout` seconds, then closes every connection. */
  end(options?: { timeout?: number }): Promise<void>
}

/** Connections in use, idle connections, and waiting callers. */
export type PoolLoad = { busy: number; idle: number; waiting: number }

export type PoolOptions = DriverOptions & { max: number; connectTimeoutMs: number; acquireTimeoutMs: number }

type Waiting = {
  resolve(connection: Connection): void
  reject(error: unknown): void
  timer: NodeJS.Timeout
}

/** The delay between attempts to listen. */
const LISTEN_RETRY_SECONDS = 0.5

/** A pool that never reuses a lost connection, see `connection.ts`. */
export function createPool(
  url: string,
  { max, connectTimeoutMs, acquireTimeoutMs, ...driverOptions }: PoolOptions,
): Pool {
  // Creates statements for the connections to execute. It connects only to listen.
  const driver = postgres(url, { ...driverOptions, max: 1, backoff: () => LISTEN_RETRY_SECONDS }) as Driver
  const idle = new Set<Connection>()
  const busy = new Set<Connection>()
  const waiting = new Set<Waiting>()
  let openingCount = 0
  let isEnded = false
  let onDrained: (() => void) | null = null

  function acquire(): Promise<Connection> {
    if (isEnded) return Promise.reject(poolEnded())
    const [connection] = idle
    if (connection) return Promise.resolve(take(connection))
    if (busy.size + openingCount < max) return open()
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject, timer: setTimeout(giveUp, acquireTimeoutMs) }
      function giveUp() {
        waiting.delete(waiter)
        reject(connectionError('POOL_TIMEOUT', `No connection came free within ${acquireTimeoutMs} ms.`))
      }
      waiting.add(waiter)
    })
  }

  function take(connection: Connection): Connection {
    idle.delete(connection)
    busy.add(connection)
    return connection
  }

  async function open(): Promise<Connection> {
    openingCount++
    let connection: Connection | null = null
    const onLost = () => {
      if (connection) forget(connection)
    }
    try {
      connection = await openConnection(url, { ...driverOptions, connectTimeoutMs, onLost })
      return take(connection)
    } finally {
      openingCount--
      serveNext()
    }
  }

  function release(connection: Connection) {
    busy.delete(connection)
    if (isEnded) void connection.end()
    else if (!connection.isLost()) idle.add(connection)
    serveNext()
  }

  function forget(connection: Connection) {
    idle.delete(connection)
    serveNext()
  }

  /** Gives the longest-waiting caller a free connection, or a new one in place of a lost one. */
  function serveNext() {
    if (busy.size === 0) onDrained?.()
    const [next] = waiting
    if (!next || isEnded || (idle.size === 0 && busy.size + openingCount >= max)) return
    waiting.delete(next)
    clearTimeout(next.timer)
    acquire().then(next.resolve, next.reject)
  }

  async function executeAnywhere(statement: Statement) {
    try {
      const connection = await acquire()
      connection.execute(statement)
      await statement.catch(() => {})
      release(connection)
    } catch (error) {
      statement.reject(error)
    }
  }

  async function begin<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const connection = await acquireInTransaction()
    try {
      return await transact(driver, connection, work)
    } finally {
      release(connection)
    }
  }

  /** The loss of an idle connection may be noticed only here. Nothing was sent yet, so another one will do. */
  async function acquireInTransaction(): Promise<Connection> {
    for (let triesLeft = max; ; triesLeft--) {
      const connection = await acquire()
      try {
        await statementsFor(driver, connection.execute).unsafe('begin')
        return connection
      } catch (error) {
        connection.lose()
        release(connection)
        if (triesLeft === 0) throw error
      }
    }
  }

  async function end({ timeout }: { timeout?: number } = {}) {
    isEnded = true
    for (const { reject, timer } of waiting) {
      clearTimeout(timer)
      reject(poolEnded())
    }
    waiting.clear()
    if (busy.size > 0) {
      await new Promise<void>((resolve) => {
        onDrained = resolve
        if (timeout !== undefined) setTimeout(resolve, timeout * 1000).unref()
      })
    }
    for (const connection of busy) connection.lose()
    await Promise.all([...idle].map((connection) => connection.end()))
    await driver.end({ timeout: 0 })
  }

  const listen = (channel: string, onNotify: (payload: string) => void) => driver.listen(channel, onNotify)
  const load = () => ({ busy: busy.size + openingCount, idle: idle.size, waiting: waiting.size })
  return Object.assign(statementsFor(driver, executeAnywhere), { begin, listen, load, end })
}

/** Runs `work` in the transaction of a connection, and ends it. */
async function transact<T>(driver: Driver, connection: Connection, work: (sql: Sql) => Promise<T>): Promise<T> {
  let isOver = false
  const sql = statementsFor(driver, (statement) => {
    // A later statement would run outside the transaction.
    if (isOver) statement.reject(new Error('the transaction is over'))
    else connection.execute(statement)
  })
  let isCommitting = false
  try {
    const result = await work(sql)
    isCommitting = true
    const { command } = await sql.unsafe('commit')
    // PostgreSQL's answer to the commit of a transaction with a failed statement.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement had failed')
    return result
  } catch (error) {
    if (isCommitting) throw error
    await sql.unsafe('rollback').catch(() => connection.lose())
    throw troubleOf(error) === 'connection_lost' ? interrupted(error) : error
  } finally {
    isOver = true
  }
}

const interrupted = (cause: unknown) =>
  Object.assign(connectionError('TRANSACTION_INTERRUPTED', 'The connection was lost before the commit.'), { cause })

const poolEnded = () => connectionError('CONNECTION_ENDED', 'The pool of connections was closed.')

/** The tagged template and helpers of postgres.js, with statements that are passed to `execute`. */
function statementsFor(driver: Driver, execute: (statement: Statement) => void): Sql {
  const directed = (made: unknown) => (made instanceof Promise ? Object.assign(made, { handler: execute }) : made)
  const sql = (...args: Parameters<typeof driver>) => directed(driver(...args))
  return Object.assign(sql, {
    typed: driver.typed,
    types: driver.types,
    array: driver.array,
    json: driver.json,
    unsafe: (...args: Parameters<typeof driver.unsafe>) => directed(driver.unsafe(...args)),
    notify: (channel: string, payload: string) => directed(driver`select pg_notify(${channel}, ${payload})`),
  }) as unknown as Sql
}
