import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { StartProblem } from '../../lib/start-problem.ts'
import { isOnCitus } from '../cluster/by-platform.ts'
import { connect, type Sql, withoutTimeLimit } from '../connect.ts'
import { databaseOfUrl, roleOfUrl } from './create-database.ts'
import { MIGRATION_LOCK } from './migration-lock.ts'
import { isOfLaterRelease, recordSchemaRelease } from './schema-release.ts'
import { canChangeSchema, grantServiceRights, type ServiceRole } from './service-role.ts'
import { dropShardSchemas } from './shard-schemas.ts'
import { applySqlFunctions, listOutdatedFunctions, sqlFunctionNames } from './sql-functions.ts'

const MIGRATIONS_FOLDER = new URL('../../../../migrations/', import.meta.url)

type Migration = { number: number; name: string; sql: string; checksum: string }

/** The result of a migration: the names of applied migrations, and of SQL functions that were created or replaced. */
export type Migrated = { migrations: string[]; functions: string[] }

type Applied = { number: number; name: string; checksum: string }

/**
 * Applies the missing migrations and updates the SQL functions of a database. If several processes do so at once, one migrates and the
 * others wait.
 *
 * @param servedBy the role that serves the database and gets its rights, or null for the role that migrates
 * @throws StartProblem if the database is too new for the program, or an applied migration was edited
 */
export async function migrate(url: string, servedBy: ServiceRole | null = null): Promise<Migrated> {
  const migrations = await readMigrations()
  const sql = connect(url, { max: 1, applicationName: 'remit migrate' })
  try {
    return await sql.begin(async (tx) => {
      if (!(await canChangeSchema(tx))) throw notTheOwner(url)
      const migrated = await applyMissing(tx, migrations)
      if (servedBy && !(await isOfLaterRelease(tx))) await grantServiceRights(tx, servedBy)
      return migrated
    })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const notTheOwner = (url: string) =>
  new StartProblem(
    `The role "${roleOfUrl(url)}" cannot create tables in the database "${databaseOfUrl(url)}". ` +
      'Set MIGRATE_DATABASE_URL to the owner of the tables. See docs/operating.md.',
  )

let migrationsOfProgram: Promise<Migration[]> | undefined

/** Reads all migrations in order. Each file is read once per process. */
export function readMigrations(): Promise<Migration[]> {
  migrationsOfProgram ??= migrationNames().then((names) => Promise.all(names.map(readMigration)))
  return migrationsOfProgram
}

async function migrationNames(): Promise<string[]> {
  return (await readdir(MIGRATIONS_FOLDER)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort()
}

async function readMigration(name: string): Promise<Migration> {
  const sql = await readFile(new URL(name, MIGRATIONS_FOLDER), 'utf8')
  return { number: Number(name.slice(0, 4)), name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

async function applyMissing(tx: Sql, migrations: Migration[]): Promise<Migrated> {
  await withoutTimeLimit(tx)
  await tx`set local lock_timeout = 0`
  await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
  await tx`
    create table if not exists migrations (
      number     integer primary key,
      name       text not null,
      checksum   text not null,
      applied_at timestamptz not null default now()
    )
  `
  await tx`
    create table if not exists schema_release (
      release     integer not null,
      serves_from integer not null,
      is_only     boolean primary key default true check (is_only)
    )
  `
  if (await isOfLaterRelease(tx)) return { migrations: [], functions: [] }
  const applied = await tx<Applied[]>`
    select number, name, checksum
    from migrations
    order by number
  `
  refuseForeignHistory(applied, migrations)
  const missing = migrations.slice(applied.length)
  if (missing.length > 0 && (await isOnCitus(tx))) await dropShardSchemas(tx) // distributeTables creates them again
  for (const migration of missing) await applyMigration(tx, migration)
  const functions = await applySqlFunctions(tx)
  await recordSchemaRelease(tx)
  return { migrations: missing.map(({ name }) => name), functions }
}

function refuseForeignHistory(applied: Applied[], migrations: Migration[]): void {
  const newest = migrations.at(-1)?.number ?? 0
  for (const [index, row] of applied.entries()) {
    if (row.number > newest) {
      throw new StartProblem(
        `The database is newer than this program: it has migration ${row.name}, but the program ends at ${newest}. Run the newer version.`,
      )
    }
    const ours = migrations[index]
    if (ours?.number !== row.number) {
      throw new StartProblem(`The database has migration ${row.name}, but not ${ours?.name}, which comes before it.`)
    }
    if (ours.checksum !== row.checksum) {
      throw new StartProblem(
        `Migration ${row.name} was changed after it was applied to this database. Restore the file and write a new migration.`,
      )
    }
  }
}

async function applyMigration(tx: Sql, migration: Migration): Promise<void> {
  await tx.unsafe(migration.sql)
  await tx`
    insert into migrations (number, name, checksum)
    values (${migration.number}, ${migration.name}, ${migration.checksum})
  `
}

/**
 * Checks that a database has what this program needs, without changing it.
 *
 * @returns whether a later release has migrated the database
 * @throws StartProblem if something is missing
 */
export async function requireMigrated(sql: Sql, url: string): Promise<boolean> {
  const notMigrated = (why: string) =>
    new StartProblem(`The database "${databaseOfUrl(url)}" ${why}. Run remit migrate, then start again.`)
  const [found] = await sql<{ canRead: boolean | null }[]>`
    select has_table_privilege(to_regclass('migrations'), 'SELECT') as can_read
  `
  if (found?.canRead === null) throw notMigrated('is empty')
  if (!found?.canRead) throw notMigrated(`gives the role "${roleOfUrl(url)}" no rights`)
  if (await isOfLaterRelease(sql)) return true
  const migrations = await readMigrations()
  const applied = await sql<Applied[]>`
    select number, name, checksum
    from migrations
    order by number
  `
  const names = new Set(applied.map(({ name }) => name))
  const missing = migrations.find(({ name }) => !names.has(name))
  if (missing) throw notMigrated(`lacks the migration ${missing.name}`)
  refuseForeignHistory(applied, migrations)
  const [outdated] = await listOutdatedFunctions(sql)
  if (outdated) throw notMigrated(`has another version of the function ${outdated}`)
  return false
}

/** Returns whether the database has every migration and function of this program. `/readyz` reports it. */
export async function isMigrated(sql: Sql): Promise<boolean> {
  const migrations = await migrationNames()
  const functions = await sqlFunctionNames()
  const [row] = await sql<{ migrations: number; functions: number }[]>`
    select
      (select count(*)::integer from migrations where name = any (${migrations})) as migrations,
      (select count(*)::integer from sql_functions where name = any (${functions})) as functions
  `
  return row?.migrations === migrations.length && row.functions === functions.length
}
