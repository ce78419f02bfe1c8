import { readFileSync } from 'node:fs'
import { StartProblem } from '../../lib/start-problem.ts'
import type { Sql } from '../connect.ts'

/**
 * The release of this schema, counted from 1. See CONTRIBUTING.md, "Upgrades while serving".
 *
 * @property servesFrom the oldest release whose program works with it
 * @property previous the migrations and the signatures of functions of the previous release, null for release 1
 */
export type SchemaRelease = {
  release: number
  servesFrom: number
  previous: { lastMigration: number; functions: Record<string, string> } | null
}

export const SCHEMA: SchemaRelease = JSON.parse(
  readFileSync(new URL('../../../../migrations/release.json', import.meta.url), 'utf8'),
)

/**
 * Returns whether a later release has migrated the database. If so, it stays unchanged, because it has everything that this program needs.
 *
 * @throws StartProblem if this program is too old for it
 */
export async function isOfLaterRelease(tx: Sql): Promise<boolean> {
  const [database] = await tx<{ release: number; servesFrom: number }[]>`
    select release, serves_from
    from schema_release
  `
  if (!database || database.release <= SCHEMA.release) return false
  if (database.servesFrom > SCHEMA.release) {
    throw new StartProblem(
      `The database is newer than this program: schema release ${database.release} needs a program of release ${database.servesFrom} or later, and this one is of release ${SCHEMA.release}. Run the newer version.`,
    )
  }
  return true
}

export async function recordSchemaRelease(tx: Sql): Promise<void> {
  await tx`
    insert into schema_release (release, serves_from)
    values (${SCHEMA.release}, ${SCHEMA.servesFrom})
    on conflict (is_only) do update set release = excluded.release, serves_from = excluded.serves_from
  `
}
