/** What a failed statement means for its request. */
export type Trouble = 'unreachable' | 'interrupted' | 'connection_lost' | 'deadlock' | 'too_slow' | 'other'

const troubleByCode: Record<string, Trouble> = {
  // no connection: nothing was done
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

  // statements in progress may or may not have been executed
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

export function troubleOf(error: unknown): Trouble {
  const code = (error as { code?: unknown } | null)?.code
  return (typeof code === 'string' && troubleByCode[code]) || 'other'
}

/**
 * Whether no statement can be expected to work. Deadlocks, locked rows and slow statements affect only one
 * transaction, so they do not count.
 */
export function isDatabaseDown(error: unknown): boolean {
  const trouble = troubleOf(error)
  if (trouble === 'too_slow') return ['POOL_TIMEOUT', '53200'].includes((error as { code: string }).code)
  return trouble !== 'other' && trouble !== 'deadlock'
}

/** Whether another transaction held a lock for too long. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03'
