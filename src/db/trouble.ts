/** What a failed statement means for the request that made it. */
export type Trouble = 'unreachable' | 'connection_lost' | 'deadlock' | 'too_slow' | 'other'

const troubleByCode: Record<string, Trouble> = {
  ECONNREFUSED: 'unreachable',
  ENOTFOUND: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
  CONNECT_TIMEOUT: 'unreachable',
  CONNECTION_ENDED: 'unreachable',
  '53300': 'unreachable', // too many connections
  '57P03': 'unreachable', // starting up or shutting down
  CONNECTION_CLOSED: 'connection_lost',
  CONNECTION_DESTROYED: 'connection_lost',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  '57P01': 'connection_lost', // ended by an administrator
  '57P02': 'connection_lost', // another backend crashed
  '53100': 'unreachable', // disk full
  '40P01': 'deadlock',
  '40001': 'deadlock',
  '55P03': 'too_slow', // lock_timeout
  '57014': 'too_slow', // statement_timeout
}

export function troubleOf(error: unknown): Trouble {
  const code = (error as { code?: unknown } | null)?.code
  return (typeof code === 'string' && troubleByCode[code]) || 'other'
}

export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  (error as { code?: string }).code === '23505' &&
  (error as { constraint_name?: string }).constraint_name === constraint
