import type { DigestPurpose, KeyRing } from '../core/seal.ts'
import type { Sql } from './connect.ts'
import type { TxDeps } from './deps.ts'

/** Requires a transaction (`afterCommit`), because the chosen key could change at any time outside of one. */
type DigestDeps = Pick<TxDeps, 'sql' | 'keyRing' | 'afterCommit'>

/** The digests of a text by a previous key and by the current key. */
export type Renewal = { former: Buffer; present: Buffer }

/**
 * Returns the id of the key that makes this database's digests. The database chooses it, so that two processes never store a text under
 * two digests. Until the transaction ends, `chooseDigestKey` waits (docs/keys.md).
 *
 * @throws Error if this process was started without the key
 */
export async function currentDigestKey({ sql, keyRing }: DigestDeps): Promise<string> {
  const [row] = await sql<{ value: string }[]>`select value from settings where name = 'digest_key'`
  const keyId = row?.value as string
  if (!keyRing.ids.includes(keyId)) {
    throw new Error(`digests are made with master key ${keyId}, which this process was started without: restart it`)
  }
  return keyId
}

/**
 * Returns the digest under which a text is stored or counted. First moves rows from digests by previous keys, so that a text has only one
 * digest.
 *
 * @param renew moves rows from a previous digest to the current one
 */
export async function renewAndDigest(
  deps: DigestDeps,
  { text, purpose }: { text: string; purpose: DigestPurpose },
  renew: (sql: Sql, renewal: Renewal) => Promise<void>,
): Promise<Buffer> {
  const keyId = await currentDigestKey(deps)
  const present = deps.keyRing.digest(text, purpose, keyId)
  for (const former of formerDigests(deps.keyRing, { text, purpose, keyId })) await renew(deps.sql, { former, present })
  return present
}

const formerDigests = (
  { ids, digest }: KeyRing,
  { text, purpose, keyId }: { text: string; purpose: DigestPurpose; keyId: string },
): Buffer[] => ids.filter((id) => id !== keyId).map((id) => digest(text, purpose, id))

const MAX_SWITCH_WAIT_MS = 300

/** Returns digests as a list for `column in`. */
export const digestList = (sql: Sql, digests: readonly Buffer[]) => sql`
  (select decode(d, 'hex') from unnest(${digests.map((digest) => digest.toString('hex'))}::text[]) d)
`

/**
 * Switches the digests of this database to another key. Waits for transactions that use the current key, and blocks new ones. The wait is
 * limited, because a backup can lock the table for hours.
 *
 * @throws an error that `classifyDatabaseError` calls too_slow if another transaction holds a lock on the table
 */
export async function chooseDigestKey(sql: Sql, keyId: string): Promise<{ former: string }> {
  await sql`set local lock_timeout = ${sql.unsafe(String(MAX_SWITCH_WAIT_MS))}`
  await sql`lock table settings in access exclusive mode`
  const [row] = await sql<{ former: string }[]>`
    with former as (select value from settings where name = 'digest_key')
    update settings
    set value = ${keyId}
    where name = 'digest_key'
    returning (select value from former) as former
  `
  return row as { former: string }
}
