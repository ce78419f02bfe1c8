import { removalProblem } from '../../../connections/overview/removed-connection-actions.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { neutralLines } from '../../../foundation/lib/text/plain-text.ts'
import { readConfig } from '../../app/config.ts'
import { askForReload } from '../../app/reload-channel.ts'
import { withEnvironmentDatabase } from '../../app/start.ts'
import { applicationNameOf } from '../../app/version.ts'
import type { CommandFlags } from '../command-flags.ts'

/** The milliseconds to wait for answers. Decrypting the keys of several banks takes some seconds. */
const TIMEOUT_MS = 30_000

/**
 * Runs `remit connections reload`: asks the running processes to read the file again. The file is checked here first, so that no process
 * reads a file with a problem.
 *
 * @returns the exit code: 0 if every process has the new connections
 */
export async function runReload(flags: CommandFlags): Promise<number> {
  const config = readConfig(flags)
  const environment = config.environments.find(({ connectionsFile }) => connectionsFile !== null)
  if (!environment) throw new StartProblem('No environment uses connections. Set REMIT_PRODUCTION_CONNECTIONS.')
  const { name } = environment.settings
  return withEnvironmentDatabase(config, environment, async ({ deps: { sql, connections } }) => {
    const removal = await removalProblem({ sql }, connections.current())
    if (removal !== null) throw new StartProblem(removal)
    const self = applicationNameOf(name)
    const { answers, silent } = await askForReload(sql, { environment: name, self, timeoutMs: TIMEOUT_MS })
    for (const { process, problem } of answers)
      console.log(problem === null ? `${process} uses the new connections.` : keeps(process, problem))
    for (const process of silent) console.log(`${process} did not answer. Its log shows which connections it uses.`)
    if (answers.length + silent.length === 0)
      console.log('The file is valid. No service runs on this database: it reads the file when it starts.')
    return silent.length === 0 && answers.every(({ problem }) => problem === null) ? 0 : 1
  })
}

const keeps = (process: string, problem: string): string =>
  `${process} keeps its old connections:\n${neutralLines(problem).replace(/^/gm, '  ')}`
