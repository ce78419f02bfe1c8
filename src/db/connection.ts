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

/** A statement of postgres.js: built when it is made, executed by whatever its `handler` gives it to. */
export type Statement = Promise<unknown> & {
  handler: (statement: Statement) => void
  reject(error: unknown): void
}

export type Connection = {
  execute(statement: Statement): void
  isLost(): boolean
  /** Throws the connection away: every statement that is not answered yet fails. */
  lose(): void
  end(): Promise<void>
}

/**
 * Opens a connection that lives once. postgres.js 3.4.9 takes a lost connection up again with what was left on it:
 * the `rollback` of a transaction whose backend was ended brings down the process, and statements of a dead transaction
 * can run in a later one (porsager/postgres #1186, #1208, #1216). Here a client has one connection, whose socket is
 * made once, so that what is lost is gone with everything that waited for it.
 *
 * Its session holds an advisory lock as long as it lives. Where a connection is lost, the session may still be at what
 * was sent to it: whoever gets the lock (`sessionOf` the error) knows that it is over.
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
    // Nothing was asked yet, so nothing is in doubt.
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

/** An error of the socket, or of the driver about the socket: whether the server did the statement is not known. */
const isOfConnection = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || /^CONNECTION_/.test((error as { code?: string }).code ?? ''))

const connectionLost = (cause?: unknown): Error =>
  Object.assign(connectionError('CONNECTION_CLOSED', 'The connection to the database was lost.'), { cause })

/** An error with a code of postgres.js, or of the system, that `trouble.ts` knows. */
export const connectionError = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** What postgres.js says of the server: several hosts are tried in turn. */
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
  // postgres.js takes the name that the server's certificate is to have from here.
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

/** What one turn of the event loop writes goes out together: for a small statement a system call costs more than all else. */
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
