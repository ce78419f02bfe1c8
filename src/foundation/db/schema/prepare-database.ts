import type { EnvironmentName } from '../../core/environment.ts'
import { StartProblem } from '../../lib/start-problem.ts'
import { isOnCitus } from '../cluster/by-platform.ts'
import { connect, type Sql } from '../connect.ts'
import { createDatabaseIfMissing, databaseOfUrl, doesDatabaseExist, roleOfUrl } from './create-database.ts'
import { distributeTables } from './distribute.ts'
import { migrate, requireMigrated } from './migrate.ts'
import { canChangeSchema, findExcessRights } from './service-role.ts'

/**
 * The database URLs of a process.
 *
 * @property databaseUrl for the service
 * @property ownerUrl for the owner of the schema, or null if this process must not migrate
 */
export type DatabaseUrls = { databaseUrl: string; ownerUrl: string | null }

/**
 * Ensures that a database has what the program needs, and that in production the service has no unnecessary rights.
 *
 * @throws StartProblem
 */
export async function prepareDatabase({ databaseUrl, ownerUrl }: DatabaseUrls, name: EnvironmentName): Promise<void> {
  if (ownerUrl !== null && (await canMigrate({ databaseUrl, ownerUrl })))
    return void (await migrateDatabase({ databaseUrl, ownerUrl }, name))
  if (!(await doesDatabaseExist(databaseUrl)))
    throw new StartProblem(`There is no database "${databaseOfUrl(databaseUrl)}". Run remit migrate, then start again.`)
  await query(databaseUrl, async (sql) => {
    const isOfLaterRelease = await requireMigrated(sql, databaseUrl)
    const excess = await findExcessRights(sql, isOfLaterRelease ? null : name)
    if (name === 'production' && excess.length > 0) throw tooManyRights(databaseUrl, excess)
  })
}

/**
 * Creates a missing database, migrates it, and grants the service its rights.
 *
 * @param distribute whether to distribute the tables over the workers of Citus. A distributed database stays distributed
 * @returns the names of the tables that were distributed
 * @throws StartProblem
 */
export async function migrateDatabase(
  { databaseUrl, ownerUrl }: { databaseUrl: string; ownerUrl: string },
  environment: EnvironmentName,
  { distribute = false } = {},
): Promise<string[]> {
  const name = roleOfUrl(databaseUrl)
  if (name === '' && databaseUrl !== ownerUrl)
    throw new StartProblem(
      'DATABASE_URL must name a role, as in postgres://ROLE:PASSWORD@HOST/DATABASE, because remit migrate grants rights to it.',
    )
  await createDatabaseIfMissing(ownerUrl)
  const servedBy = name === roleOfUrl(ownerUrl) ? null : { name, environment }
  await migrate(ownerUrl, servedBy)
  return distribute || (await query(ownerUrl, isOnCitus)) ? distributeTables(ownerUrl, servedBy) : []
}

/** Returns whether this process can migrate. A single URL may belong to a service role, which cannot. */
async function canMigrate({ databaseUrl, ownerUrl }: { databaseUrl: string; ownerUrl: string }): Promise<boolean> {
  if (ownerUrl !== databaseUrl || !(await doesDatabaseExist(databaseUrl))) return true
  return query(databaseUrl, canChangeSchema)
}

async function query<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(url, { max: 1, applicationName: 'remit start' })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const tooManyRights = (databaseUrl: string, excess: readonly string[]) =>
  new StartProblem(
    `The role "${roleOfUrl(databaseUrl)}" could change the schema or the ledger of production: ${excess.slice(0, 3).join(', ')}. ` +
      'Connect the service as a role without these rights, and migrate as the owner of the tables. See docs/operating.md.',
  )
