/** The meaning of a statement's error for the request that sent it. */
export type Trouble = 'unreachable' | 'interrupted' | 'connection_lost' | 'deadlock' | 'too_slow' | 'other'

const troubleByCode: Record<string, Trouble> = {
  // no connection was established, so no statement ran
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  ENOENT: 'unreachable', // no such Unix socket
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
  CONNECT_FAILED: 'unreachable', // see connection.ts
  CONNECT_TIMEOUT: 'unreachable',
  CONNECTION_ENDED: 'unreachable', // the service is stopping
  '08001': 'unreachable',
  '08004': 'unreachable',
  '25006': 'unreachable', // read only: a standby
  '28000': 'unreachable', // login refused
  '28P01': 'unreachable', // wrong password
  '3D000': 'unreachable', // no such database
  '53100': 'unreachable', // disk full
  '53300': 'unreachable', // too many connections
  '57P03': 'unreachable', // starting up or shutting down

  TRANSACTION_INTERRUPTED: 'interrupted', // lost before its commit: nothing was done, see pool.ts

  // the statements in progress may or may not have run
  CONNECTION_CLOSED: 'connection_lost', // see connection.ts
  '08000': 'connection_lost',
  '08003': 'connection_lost',
  '08006': 'connection_lost',
  '08007': 'connection_lost',
  '25P03': 'connection_lost', // idle_in_transaction_session_timeout
  '25P04': 'connection_lost', // transaction_timeout
  '57P01': 'connection_lost', // ended by an administrator
  '57P02': 'connection_lost', // another backend crashed
  '57P04': 'connection_lost', // the database was dropped
  '57P05': 'connection_lost', // idle_session_timeout

  '40P01': 'deadlock',
  '40001': 'deadlock',

  POOL_TIMEOUT: 'too_slow', // every connection is in use, see pool.ts
  '53200': 'too_slow', // out of memory
  '55P03': 'too_slow', // lock_timeout
  '57014': 'too_slow', // statement_timeout
}

/**
 * Returns whether a node of a cluster cannot be reached, or was lost during its work. Statements about platforms on other nodes still work.
 * Citus forwards the error code of the node and names the node in the message or the context.
 */
export function isNodeDown(error: unknown): boolean {
  const { code, message = '', where = '' } = (error ?? {}) as { code?: string; message?: string; where?: string }
  if (message.startsWith(LOST_AT_COMMIT)) return true
  const isAboutNode =
    message.startsWith('connection to the remote node ') || /while executing command on \S+:\d+/.test(where)
  return isAboutNode && ['unreachable', 'connection_lost'].includes(troubleByCode[code ?? ''] ?? 'other')
}

/** The message of Citus after it lost a node to which the transaction had written. The error has the code of an internal error. */
const LOST_AT_COMMIT = 'failure on connection marked as essential'

/** The messages of Citus about a node that it could not connect to. No statement ran there. */
const NOT_CONNECTED =
  /Connection refused|timeout expired|No route to host|could not translate host name|the database system is /

export function classifyDatabaseError(error: unknown): Trouble {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string }
  if (isNodeDown(error)) return NOT_CONNECTED.test(message) ? 'unreachable' : 'connection_lost'
  return (typeof code === 'string' && troubleByCode[code]) || 'other'
}

/**
 * Returns whether statements of all requests must be expected to fail. Deadlocks, locked rows and slow statements affect only one
 * transaction, so they do not count.
 */
export function isDatabaseDown(error: unknown): boolean {
  if (isNodeDown(error)) return false
  const trouble = classifyDatabaseError(error)
  if (trouble === 'too_slow') return ['POOL_TIMEOUT', '53200'].includes((error as { code: string }).code)
  return trouble !== 'other' && trouble !== 'deadlock'
}

/** Returns whether another transaction held a lock for too long. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03'
