import { createPool, type Pool } from './driver/pool.ts'
import { serverAddressOf } from './driver/server-address.ts'
import type { Sql } from './driver/sql.ts'

export { setTimeLimit, withoutTimeLimit } from './driver/pool.ts'
export type { Pool, Sql }

/** The maximum time of a statement in milliseconds, including lock waits. A request that needs longer gets 503. */
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000
/** The maximum time to connect to the server, and to wait for a free connection of the pool. */
const CONNECT_TIMEOUT_MS = 5_000
const ACQUIRE_TIMEOUT_MS = 5_000
/** The maximum time to wait for the server's answer. It is longer than `statement_timeout`, so a server that exceeds it is unreachable. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000

/**
 * Opens a pool. Column names are returned in camelCase. `columnTypes` describes the types of their values.
 *
 * @param options.lockTimeoutMs maximum time to wait for a row lock
 * @param options.usesIndexes whether statements avoid reading whole tables. Long-lived connections need it, because a plan that was cached
 * for a small table would stay in use after the table has grown
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
      // The server cancels the statements of clients that have disconnected.
      client_connection_check_interval: 2_000,
      // Statements are short, so compiling them does not pay. `enable_seqscan` below makes statements that read a small table look
      // expensive, and compiling them took up to 0.7 seconds.
      jit: 'off',
      ...(options.usesIndexes && { enable_seqscan: 'off' }),
    },
  })
}
