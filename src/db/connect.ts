import postgres from 'postgres'
import { arrayTypes } from './array-types.ts'
import { createPool, type Pool, type Sql } from './pool.ts'
import { serverAddressOf } from './server-address.ts'

export type { Pool, Sql }

/** The maximum time of a statement, including lock waits, in milliseconds. A request that needs longer gets 503. */
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000
/** The maximum time to connect to the server, and to wait for a free connection of the pool. */
const CONNECT_TIMEOUT_MS = 5_000
const ACQUIRE_TIMEOUT_MS = 5_000

/** How postgres.js writes and reads our column types. */
export const columnTypes = {
  ...arrayTypes,
  uuid: {
    to: 2950,
    from: [2950],
    serialize: (id: string) => id,
    parse: (text: string) => text.replaceAll('-', ''),
  },
  bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: parseSafeInteger },
  date: { to: 1082, from: [1082], serialize: (day: string) => day, parse: (text: string) => text },
}

/**
 * Opens a pool. Columns arrive in camelCase, `uuid` as 32 hex digits, `bigint` as a safe integer, `date` as
 * `YYYY-MM-DD`, `timestamptz` as a `Date`.
 *
 * @param options.lockTimeoutMs maximum time to wait for a row lock
 * @param options.usesIndexes for long-lived connections: a plan cached while a table was small would keep reading the
 * whole table after it has grown
 */
export function connect(
  databaseUrl: string,
  options: { max: number; applicationName: string; lockTimeoutMs?: number; usesIndexes?: boolean },
): Pool {
  const { url, socketFolder, tls } = serverAddressOf(databaseUrl)
  return createPool(url, {
    ssl: tls as object | false,
    ...(socketFolder && { host: socketFolder }),
    max: options.max,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    onnotice: () => {},
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    connection: {
      application_name: options.applicationName,
      TimeZone: 'UTC',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 30_000,
      ...(options.usesIndexes && { enable_seqscan: 'off' }),
    },
    fetch_types: false,
    types: columnTypes,
  })
}

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint of the database is not a safe integer')
  return value
}
