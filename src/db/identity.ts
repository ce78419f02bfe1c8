import type { EnvironmentName } from '../core/environment.ts'
import type { KeyRing } from '../core/seal.ts'
import { StartProblem } from '../lib/start-problem.ts'
import type { Pool, Sql } from './connect.ts'

/**
 * Ties a database to its environment and to the keys that seal it, at the first start; refuses another one later.
 *
 * @returns the ring as this database uses it
 * @throws StartProblem
 */
export async function claimDatabase(pool: Pool, environment: EnvironmentName, ring: KeyRing): Promise<KeyRing> {
  return pool.begin(async (sql) => {
    await sql`lock table settings in exclusive mode`
    const owner = await readOrSet(sql, 'environment', environment)
    if (owner !== environment) {
      throw new StartProblem(`The database belongs to the environment ${owner}; ${environment} needs one of its own.`)
    }
    await refuseMissingKeys(sql, ring)
    await readOrSet(sql, 'digest_key', ring.ids[0])
    const unmarked = await read(sql, 'unmarked_digest_key')
    return unmarked === null ? ring : ring.withUnmarkedDigestsOf(unmarked)
  })
}

async function readOrSet(sql: Sql, name: string, value: string): Promise<string> {
  await sql`
    insert into settings (name, value)
    values (${name}, ${value})
    on conflict (name) do nothing
  `
  return (await read(sql, name)) as string
}

async function read(sql: Sql, name: string): Promise<string | null> {
  const [row] = await sql<{ value: string }[]>`select value from settings where name = ${name}`
  return row?.value ?? null
}

async function refuseMissingKeys(sql: Sql, ring: KeyRing): Promise<void> {
  const known = await sql<{ id: string; fingerprint: Buffer }[]>`select id, fingerprint from master_keys`
  for (const { id, fingerprint } of known) {
    if (!ring.ids.includes(id)) {
      throw new StartProblem(`The database is sealed with master key ${id}, which is not in ${KEYS}.`)
    }
    if (!ring.fingerprint(id).equals(fingerprint)) {
      throw new StartProblem(`The database is sealed with another master key ${id} than the one in ${KEYS}.`)
    }
  }
  for (const id of ring.ids) {
    await sql`
      insert into master_keys (id, fingerprint)
      values (${id}, ${ring.fingerprint(id)})
      on conflict (id) do nothing
    `
  }
}

const KEYS = 'REMIT_MASTER_KEYS or the file that REMIT_MASTER_KEYS_FILE names'
