import type { EnvironmentSettings } from '../../foundation/core/environment.ts'
import type { KeyRing } from '../../foundation/core/seal.ts'
import type { Pool, Sql } from '../../foundation/db/connect.ts'
import { requireMigrated } from '../../foundation/db/schema/migrate.ts'
import { findExcessRights } from '../../foundation/db/schema/service-role.ts'
import { countOpenCases } from '../../foundation/exception/open-case-store.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { findProof } from '../../money/ledger/ledger-proof-store.ts'
import { VERSION } from '../app/version.ts'
import { type Backlog, findBacklog } from '../scheduler/backlog-store.ts'
import type { Check } from './check.ts'
import { judgeArchiver, judgeClock, judgeSettings, judgeVersion } from './database-rules.ts'
import {
  countBadEndpoints,
  listMasterKeys,
  readArchiver,
  readFirstMigration,
  readOnly,
  readProcessVersions,
  readServerSettings,
  readServerTime,
} from './doctor-store.ts'
import { byLimits, duration, failure, ok, type Verdict, warning } from './finding-rules.ts'

/** The input of the checks. @property keyRing null if the keys cannot be read, which another check reports */
export type DatabaseContext = {
  pool: Pool
  url: string
  settings: EnvironmentSettings
  keyRing: KeyRing | null
  now: () => Date
}

type DatabaseCheck = (sql: Sql, context: DatabaseContext) => Promise<Verdict | Verdict[]>

/** Creates a check that runs in a read-only transaction. */
const reading = (id: string, check: DatabaseCheck): Check<DatabaseContext> => ({
  id,
  run: (context) => readOnly(context.pool, (sql) => check(sql, context)),
})

/** The checks of a database server and of the rights and tables on it. */
export const databaseChecks: readonly Check<DatabaseContext>[] = [
  reading('database.version', async (sql) => judgeVersion(await readServerSettings(sql))),
  reading('database.settings', async (sql) => judgeSettings(await readServerSettings(sql))),
  reading('database.clock', checkClock),
  reading('database.migrations', checkMigrations),
  reading('backup.archiving', async (sql, { now }) => judgeArchiver(await readArchiver(sql), now())),
]

/** The checks of the rows, which need the tables of this program. */
export const stateChecks: readonly Check<DatabaseContext>[] = [
  reading('database.rights', checkRights),
  reading('keys.match', checkKeys),
  reading('processes.version', checkProcesses),
  reading('exceptions.open', checkExceptions),
  reading('queue.webhooks', checkQueue('webhooks', 'Run remit worker, and look at its log.')),
  reading('queue.legs', checkQueue('legs', 'Run remit worker, and look at its log.')),
  reading('queue.mail', checkQueue('mail', 'Look at mail.server, and at the log of remit worker.')),
  reading('outbox.oldest', checkQueue('outbox', 'Run remit worker, and look at its log.')),
  reading('webhooks.receivers', checkReceivers),
  reading('ledger.proof', checkProof),
]

async function checkClock(sql: Sql, { now }: DatabaseContext): Promise<Verdict> {
  const answered = await readServerTime(sql)
  return judgeClock(now().getTime() - answered.getTime())
}

const QUEUE_LIMITS = { warning: 10 * 60, failure: 2 * 3_600 }

async function checkMigrations(sql: Sql, { url }: DatabaseContext): Promise<Verdict> {
  try {
    const isOfLaterRelease = await requireMigrated(sql, url)
    if (!isOfLaterRelease) return ok(`up to date with ${VERSION}`)
    return warning('A later release of Remit has migrated this database.', 'Upgrade this process.')
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    return failure(error.message, 'Run remit migrate of this version as the owner of the database.')
  }
}

