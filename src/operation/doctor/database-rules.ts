import type { Archiver, ServerSettings } from './doctor-store.ts'
import { byLimits, duration, failure, ok, type Verdict, warning } from './finding-rules.ts'

const OLDEST_SERVER = 15
/** The number of connections of one process with both roles: for requests, groups of payments, and the check of the ledger. */
const CONNECTIONS_OF_PROCESS = 20

export function judgeVersion({ versionNumber }: Pick<ServerSettings, 'versionNumber'>): Verdict {
  const found = `PostgreSQL ${Math.floor(versionNumber / 10_000)}.${versionNumber % 10_000}`
  return versionNumber >= OLDEST_SERVER * 10_000
    ? ok(found)
    : failure(found, `Upgrade the server to PostgreSQL ${OLDEST_SERVER} or newer.`)
}

/**
 * Judges the settings of the server. With wrong settings, a crash of the server can lose accepted payments or damage tables, or the server
 * is slow.
 */
export function judgeSettings(settings: ServerSettings): Verdict[] {
  const { fsync, fullPageWrites, synchronousCommit, autovacuum, maxConnections, connections } = settings
  const verdicts: Verdict[] = []
  if (fsync === 'off') verdicts.push(failure('fsync is off: a crash can destroy the database.', 'Set fsync = on.'))
  if (fullPageWrites === 'off')
    verdicts.push(failure('full_page_writes is off: a crash can damage tables.', 'Set full_page_writes = on.'))
  if (synchronousCommit === 'off')
    verdicts.push(
      failure('synchronous_commit is off: a crash loses accepted payments.', 'Set synchronous_commit = on.'),
    )
  if (autovacuum === 'off')
    verdicts.push(warning('autovacuum is off: tables grow and statements get slower.', 'Set autovacuum = on.'))
  if (maxConnections - connections < CONNECTIONS_OF_PROCESS) {
    const found = `${connections} of ${maxConnections} connections are in use, and a process needs up to ${CONNECTIONS_OF_PROCESS}.`
    verdicts.push(warning(found, 'Increase max_connections, or run fewer processes.'))
  }
  return verdicts.length > 0 ? verdicts : [ok(`${connections} of ${maxConnections} connections in use`)]
}

/** Judges the clock. @param differenceMs the time of this machine minus the time of the database */
export function judgeClock(differenceMs: number): Verdict {
  const seconds = Math.round(Math.abs(differenceMs) / 1_000)
  const found = `The clock of this machine is ${duration(seconds)} ${differenceMs > 0 ? 'ahead of' : 'behind'} the database.`
  return byLimits(seconds, { warning: 3, failure: 60 })(found, 'Synchronize both clocks by NTP.')
}

export function judgeArchiver({ mode, lastArchivedAt, lastFailedAt }: Archiver, now: Date): Verdict {
  if (mode === 'off') return ok('WAL archiving is off. Back up with pg_dump, see docs/backup.md.')
  const remedy = 'Look into the log of PostgreSQL, and correct archive_command.'
  if (lastFailedAt && (!lastArchivedAt || lastFailedAt > lastArchivedAt)) return failure('WAL archiving fails.', remedy)
  if (!lastArchivedAt) return warning('No WAL file was archived yet.', remedy)
  const seconds = (now.getTime() - lastArchivedAt.getTime()) / 1_000
  const found = `The last WAL file was archived ${duration(seconds)} ago.`
  return byLimits(seconds, { warning: 86_400, failure: 7 * 86_400 })(found, remedy)
}
