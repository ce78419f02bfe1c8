import postgres from 'postgres'
import { arrayTypes } from './array-types.ts'
import { createPool, type Pool, type Sql } from './pool.ts'
import { serverAddressOf } from './server-address.ts'

export type { Pool, Sql }

/** Longest a statement may run and wait for a row, in milliseconds: a request that needs longer gets 503. */
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000
/** Longest a request waits for the server to take a connection, and for one of the pool to come free. */
const CONNECT_TIMEOUT_MS = 5_000
const ACQUIRE_TIMEOUT_MS = 5_000

/** What postgres.js writes and reads of our columns. */
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
 * Opens a pool. Columns arrive in camelCase; `uuid` as 32 hex digits, `bigint` as a safe integer, `date` as
 * `YYYY-MM-DD`, `timestamptz` as a `Date`.
 *
 * @param options.lockTimeoutMs longest a statement waits for a row
 * @param options.usesIndexes for connections that live long: a plan made while a table was small is kept, and would read
 *   the whole table once it has grown
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
