import { allPlatforms } from './cluster/all-platforms.ts'
import type { Sql } from './connect.ts'
import { type DigestColumn, digestColumns, sealedColumns } from './key-columns.ts'
import type { Fragment } from './skipped.ts'

/**
 * The use of a master key by stored values.
 *
 * @property fate how a rotation ends the use: it seals values again (`reseal`), chooses another key (`choice`) or closes the audit chain
 * (`chain`). `DigestColumn` explains the other values
 * @property until the time when the last value expires
 */
export type KeyUse = {
  keyId: string
  what: string
  count: number
  fate: DigestColumn['fate'] | 'reseal' | 'choice' | 'chain'
  until: Date | null
}

/**
 * Lists the uses of all keys. It reads every sealed value and digest, so its time grows with the database.
 *
 * @param ringIds the keys of the ring. Closings by these keys prove audit chain entries
 */
export async function listKeyUses(sql: Sql, ringIds: readonly string[]): Promise<KeyUse[]> {
  const [chosen] = await sql<{ keyId: string }[]>`select value as key_id from settings where name = 'digest_key'`
  const uses: KeyUse[] = chosen ? [{ ...chosen, what: 'new digests', count: 1, fate: 'choice', until: null }] : []
  for (const { table, column, what } of sealedColumns) {
    const rows = await sql<{ keyId: string; count: number }[]>`
      ${allPlatforms('serves the operator')}
      select ${keyIdOf(sql, sql`mark`)} as key_id, count(*)::bigint as count
      from (select substr(${sql(column)}, 1, 17) as mark from ${sql(table)} where ${sql(column)} is not null) marks
      group by 1
    `
    uses.push(...rows.map((row) => ({ ...row, what, fate: 'reseal' as const, until: null })))
  }
  for (const { table, column, what, fate, until } of digestColumns) {
    const expiresAt = until ? sql.unsafe(until) : sql`null::timestamptz`
    const rows = await sql<{ keyId: string; count: number; until: Date | null }[]>`
      ${allPlatforms('serves the operator')}
      select ${keyIdOf(sql, sql`${sql(column)}`)} as key_id, count(*)::bigint as count, max(${expiresAt}) as until
      from ${sql(table)}
      where ${sql(column)} is not null and coalesce(${expiresAt} > now(), true)
      group by 1
    `
    uses.push(...rows.map((row) => ({ ...row, what, fate })))
  }
  return [...uses, ...(await listChainUses(sql, ringIds))]
}

/** Returns the key id at the start of a sealed value or a digest. */
const keyIdOf = (sql: Sql, value: Fragment): Fragment =>
  sql`encode(substr(${value}, 2, get_byte(${value}, 0)), 'escape')`

/** Returns whether a digest was made with another key. */
export const isDigestOfAnotherKey = (sql: Sql, value: Fragment, keyId: string | Fragment): Fragment =>
  sql`(${value} is not null and ${keyIdOf(sql, value)} is distinct from ${keyId})`

/** Lists the keys that audit chains need, because no closing by another key of the ring covers their links. */
async function listChainUses(sql: Sql, ringIds: readonly string[]): Promise<KeyUse[]> {
  const rows = await sql<{ keyId: string; count: number }[]>`
    ${allPlatforms('serves the operator')}
    select of_chain.key_id, count(distinct of_chain.platform_id)::bigint as count
    from (
      select platform_id, key_id, max(sequence) as sequence
      from (
        select platform_id, key_id, sequence from audit_seals
        union all
        select platform_id, key_id, sequence from audit_closings
      ) proven
      group by platform_id, key_id
    ) of_chain
    where not exists (
      select 1
      from audit_closings c
      where c.platform_id = of_chain.platform_id and c.key_id <> of_chain.key_id
        and c.key_id = any (${ringIds as string[]}::text[]) and c.sequence >= of_chain.sequence
    )
    group by of_chain.key_id
  `
  return rows.map((row) => ({ ...row, what: 'audit chains', fate: 'chain', until: null }))
}
