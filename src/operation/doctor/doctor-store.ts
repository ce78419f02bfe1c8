import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Pool, Sql } from '../../foundation/db/connect.ts'

// Reads data for `remit doctor`. Nothing here writes.

/** Runs statements in a read-only transaction. */
export const readOnly = <T>(pool: Pool, read: (sql: Sql) => Promise<T>): Promise<T> =>
  pool.begin(async (sql) => {
    await sql`set transaction read only`
    return read(sql)
  })

export type ServerSettings = {
  versionNumber: number
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
  autovacuum: string
  maxConnections: number
  connections: number
}

export async function readServerSettings(sql: Sql): Promise<ServerSettings> {
  const [row] = await sql<ServerSettings[]>`
    select
      current_setting('server_version_num')::integer as version_number,
      current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('autovacuum') as autovacuum,
      current_setting('max_connections')::integer as max_connections,
      (select coalesce(sum(numbackends), 0)::integer from pg_stat_database) as connections
  `
  return row as ServerSettings
}

export async function readServerTime(sql: Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`
  return row?.now as Date
}

/** Lists the versions of the processes that are currently connected to this database (`applicationNameOf` in version.ts). */
export async function readProcessVersions(sql: Sql, environment: string): Promise<string[]> {
  const rows = await sql<{ version: string }[]>`
    select distinct split_part(application_name, ' ', 3) as version
    from pg_stat_activity
    where datname = current_database() and application_name like ${`remit ${environment} %`}
    order by version
  `
  return rows.map(({ version }) => version)
}

export type Archiver = { mode: string; lastArchivedAt: Date | null; lastFailedAt: Date | null }

export async function readArchiver(sql: Sql): Promise<Archiver> {
  const [row] = await sql<Archiver[]>`
    select
      current_setting('archive_mode') as mode,
      last_archived_time as last_archived_at,
      last_failed_time as last_failed_at
    from pg_stat_archiver
  `
  return row as Archiver
}

export const listMasterKeys = (sql: Sql) =>
  sql<{ id: string; fingerprint: Buffer }[]>`select id, fingerprint from master_keys`

/** Returns the time of the first migration, which approximates the creation of the database. */
export async function readFirstMigration(sql: Sql): Promise<Date> {
  const [row] = await sql<{ at: Date }[]>`select min(applied_at) as at from migrations`
  return row?.at as Date
}

/** Counts the webhook receivers that fail now, and those that were disabled because they failed. */
export async function countBadEndpoints(sql: Sql): Promise<{ failing: number; disabled: number }> {
  const [row] = await sql<{ failing: number; disabled: number }[]>`
    ${allPlatforms('counts waiting work')}
    select
      count(*) filter (where failing_since is not null and disabled_at is null)::integer as failing,
      count(*) filter (where disabled_reason in ('GONE', 'FAILING'))::integer as disabled
    from endpoints
    where removed_at is null
  `
  return row as { failing: number; disabled: number }
}
