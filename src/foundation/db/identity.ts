import type { EnvironmentName } from '../core/environment.ts'
import type { KeyRing } from '../core/seal.ts'
import { StartProblem } from '../lib/start-problem.ts'
import { type Pool, type Sql, withoutTimeLimit } from './connect.ts'
import { type KeyUse, listKeyUses } from './key-uses.ts'

/**
 * Ties a database to its environment and master keys at the first start, and refuses other ones later.
 *
 * @throws StartProblem
 */
export async function claimDatabase(pool: Pool, environment: EnvironmentName, ring: KeyRing): Promise<void> {
  await pool.begin(async (sql) => {
    // First checked without the lock, because finding the uses of keys takes long in a large database.
    refuseAnother(environment, await read(sql, 'environment'))
    await forgetMissingKeys(sql, ring)
  })
  await pool.begin(async (sql) => {
    // Locks this table instead of the settings. On a cluster, each node has a copy of the settings, and a node may be down.
    await sql`lock table master_keys in exclusive mode`
    refuseAnother(environment, await readOrSet(sql, 'environment', environment))
    await forgetMissingKeys(sql, ring)
    await noteKeys(sql, ring)
    await readOrSet(sql, 'digest_key', ring.ids[0])
  })
}

/** Refuses a database that belongs to another environment. @throws StartProblem */
function refuseAnother(environment: EnvironmentName, owner: string | null): void {
  if (owner === null || owner === environment) return
  throw new StartProblem(`This database belongs to the environment ${owner}. Set another database for ${environment}.`)
}

async function readOrSet(sql: Sql, name: string, value: string): Promise<string> {
  const known = await read(sql, name)
  if (known !== null) return known
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

/** Deletes the records of keys that are not in the ring and not needed. @throws StartProblem if one of them is needed */
async function forgetMissingKeys(sql: Sql, { ids }: KeyRing): Promise<void> {
  const known = await sql<{ id: string }[]>`select id from master_keys`
  const missing = known.map(({ id }) => id).filter((id) => !ids.includes(id))
  if (missing.length === 0) return
  await withoutTimeLimit(sql)
  const uses = await listKeyUses(sql, ids)
  for (const id of missing) refuseUsedKey(id, uses)
  await sql`delete from master_keys where id = any (${missing}::text[])`
}

/** Records the keys of the ring. @throws StartProblem if a key differs from the recorded one with its id */
async function noteKeys(sql: Sql, ring: KeyRing): Promise<void> {
  const known = await sql<{ id: string; fingerprint: Buffer }[]>`select id, fingerprint from master_keys`
  for (const { id, fingerprint } of known) {
    if (!ring.fingerprint(id).equals(fingerprint)) {
      throw new StartProblem(
        `The database is sealed with a different master key ${id} than the one in ${KEYS}. Restore the original key.`,
      )
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

/** Refuses to start without a key that the database needs. @throws StartProblem */
function refuseUsedKey(id: string, uses: readonly KeyUse[]): void {
  const own = uses.filter(({ keyId }) => keyId === id)
  if (own.length === 0) return
  const what = own.map(({ what, count, fate }) => (fate === 'choice' ? what : `${what} (${count})`)).join(', ')
  throw new StartProblem(
    `The database still needs master key ${id}, which is not in ${KEYS}, for: ${what}. Put it back at the end of the list, and run "remit keys".`,
  )
}

const KEYS = 'REMIT_MASTER_KEYS or the file that REMIT_MASTER_KEYS_FILE names'
