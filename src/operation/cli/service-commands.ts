import { once } from 'node:events'
import { constants, getPriority, setPriority } from 'node:os'
import { endServersWithoutWaiting } from '#embedded-postgres'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { type Config, type Flags, readConfig } from '../app/config.ts'
import type { Role } from '../app/service.ts'
import type { CommandFlags } from './command-flags.ts'
import { stopOnSignals } from './stop-signal.ts'

/** Loads the service. This happens after the settings are checked and signal handlers are set, because loading takes time. */
const loadService = () => import('../app/start.ts')

/** Runs `remit start`, `serve` and `worker` until a signal. A second signal ends the process at once. */
export async function runService(flags: Flags, roles: readonly Role[]): Promise<number> {
  const config = readConfig(flags)
  if (roles.length === 1) refuseEmbedded(config)
  if (!roles.includes('http')) yieldToRequests()
  const signalled = once(stopOnSignals(['SIGTERM', 'SIGINT'], endServersWithoutWaiting), 'abort')
  const { startAll } = await loadService()
  const running = await startAll(config, roles)
  // Without a file to reload, the signal of a closed terminal ends the process.
  if (config.environments.some(({ connectionsFile }) => connectionsFile !== null))
    process.on('SIGHUP', () => void running.reload())
  await signalled
  await running.stop()
  return 0
}

/** Lowers the priority of this process, so that background work does not delay requests on the same machine. */
export function yieldToRequests(): void {
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
  } catch {} // the system does not allow it
}

function refuseEmbedded({ environments }: Config): void {
  if (environments.every(({ databaseUrl }) => databaseUrl !== null)) return
  throw new StartProblem(
    'remit serve and remit worker need DATABASE_URL, because only one process can use the embedded PostgreSQL. Set it, or run remit start.',
  )
}

/** Runs `remit migrate`. */
export async function runMigrate(flags: CommandFlags): Promise<number> {
  const { migrateAll } = await loadService()
  const options = { isDistributed: flags.distributed ?? false }
  await migrateAll(readConfig(flags, undefined, { needsKeys: false }), options, ({ settings }, distributed) => {
    if (distributed.length > 0) console.log(`${settings.name}: ${distributed.length} tables distributed`)
    console.log(`${settings.name}: up to date`)
  })
  return 0
}
