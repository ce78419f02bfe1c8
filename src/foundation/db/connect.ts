import { createPool, type Pool } from './driver/pool.ts'
import { serverAddressOf } from './driver/server-address.ts'
import type { Sql } from './driver/sql.ts'

export { setTimeLimit, withoutTimeLimit } from './driver/pool.ts'
export type { Pool, Sql }

/** The maximum time of a statement, including lock waits, in milliseconds. A request that needs longer gets 503. */
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000
/** The maximum time to connect to the server, and to wait for a free connection of the pool. */
const CONNECT_TIMEOUT_MS = 5_000
const ACQUIRE_TIMEOUT_MS = 5_000
/** Longer than `statement_timeout`: a server that has not answered by then is unreachable. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000

/**
 * Opens a pool. Columns arrive in camelCase. `columnTypes` describes their values.
 *
 * @param options.lockTimeoutMs maximum time to wait for a row lock
 * @param options.usesIndexes for long-lived connections: a plan cached while a table was small would keep reading the
 * whole table after it has grown
 * @param options.connectTimeoutMs maximum time to connect, and to wait for a free connection
 * @param options.answerTimeoutMs a connection counts as lost if the server does not answer within this time
 */
export function connect(
  databaseUrl: string,
  options: {
    max: number
    applicationName: string
    lockTimeoutMs?: number
    usesIndexes?: boolean
    connectTimeoutMs?: number
    answerTimeoutMs?: number
  },
): Pool {
  return createPool(serverAddressOf(databaseUrl), {
    max: options.max,
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    acquireTimeoutMs: options.connectTimeoutMs ?? ACQUIRE_TIMEOUT_MS,
    answerTimeoutMs: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
    settings: {
      application_name: options.applicationName,
      TimeZone: 'UTC',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 30_000,
      // The server cancels a statement whose client is gone.
      client_connection_check_interval: 2_000,
      // Statements are short. Below, `enable_seqscan` makes each one that reads a whole small table look expensive, and compiling it
      // took up to 0.7 seconds.
      jit: 'off',
      ...(options.usesIndexes && { enable_seqscan: 'off' }),
    },
  })
}
