import { ApiError, AuthenticationError, ConnectionError, Remit, RemitError } from '#sdk'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { plainText } from '../../../foundation/lib/text/plain-text.ts'
import type { CommandFlags } from '../command-flags.ts'
import { type Connection, findConnection } from './connection.ts'

/** The exit codes of the commands that call a service. docs/commands.md explains them. */
export const EXIT = { done: 0, badInput: 1, refused: 2, unavailable: 3 } as const

/** The number of retries. One is enough, because a person waits for the command. */
const RETRIES = 1

/** Runs the work of a command with a client of the chosen service. @returns the exit code @throws StartProblem */
export async function callApi(
  flags: CommandFlags,
  work: (remit: Remit, connection: Connection) => Promise<void>,
): Promise<number> {
  process.stdout.off('error', endQuietly).on('error', endQuietly)
  const connection = await findConnection(flags)
  try {
    await work(createClient(connection), connection)
    return EXIT.done
  } catch (error) {
    if (!(error instanceof RemitError)) throw error
    console.error(problemText(error, connection))
    return exitCodeOf(error)
  }
}

/** Creates a client. @throws ConfigurationError */
export function createClient({ baseUrl, credential }: Pick<Connection, 'baseUrl' | 'credential'>): Remit {
  const [key = '', secret = ''] = credential.split(':')
  return new Remit({ baseUrl, key, secret, retries: RETRIES })
}

/** Describes an error in one line. */
export function problemText(error: RemitError, { baseUrl, origin }: Pick<Connection, 'baseUrl' | 'origin'>): string {
  if (error instanceof AuthenticationError) return `${baseUrl} does not accept ${origin}. Check the key and its secret.`
  if (error instanceof ApiError) {
    const fields = Object.entries(error.fields).map(([field, messages]) => `${field}: ${messages.join(', ')}`)
    const facts = [error.code ?? `status ${error.status}`, ...(error.requestId ? [`request ${error.requestId}`] : [])]
    return plainText(`${[error.message, ...fields].join(' ')} (${facts.join(', ')})`)
  }
  return plainText(error instanceof ConnectionError ? `${baseUrl}: ${error.message}` : error.message)
}

export function exitCodeOf(error: RemitError): number {
  if (error instanceof ApiError) return error.isTransient || error.status >= 500 ? EXIT.unavailable : EXIT.refused
  return error instanceof ConnectionError ? EXIT.unavailable : EXIT.badInput
}

/** Ends the process without an error if the output pipe is closed, as `head` does when it has enough lines. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit(EXIT.done)
}

/** Parses a whole number. @throws StartProblem */
export function requireWholeNumber(name: string, text: string, maximum: number): number {
  const value = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.NaN
  if (value <= maximum) return value
  throw new StartProblem(`${name} must be a whole number from 1 to ${maximum}.`)
}
