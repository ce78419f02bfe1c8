import { pino } from 'pino'
import { traceFields } from './trace/trace.ts'

export type Log = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Creates a log of JSON lines on standard error. Standard output is for people. */
export function createLog(level: LogLevel): Log {
  return pino(
    { level, base: null, serializers: { err: describeError }, mixin: traceFields },
    pino.destination({ fd: 2, sync: true }),
  )
}

/** Returns the parts of an error that are safe to log. A database error also contains values of the row, which may be secret. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, constraint } = error as { code?: string; constraint?: string }
  return { type: error.name, message: error.message, code, constraint, stack: error.stack }
}