async function checkRights(sql: Sql, { settings: { name } }: DatabaseContext): Promise<Verdict> {
  try {
    const excess = await findExcessRights(sql, name)
    if (name !== 'production' || excess.length === 0)
      return ok('The role of DATABASE_URL has the rights that it needs.')
    return failure(
      `The role of DATABASE_URL can do too much: ${excess.slice(0, 3).join(', ')}.`,
      'Give the service a role without these rights. See docs/operating.md.',
    )
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    return failure(error.message, 'Run remit migrate, which grants the rights.')
  }
}

async function checkKeys(sql: Sql, { keyRing }: DatabaseContext): Promise<Verdict> {
  if (!keyRing) return warning('The keys cannot be compared with the database.', 'Correct keys.readable first.')
  const remedy = 'Put the original key back. See docs/keys.md.'
  for (const { id, fingerprint } of await listMasterKeys(sql)) {
    if (!keyRing.ids.includes(id))
      return failure(`The database is sealed with the master key ${id}, which is missing.`, remedy)
    if (!keyRing.fingerprint(id).equals(fingerprint))
      return failure(`The database is sealed with another master key ${id}.`, remedy)
  }
  return ok('The master keys are those of the database.')
}

async function checkProcesses(sql: Sql, { settings: { name } }: DatabaseContext): Promise<Verdict> {
  const versions = await readProcessVersions(sql, name)
  if (versions.every((version) => version === VERSION))
    return ok(`No process of another version than ${VERSION} is connected.`)
  return warning(
    `Processes of ${versions.join(', ')} are connected, and this is ${VERSION}.`,
    'Restart the processes of the other version.',
  )
}

async function checkExceptions(sql: Sql, { now }: DatabaseContext): Promise<Verdict> {
  const open = await countOpenCases(sql, now())
  if (open.length === 0) return ok('No exceptions are open.')
  const kinds = open.map(({ kind, count }) => `${count} ${kind}`).join(', ')
  const oldest = duration(Math.max(...open.map(({ oldestSeconds }) => oldestSeconds)))
  return warning(`Exceptions are open: ${kinds}. The oldest is from ${oldest} ago.`, 'Run remit exceptions list.')
}

const WORK_NAMES = {
  webhooks: 'webhooks are due',
  legs: 'legs are due',
  mail: 'mails are due',
  outbox: 'messages between platforms wait',
}

function checkQueue(work: keyof Backlog, remedy: string): DatabaseCheck {
  return async (sql, { now }) => {
    const { count, oldestSeconds } = (await findBacklog(sql, now()))[work]
    const since = count > 0 ? `, the oldest since ${duration(oldestSeconds)}` : ''
    return byLimits(oldestSeconds, QUEUE_LIMITS)(`${count} ${WORK_NAMES[work]}${since}.`, remedy)
  }
}

async function checkReceivers(sql: Sql): Promise<Verdict> {
  const { failing, disabled } = await countBadEndpoints(sql)
  if (failing + disabled === 0) return ok('All receivers of webhooks answer.')
  return warning(
    `${failing} receivers of webhooks fail, and ${disabled} were disabled because they failed.`,
    'Their owners see them in Settings > Webhooks.',
  )
}

const PROOF_LIMITS = { warning: 2 * 86_400, failure: 14 * 86_400 }

/** Checks the last verification of the ledger. A new database counts as verified at its creation. */
async function checkProof(sql: Sql, { now }: DatabaseContext): Promise<Verdict> {
  const proof = await findProof(sql)
  if (proof && !proof.isClean) return failure('The ledger does not balance.', 'Run remit verify-ledger.')
  const since = proof?.at ?? (await readFirstMigration(sql))
  const seconds = (now().getTime() - since.getTime()) / 1_000
  const age = duration(seconds)
  const found = proof ? `The ledger was verified ${age} ago.` : `The ledger was not verified in its first ${age}.`
  const remedy = 'Run remit verify-ledger, or set REMIT_METRICS_PORT for the worker.'
  return byLimits(seconds, PROOF_LIMITS)(found, remedy)
}
