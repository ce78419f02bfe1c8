import pg from 'pg'
import { classifyDatabaseError } from '../trouble.ts'
import { beginSession, type ConnectionOptions, clientConfig, connectionError, executeOn } from './connection.ts'
import { type Channel, createListener, type Listener } from './listener.ts'
import { type ServerAddress, tlsFailure } from './server-address.ts'
import { type ServerChoice, serverChoice } from './server-choice.ts'
import type { Execute } from './sql.ts'

/** The numbers of used connections, unused connections, and callers that wait for one. */
export type PoolLoad = { busy: number; idle: number; waiting: number }

export type PoolOptions = ConnectionOptions & { max: number; acquireTimeoutMs: number }

/** A connection that was taken from the pool. */
export type Taken = { execute: Execute; lose(): void; release(): void }

/** The time to wait for a server that does not confirm the end of a connection. */
const CLOSE_TIMEOUT_MS = 1_000

/** The connections of a pool. A lost one is closed and never used again. */
export class Connections {
  readonly #address: ServerAddress
  readonly #options: PoolOptions
  readonly #servers: ServerChoice
  readonly #pool: pg.Pool
  readonly #busy = new Set<pg.PoolClient>()
  readonly #listener: Listener
  readonly #waiting = new Set<(reason: Error) => void>()

  constructor(address: ServerAddress, options: PoolOptions) {
    this.#address = address
    this.#options = options
    this.#servers = serverChoice(address.servers)
    const currentConfig = () => clientConfig(address, this.#servers.current(), options)
    this.#pool = new pg.Pool({
      max: options.max,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: options.acquireTimeoutMs,
      onConnect: (client) => this.#start(client),
      // Each connection chooses its server when it is created.
      Client: class extends pg.Client {
        constructor() {
          super(currentConfig())
        }
      },
    })
    // A lost connection is reported by the statement that runs on it. The loss of an idle connection needs no report.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
    this.#listener = createListener(
      () => ({ client: new pg.Client(currentConfig()), server: this.#servers.current() }),
      { start: (client) => this.#start(client), onFailed: this.#servers.replace },
    )
  }

  /** Takes a connection. If a server cannot be reached, tries the other ones. */
  async acquire(): Promise<Taken> {
    for (let serversLeft = this.#address.servers.length; ; serversLeft--) {
      const server = this.#servers.current()
      try {
        return this.#take(await this.#checkOut())
      } catch (error) {
        const refusal = this.#acquireError(error)
        if (classifyDatabaseError(refusal) !== 'unreachable' || this.#pool.ending) throw refusal
        this.#servers.replace(server)
        if (serversLeft <= 1) throw refusal
      }
    }
  }

  /** Listens on a connection outside of the pool. */
  listen(channel: Channel): Promise<void> {
    return this.#listener.listen(channel)
  }

  load(): PoolLoad {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
  }

  async end({ timeout }: { timeout?: number } = {}): Promise<void> {
    for (const reject of this.#waiting)
      reject(connectionError('CONNECTION_ENDED', 'The pool of connections was closed.'))
    this.#waiting.clear()
    const closed = Promise.all([this.#listener.end(), ...(this.#pool.ending ? [] : [this.#pool.end()])])
    if (timeout === undefined) return void (await closed)
    if (await settlesWithin(closed, timeout * 1_000)) return
    // When a connection ends, the server cancels its statements (`client_connection_check_interval` in connect.ts).
    for (const client of this.#busy) void client.end()
    await settlesWithin(closed, CLOSE_TIMEOUT_MS)
  }

  #start(client: pg.ClientBase): Promise<void> {
    return beginSession(client, { mustWrite: this.#address.servers.length > 1 })
  }

  /** Takes a client from the pool. Rejects if the pool ends first. */
  #checkOut(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject)
      this.#pool.connect((error, client) => {
        const isWaiting = this.#waiting.delete(reject)
        if (error || !client) reject(error)
        else if (isWaiting) resolve(client)
        else client.release()
      })
    })
  }

  #acquireError(error: unknown): Error {
    const { message, code } = error as { message: string; code?: string }
    if (message === 'timeout exceeded when trying to connect') {
      const { acquireTimeoutMs } = this.#options
      return connectionError('POOL_TIMEOUT', `No connection came free within ${acquireTimeoutMs} ms.`)
    }
    // No statement was sent yet, so another server can be tried.
    const tlsMessage = tlsFailure(error)
    if (tlsMessage === null && code !== undefined && classifyDatabaseError(error) !== 'connection_lost')
      return error as Error
    return connectionError('CONNECT_FAILED', tlsMessage ?? message)
  }

  #take(client: pg.PoolClient): Taken {
    this.#busy.add(client)
    let isLost = false
    const lose = () => {
      isLost = true
    }
    client.once('error', lose).once('end', lose)
    return {
      execute: executeOn(client, lose),
      lose,
      release: () => {
        client.removeListener('error', lose).removeListener('end', lose)
        this.#busy.delete(client)
        client.release(isLost)
      },
    }
  }
}

function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ms)
    work.then(() => resolve(true), reject).finally(() => clearTimeout(timer))
  })
}
