import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { columnTypes } from './column-types.ts'
import type { Server, ServerAddress } from './server-address.ts'
import type { Execute, Rows } from './sql.ts'

export type ConnectionOptions = {
  connectTimeoutMs: number
  /** The time to wait for the server's answer before the connection counts as lost. Null means no limit. */
  answerTimeoutMs: number | null
  /** Session settings, by their names in PostgreSQL. */
  settings: Record<string, string | number>
}

/** Returns the configuration of `pg` for one of the servers. */
export function clientConfig(address: ServerAddress, server: Server, options: ConnectionOptions): pg.ClientConfig {
  const { application_name: name, ...settings } = options.settings
  return {
    user: address.user,
    password: address.password,
    database: address.database,
    ...server,
    ssl: address.tlsOf(server) as pg.ClientConfig['ssl'],
    application_name: String(name),
    options: Object.entries(settings)
      .map(([setting, value]) => `-c ${setting}=${value}`)
      .join(' '),
    keepAlive: true,
    connectionTimeoutMillis: options.connectTimeoutMs,
    ...(options.answerTimeoutMs !== null && { query_timeout: options.answerTimeoutMs }),
    types: columnTypes,
  }
}

/** A database session. `lock` is the advisory lock that it holds (as text), and `processId` the id of its server process. */
export type Session = { lock: string; processId: number }

const sessions = new WeakMap<pg.ClientBase, Session>()

/**
 * Takes an advisory lock for the lifetime of the session. After a connection is lost, the server may still execute its last statement.
 * Another session that gets the lock (`sessionOf` the error) therefore knows that the lost session has ended.
 *
 * @throws an error with code 25006 if the server must accept writes and does not, because it is a standby or was replaced
 */
export async function beginSession(client: pg.ClientBase, { mustWrite }: { mustWrite: boolean }): Promise<void> {
  const lock = randomBytes(8).readBigInt64BE().toString()
  const { rows } = await client.query<{ mode: string; pid: number }>(
    "select current_setting('transaction_read_only') as mode, pg_backend_pid() as pid, pg_advisory_lock($1::bigint)",
    [lock],
  )
  const [row] = rows
  if (mustWrite && row?.mode === 'on')
    throw connectionError(READ_ONLY, 'The database server accepts no writes. It may be a standby.')
  sessions.set(client, { lock, processId: Number(row?.pid) })
}

const READ_ONLY = '25006'

/** Returns the session in which a statement failed. */
export const sessionOf = (error: unknown): Session => (error as { session: Session }).session

/** Returns a function that runs statements on one connection, one at a time. Calls `onLost` if the connection becomes unusable. */
export function executeOn(client: pg.ClientBase, onLost: () => void): Execute {
  let last: Promise<unknown> = Promise.resolve()
  return (statement) => {
    const result = last.then(() => query(client, statement, onLost))
    last = result.catch(() => {})
    return result
  }
}

async function query(
  client: pg.ClientBase,
  { text, values, isNamed, canTakeLong }: Parameters<Execute>[0],
  onLost: () => void,
): Promise<Rows> {
  try {
    const name = isNamed ? statementName(text) : undefined
    const timeout = canTakeLong && { query_timeout: FOREVER_MS }
    return rowsOf(await client.query({ text, values, rowMode: 'array', ...(name && { name }), ...timeout }))
  } catch (error) {
    if (endsSession(error)) onLost()
    const reason = isOfConnection(error) ? connectionLost(error) : (error as Error)
    throw Object.assign(reason, { session: sessions.get(client) })
  }
}

/** The maximum delay of a timer in Node.js. */
const FOREVER_MS = 2 ** 31 - 1

/**
 * Returns whether an error comes from the connection. Errors of the server are DatabaseErrors, and errors of our parsers are RangeErrors.
 */
const isOfConnection = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError || error instanceof RangeError || error instanceof TypeError)

/**
 * Returns whether an error ends the session. After a fatal error, the server closes the connection. A server that no longer accepts writes
 * may have been replaced by its standby.
 */
function endsSession(error: unknown): boolean {
  if (isOfConnection(error)) return true
  const { severity = '', code } = error as pg.DatabaseError
  return ['FATAL', 'PANIC'].includes(severity) || code === READ_ONLY
}

const connectionLost = (cause: unknown): Error =>
  Object.assign(connectionError('CONNECTION_CLOSED', 'The connection to the database was lost.'), { cause })

/** Creates an error with a code of the operating system or one of our own. `trouble.ts` lists the codes. */
export const connectionError = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** The names of prepared statements, by their text. The server plans each one once per connection. */
const statementNames = new Map<string, string>()

/**
 * The maximum number of prepared statements. The service has a few hundred, so more of them would mean that a statement contains values
 * instead of parameters.
 */
const MAX_NAMES = 5_000

function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known || statementNames.size >= MAX_NAMES) return known
  const name = `remit_${statementNames.size}`
  statementNames.set(text, name)
  return name
}

/** Returns the rows of a result. If the text has several statements, returns those of the last one. */
function rowsOf(given: pg.QueryArrayResult | pg.QueryArrayResult[]): Rows {
  const result = (Array.isArray(given) ? given.at(-1) : given) as pg.QueryArrayResult
  const names = result.fields.map(({ name }) => camelCase(name))
  const rows = result.rows.map((values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < names.length; index++) row[names[index] as string] = values[index]
    return row
  })
  return Object.assign(rows, { count: result.rowCount ?? 0, command: result.command })
}

const camelNames = new Map<string, string>()

function camelCase(name: string): string {
  let known = camelNames.get(name)
  if (known === undefined) {
    known = name.replaceAll(/(?<!^)_(.)/g, (_, letter: string) => letter.toUpperCase())
    if (camelNames.size < MAX_NAMES) camelNames.set(name, known)
  }
  return known
}
