import type { EnvironmentName } from '../core/environment.ts'
import type { KeyRing } from '../core/seal.ts'
import { StartProblem } from '../lib/start-problem.ts'
import type { Pool, Sql } from './connect.ts'
import { type KeyUse, listKeyUses } from './key-uses.ts'

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
    await retireMissingKeys(sql, ring)
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

/** A key that is not in the ring any more is forgotten when nothing needs it. @throws StartProblem when something does */
async function retireMissingKeys(sql: Sql, ring: KeyRing): Promise<void> {
  const known = await sql<{ id: string; fingerprint: Buffer }[]>`select id, fingerprint from master_keys`
  const missing = known.filter(({ id }) => !ring.ids.includes(id)).map(({ id }) => id)
  if (missing.length > 0) {
    await sql`set local statement_timeout = 0`
    const uses = await listKeyUses(sql, ring.ids)
    for (const id of missing) refuseUsedKey(id, uses)
    await sql`delete from master_keys where id = any (${missing}::text[])`
  }
  for (const { id, fingerprint } of known) {
    if (missing.includes(id)) continue
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

/** @throws StartProblem */
function refuseUsedKey(id: string, uses: readonly KeyUse[]): void {
  const own = uses.filter(({ keyId }) => keyId === id)
  if (own.length === 0) return
  const what = own.map(({ what, count, fate }) => (fate === 'choice' ? what : `${what} (${count})`)).join(', ')
  throw new StartProblem(
    `The database still needs master key ${id}, which is not in ${KEYS}, for: ${what}. Put it back at the end of the list, and run "remit keys".`,
  )
}

const KEYS = 'REMIT_MASTER_KEYS or the file that REMIT_MASTER_KEYS_FILE names'
