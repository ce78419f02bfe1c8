import { stat } from 'node:fs/promises'
import { NO_CONNECTIONS } from '../../../foundation/core/connections.ts'
import { connect } from '../../../foundation/db/connect.ts'
import { migrate } from '../../../foundation/db/schema/migrate.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { verifyLedger } from '../../../money/ledger/verify-actions.ts'
import { type Config, type EnvironmentConfig, readConfig } from '../../app/config.ts'
import { readKeyRing } from '../../app/start.ts'
import { reportChains } from '../audit-commands.ts'
import type { CommandFlags } from '../command-flags.ts'
import { ledgerReport } from '../ledger-commands.ts'
import { chosenEnvironment } from '../on-database.ts'
import { restoreArchive, withScratchDatabase } from './scratch-database.ts'

const DEFAULT_MAX_AGE_HOURS = 26
const HOUR_MS = 3_600_000

/**
 * Runs `remit backup check FILE`: restores a pg_dump archive into a scratch database, and verifies its ledger and its audit trail. The
 * service's database is neither read nor changed.
 *
 * @returns 0 if the backup is good, otherwise 1
 * @throws StartProblem
 */
export async function runBackup(flags: CommandFlags, names: string[]): Promise<number> {
  const [, path] = names
  if (path === undefined) throw new StartProblem('Name the file: remit backup check FILE')
  const maxAgeHours = maxAgeOf(flags)
  const config = readConfig(flags)
  const environment = chosenEnvironment(config, flags)
  const url = environment.migrateUrl ?? environment.databaseUrl
  if (url === null)
    throw new StartProblem(
      'remit backup check needs MIGRATE_DATABASE_URL: a role that may create databases, on the server for the scratch database.',
    )
  const age = await checkAge(path, maxAgeHours)
  const isGood = await withScratchDatabase(url, async (scratchUrl) => {
    await restoreArchive(path, scratchUrl)
    return verifyScratch(config, environment, scratchUrl)
  })
  return age && isGood ? 0 : 1
}

function maxAgeOf({ maxAge }: CommandFlags): number {
  const hours = Number(maxAge ?? DEFAULT_MAX_AGE_HOURS)
  if (Number.isInteger(hours) && hours > 0) return hours
  throw new StartProblem('--max-age must be a whole number of hours.')
}

/** Prints the age of a file. @returns whether the file is recent enough @throws StartProblem */
async function checkAge(path: string, maxAgeHours: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new StartProblem(`There is no backup at ${path}.`)
  const hours = (Date.now() - found.mtimeMs) / HOUR_MS
  const isYoung = hours <= maxAgeHours
  const limit = isYoung ? '' : `: older than ${maxAgeHours} hours`
  console.log(`${isYoung ? 'ok   ' : 'WRONG'} age: ${hours.toFixed(1)} hours${limit}`)
  return isYoung
}

async function verifyScratch(config: Config, { settings }: EnvironmentConfig, scratchUrl: string): Promise<boolean> {
  await migrate(scratchUrl)
  const keyRing = await readKeyRing(config)
  const sql = connect(scratchUrl, { max: 2, applicationName: 'remit backup check' })
  try {
    const reports = [
      ledgerReport(await verifyLedger({ sql, keyRing, settings, connections: NO_CONNECTIONS })),
      await reportChains({ sql, keyRing }, { platformId: null, heads: [], showsHead: false }),
    ]
    for (const line of reports.flatMap(({ lines }) => lines)) console.log(line)
    return reports.every(({ isClean }) => isClean)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
