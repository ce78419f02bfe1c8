import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { findNamedUser } from '../../people/user/operator-actions.ts'
import { type Config, type EnvironmentConfig, readConfig } from '../app/config.ts'
import { withEnvironmentDatabase } from '../app/start.ts'
import type { CommandFlags } from './command-flags.ts'

/** Returns the id of the platform of an owner. @throws StartProblem */
export const findPlatform = async (tx: TxDeps, owner: string): Promise<string> =>
  (await findNamedUser(tx, { owner, user: undefined })).platformId

/** The work of a command on the database of an environment. @returns the message to print */
export type DatabaseCommand = (deps: Deps) => Promise<string>

/** Runs a command on the database of the chosen environment and prints its message. @returns the exit code */
export async function onDatabase(flags: CommandFlags, command: DatabaseCommand): Promise<number> {
  const config = readConfig(flags)
  return withEnvironmentDatabase(config, chosenEnvironment(config, flags), async ({ deps }) => {
    console.log(await command(deps))
    return 0
  })
}

/** The result for one environment. `isClean`: whether no problem was found. */
export type Report = { lines: string[]; isClean: boolean }

/**
 * Runs a check on the database of each environment, or only of the chosen one, and prints the reports. `tell` prints a line before the
 * report.
 *
 * @returns the exit code: 0 if no report has a problem
 */
export async function onEachDatabase(
  flags: CommandFlags,
  check: (deps: Deps, tell: (line: string) => void) => Promise<Report>,
  { isOfOne = flags.environment !== undefined } = {},
): Promise<number> {
  const config = readConfig(flags)
  const environments = isOfOne ? [chosenEnvironment(config, flags)] : config.environments
  let isAllClean = true
  for (const environment of environments) {
    console.log(`${environment.settings.name}:`)
    const tell = (line: string) => console.log(`  ${line}`)
    const { lines, isClean } = await withEnvironmentDatabase(config, environment, ({ deps }) => check(deps, tell))
    for (const line of lines) tell(line)
    isAllClean &&= isClean
  }
  return isAllClean ? 0 : 1
}

/** Returns the named environment, or the first one. @throws StartProblem */
export function chosenEnvironment({ environments }: Config, { environment: name }: CommandFlags): EnvironmentConfig {
  const chosen = environments.find(({ settings }) => settings.name === (name ?? environments[0]?.settings.name))
  if (chosen) return chosen
  const names = environments.map(({ settings }) => settings.name)
  throw new StartProblem(`--environment must be one of ${names.join(', ')}.`)
}
