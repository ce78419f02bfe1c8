import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { CommanderError } from 'commander'
import { StartProblem } from './foundation/lib/start-problem.ts'
import { runCommandLine } from './operation/cli/command-program.ts'

/**
 * The milliseconds for which a connection to PostgreSQL, a mail server or this service tries each address of a host except the last. The
 * 250 ms of Node are too short for distant addresses.
 */
const ATTEMPT_TIMEOUT_MS = 2_500

/** Runs one command. @returns the exit code */
export async function main(args: string[]): Promise<number> {
  setDefaultAutoSelectFamilyAttemptTimeout(ATTEMPT_TIMEOUT_MS)
  try {
    return await runCommandLine(args)
  } catch (error) {
    // commander has already printed the help, the version or the error
    if (error instanceof CommanderError) return error.exitCode
    const { ApiError } = await import('./foundation/core/errors.ts')
    if (!(error instanceof StartProblem || error instanceof ApiError)) throw error
    console.error(error.message)
    return 1
  }
}
