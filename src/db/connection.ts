import { randomBytes } from 'node:crypto'
import { createConnection, type Socket } from 'node:net'
import postgres from 'postgres'
import { tlsFailure } from './server-address.ts'
import { troubleOf } from './trouble.ts'

export type CustomTypes = { uuid: string; bigint: number; date: string }
export type Driver = postgres.Sql<CustomTypes>
export type DriverOptions = postgres.Options<{
  [Name in keyof CustomTypes]: postgres.PostgresType<CustomTypes[Name]>
}>

/** A statement of postgres.js. It is executed by whatever receives it from its `handler`. */
export type Statement = Promise<unknown> & {
  handler: (statement: Statement) => void
  reject(error: unknown): void
}

export type Connection = {
  execute(statement: Statement): void
  isLost(): boolean
  /** Closes the connection: every unanswered statement fails. */
  lose(): void
  end(): Promise<void>
}

/**
 * Opens a connection that is never reopened. postgres.js 3.4.9 reopens a lost connection with its pending statements,
 * which can crash the process or run in another transaction (porsager/postgres #1186, #1208, #1216). The session
 * holds an advisory lock: getting it (`sessionOf` the error) proves that a lost session has ended.
 */
export async function openConnection(
  url: string,
  { onLost, connectTimeoutMs, ...options }: DriverOptions & { onLost(): void; connectTimeoutMs: number },
): Promise<Connection> {
  let isLost = false
  let hasSocket = false

  function lose() {
    if (isLost) return
    isLost = true
    void driver.end({ timeout: 0 })
    onLost()
  }

  const driver: Driver = postgres(url, {
    ...options,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: connectTimeoutMs / 1000,
    backoff: () => 0,
    onclose: lose,
    socket: (to: Address) => {
      if (hasSocket) throw connectionLost()
      hasSocket = true
      return openSocket(to, connectTimeoutMs)
    },
  } as DriverOptions)
  const { handler } = driver`` as unknown as Statement
  const session = randomBytes(8).readBigInt64BE().toString()
  try {
    await driver`select pg_advisory_lock(${session}::bigint)`
  } catch (error) {
    lose()
    // No statement was sent yet, so the outcome is certain.
    const message = tlsFailure(error) ?? (troubleOf(error) === 'connection_lost' ? (error as Error).message : null)
    throw message === null ? error : connectionError('CONNECT_FAILED', message)
  }

  function execute(statement: Statement) {
    const { reject } = statement
    statement.reject = (error) =>
      reject(Object.assign(isOfConnection(error) ? connectionLost(error) : (error as Error), { session }))
    handler(statement)
  }

  return { execute, isLost: () => isLost, lose, end: () => driver.end({ timeout: 1 }) }
}

/** The advisory lock of the session in which a statement failed. */
export const sessionOf = (error: unknown): string => (error as { session: string }).session

/** An error of the socket, or of the driver about the socket: the outcome of the statement is unknown. */
const isOfConnection = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || /^CONNECTION_/.test((error as { code?: string }).code ?? ''))

const connectionLost = (cause?: unknown): Error =>
  Object.assign(connectionError('CONNECTION_CLOSED', 'The connection to the database was lost.'), { cause })

/** An error with a code of postgres.js or of the system, listed in `trouble.ts`. */
export const connectionError = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** The server in postgres.js' options. Several hosts are tried in order. */
type Address = { host: string[]; port: number[]; path?: string | false }

async function openSocket({ host, port, path }: Address, timeoutMs: number): Promise<Socket> {
  if (path) return connectSocket({ path }, timeoutMs)
  const servers = host.map((name, index) => ({ host: name, port: port[index] as number }))
  for (const server of servers.slice(0, -1)) {
    const socket = await connectSocket(server, timeoutMs).catch(() => null)
    if (socket) return socket
  }
  return connectSocket(servers.at(-1) as { host: string; port: number }, timeoutMs)
}

function connectSocket(to: { path: string } | { host: string; port: number }, timeoutMs: number): Promise<Socket> {
  const socket = createConnection({ ...to, noDelay: true })
  // postgres.js takes the expected name of the server's certificate from here.
  if ('host' in to) Object.assign(socket, { host: to.host })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy(connectionError('CONNECT_TIMEOUT', `The database did not answer within ${timeoutMs} ms.`))
    }, timeoutMs)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.removeListener('error', reject)
      corkEachTurn(socket)
      resolve(socket)
    })
    socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  })
}

/** Combines the writes of one event loop turn: for a small statement, a system call costs more than everything else. */
function corkEachTurn(socket: Socket): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  socket.write = (...args: unknown[]) => {
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    return write(...args)
  }
}
