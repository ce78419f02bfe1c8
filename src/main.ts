import { CommanderError } from 'commander'
import { runCommandLine } from './cli/command-program.ts'
import { StartProblem } from './lib/start-problem.ts'

/** Runs one command. @returns the exit code */
export async function main(args: string[]): Promise<number> {
  try {
    return await runCommandLine(args)
  } catch (error) {
    // Help, the version or a mistake in the command line, which commander has printed.
    if (error instanceof CommanderError) return error.exitCode
    const { ApiError } = await import('./core/errors.ts')
    if (!(error instanceof StartProblem || error instanceof ApiError)) throw error
    console.error(error.message)
    return 1
  }
}
