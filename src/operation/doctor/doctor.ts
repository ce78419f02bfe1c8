import type { Connection } from '../../foundation/core/connections.ts'
import { type KeyRing, parseMasterKeys } from '../../foundation/core/seal.ts'
import { connect, type Pool } from '../../foundation/db/connect.ts'
import { findDatabase } from '../../foundation/db/embedded-database.ts'
import { readIfThere } from '../../foundation/lib/files/files.ts'
import type { Config, EnvironmentConfig } from '../app/config.ts'
import { backupChecks } from './backup-check.ts'
import { type Check, runChecks } from './check.ts'
import { CONNECTION_CHECK_IDS, contactChecksOf, readConnectionsOf, serverChecksOf } from './connection-checks.ts'
import { type DatabaseContext, databaseChecks, stateChecks } from './database-checks.ts'
import { readOnly, readServerTime } from './doctor-store.ts'
import { type Finding, failure, ok } from './finding-rules.ts'
import { type Machine, machineChecks } from './machine-checks.ts'
import { networkChecks } from './network-checks.ts'

/** The maximum number of connections for checks. More checks at the same time would wait for connections. */
const CONNECTIONS = 4
const CONNECT_MS = 5_000
const ANSWER_MS = 8_000

/** Returns the facts about this machine. */
export const thisMachine = (): Machine => ({
  nodeVersion: process.versions.node,
  timeZoneData: process.versions.tz ?? '0',
  now: () => new Date(),
})

/**
 * Checks the machine and each environment. It only reads: it creates no file and no row, starts no server, and sends no money, mail or
 * webhook.
 */
export async function examine(config: Config, machine: Machine = thisMachine()): Promise<Finding[]> {
  const keyRing = await readKeys(config)
  const [ofMachine, ...ofEnvironments] = await Promise.all([
    runChecks(machineChecks, { config, machine }, null),
    ...config.environments.map((environment) => examineEnvironment(config, { environment, machine, keyRing })),
  ])
  return [
    { id: 'settings.valid', environment: null, ...ok('All settings are valid.') },
    ofMachine,
    ...ofEnvironments,
  ].flat()
}

type EnvironmentInput = { environment: EnvironmentConfig; machine: Machine; keyRing: KeyRing | null }

async function examineEnvironment(config: Config, input: EnvironmentInput): Promise<Finding[]> {
  const { settings, backup } = input.environment
  const { now } = input.machine
  const { connections, verdict } = await readConnectionsOf(input.environment)
  const [network, servers, backups, database] = await Promise.all([
    runChecks(networkChecks, { settings, now }, settings.name),
    runChecks(connections.flatMap(serverChecksOf), { now }, settings.name),
    runChecks(backupChecks, { backup, now }, settings.name),
    examineDatabase(config, { ...input, connections }),
  ])
  const valid = { id: CONNECTIONS_VALID, environment: settings.name, ...verdict }
  return [...network, valid, ...servers, ...backups, ...database]
}

const CONNECTIONS_VALID = 'connections.valid'

async function examineDatabase(
  config: Config,
  { environment, machine, keyRing, connections }: EnvironmentInput & { connections: readonly Connection[] },
): Promise<Finding[]> {
  const { settings, databaseUrl } = environment
  const { name } = settings
  const reachable = { id: 'database.reachable', environment: name }
  const url = databaseUrl ?? (await findDatabase(config.dataDir, `remit_${name}`))
  if (url === null) return [{ ...reachable, ...ok('There is no embedded PostgreSQL yet. The first start creates it.') }]
  const pool = connect(url, {
    max: CONNECTIONS,
    applicationName: 'remit doctor',
    connectTimeoutMs: CONNECT_MS,
    answerTimeoutMs: ANSWER_MS,
  })
  try {
    const problem = await connectionProblem(pool)
    if (problem !== null) {
      const remedy =
        databaseUrl === null
          ? 'Start the service, which starts its PostgreSQL.'
          : 'Correct DATABASE_URL, or start the server.'
      return [{ ...reachable, ...failure(`The database does not answer: ${problem}`, remedy) }]
    }
    const context: DatabaseContext = { pool, url, settings, keyRing, now: machine.now }
    const findings = await runChecks(databaseChecks, context, name)
    const canReadTables = findings.every(({ id, status }) => id !== 'database.migrations' || status !== 'failure')
    return [
      { ...reachable, ...ok('The database answers.') },
      ...findings,
      ...(canReadTables ? await runChecks(stateChecks, context, name) : []),
      ...(canReadTables ? await runChecks(connections.flatMap(contactChecksOf), context, name) : []),
    ]
  } finally {
    await pool.end({ timeout: 1 })
  }
}

async function connectionProblem(pool: Pool): Promise<string | null> {
  try {
    await readOnly(pool, readServerTime)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** Reads the keys. Returns null if they cannot be read, or do not exist yet. The check `keys.readable` reports the reason. */
async function readKeys({ masterKeys, masterKeysFile }: Config): Promise<KeyRing | null> {
  try {
    const text = masterKeys ?? (await readIfThere(masterKeysFile))
    return text === null ? null : parseMasterKeys(text.trim())
  } catch {
    return null
  }
}

/** The ids of all checks, in the order of the report. Ids of checks of connections contain `ID` instead of the id of a connection. */
export const CHECK_IDS: readonly string[] = [
  'settings.valid',
  ...([...machineChecks, ...networkChecks] as Check<never>[]).map(({ id }) => id),
  CONNECTIONS_VALID,
  ...CONNECTION_CHECK_IDS.server,
  ...backupChecks.map(({ id }) => id),
  'database.reachable',
  ...[...databaseChecks, ...stateChecks].map(({ id }) => id),
  ...CONNECTION_CHECK_IDS.state,
]
