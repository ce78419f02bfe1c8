import { allPlatforms } from '../db/cluster/all-platforms.ts'
import { listPlatformsWith, type PlatformTurn } from '../db/cluster/list-platforms.ts'
import { type Sql, withoutTimeLimit } from '../db/connect.ts'
import type { ChainedEntry, ChainHead } from './audit-chain-rules.ts'

/** Platforms with unsealed entries, ordered by id. */
export const listPlatformsToSeal = (sql: Sql, turn: PlatformTurn): Promise<string[]> =>
  listPlatformsWith(sql, 'audit_unsealed', turn)

/** Locks the chain of a platform until the end of the transaction. @returns false if another worker holds the lock */
export async function tryLockChain(sql: Sql, platformId: string): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('audit chain of ' || ${platformId}::text, 0)) as is_locked
  `
  return row?.isLocked ?? false
}

export async function findHead(sql: Sql, platformId: string): Promise<ChainHead | null> {
  const [row] = await sql<ChainHead[]>`
    select sequence, digest
    from audit_seals
    where platform_id = ${platformId}
    order by sequence desc
    limit 1
  `
  return row ?? null
}

const columns = (sql: Sql) => sql`
  e.platform_id, e.id, e.action, e.actor, e.actor_id, e.user_id, e.subject, e.address, e.user_agent, e.login_id,
  to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at
`

/** Lists committed entries to seal. Entries of uncommitted transactions appear in later lists. */
export async function listEntriesToSeal(sql: Sql, platformId: string, limit: number): Promise<ChainedEntry[]> {
  return sql<ChainedEntry[]>`
    select ${columns(sql)}
    from audit_unsealed u
    join audit_entries e on e.platform_id = u.platform_id and e.id = u.entry_id
    where u.platform_id = ${platformId}
    order by u.entry_id
    limit ${limit}
  `
}

/** Appends seals to a chain and marks their entries as sealed. */
export async function insertSeals(
  sql: Sql,
  platformId: string,
  { after, keyId, seals }: { after: number; keyId: string; seals: { entryId: string; digest: Buffer }[] },
): Promise<void> {
  const entryIds = seals.map(({ entryId }) => entryId)
  const digests = seals.map(({ digest }) => digest.toString('hex'))
  await sql`
    with sealed as (
      delete from audit_unsealed
      where platform_id = ${platformId} and entry_id = any (${entryIds}::uuid[])
    )
    insert into audit_seals (platform_id, sequence, entry_id, key_id, digest)
    select ${platformId}::uuid, ${after}::bigint + s.place, s.entry_id, ${keyId}, decode(s.digest, 'hex')
    from unnest(${entryIds}::uuid[], ${digests}::text[]) with ordinality as s (entry_id, digest, place)
  `
}

/** Makes the transaction read-only, with one snapshot for all statements and without a time limit. */
export async function readSnapshot(sql: Sql): Promise<void> {
  await sql`set transaction isolation level repeatable read, read only`
  await withoutTimeLimit(sql)
}

/** Finds the next platform, ordered by id, that has entries, seals or unsealed entries. Returns null after the last one. */
export async function findNextPlatform(sql: Sql, after: string): Promise<string | null> {
  const [row] = await sql<{ platformId: string }[]>`
    ${allPlatforms('serves the operator')}
    select platform_id
    from (
      (select platform_id from audit_entries where platform_id > ${after} order by platform_id limit 1)
      union all
      (select platform_id from audit_seals where platform_id > ${after} order by platform_id limit 1)
      union all
      (select platform_id from audit_unsealed where platform_id > ${after} order by platform_id limit 1)
    ) next
    order by platform_id
    limit 1
  `
  return row?.platformId ?? null
}

/** A seal with its entry. `entry` is null if the entry was deleted. */
export type SealRow = ChainHead & { entryId: string; keyId: string; entry: ChainedEntry | null }

/** Lists the seals of a platform after a sequence number, in order. */
export async function listSeals(
  sql: Sql,
  platformId: string,
  { after, limit }: { after: number; limit: number },
): Promise<SealRow[]> {
  const rows = await sql<(ChainHead & { entryId: string; keyId: string } & ChainedEntry)[]>`
    select s.sequence, s.entry_id, s.key_id, s.digest, ${columns(sql)}
    from audit_seals s
    left join audit_entries e on e.platform_id = s.platform_id and e.id = s.entry_id
    where s.platform_id = ${platformId} and s.sequence > ${after}
    order by s.sequence
    limit ${limit}
  `
  return rows.map(({ sequence, entryId, keyId, digest, ...entry }) => ({
    sequence,
    entryId,
    keyId,
    digest,
    entry: entry.id === null ? null : entry,
  }))
}

/** A closing: an HMAC over a chain from its first link to the link `sequence`. */
export type ClosingRow = ChainHead & { keyId: string }

/** Finds the closing that covers most of a chain and was made with one of these keys, or null. */
export async function findClosing(sql: Sql, platformId: string, keyIds: readonly string[]): Promise<ClosingRow | null> {
  const [row] = await sql<ClosingRow[]>`
    select sequence, digest, key_id
    from audit_closings
    where platform_id = ${platformId} and key_id = any (${keyIds as string[]}::text[])
    order by sequence desc
    limit 1
  `
  return row ?? null
}

/** Stores a closing. @returns false if it is already stored */
export async function insertClosing(
  sql: Sql,
  platformId: string,
  { sequence, digest, keyId, createdAt }: ClosingRow & { createdAt: Date },
): Promise<boolean> {
  const result = await sql`
    insert into audit_closings (platform_id, sequence, key_id, digest, created_at)
    values (${platformId}, ${sequence}, ${keyId}, ${digest}, ${createdAt})
    on conflict do nothing
  `
  return result.count === 1
}

/** Lists the platforms whose chain has links or closings with another key that no closing with this key covers. */
export async function listPlatformsToClose(sql: Sql, keyId: string): Promise<string[]> {
  const rows = await sql<{ platformId: string }[]>`
    ${allPlatforms('serves the operator')}
    select distinct s.platform_id
    from audit_seals s
    where s.key_id <> ${keyId} and not exists (
      select 1
      from audit_closings c
      where c.platform_id = s.platform_id and c.key_id = ${keyId} and c.sequence >= s.sequence
    )
    order by s.platform_id
  `
  return rows.map(({ platformId }) => platformId)
}

export type UnsealedEntry = {
  entryId: string
  /** The action of the entry, or null if the entry was deleted. */
  action: string | null
  /** Whether the entry is queued for sealing. */
  isWaiting: boolean
}

/** Lists the entries without a seal, and the queue rows without an entry. */
export async function listUnsealed(sql: Sql, platformId: string): Promise<UnsealedEntry[]> {
  return sql<UnsealedEntry[]>`
    select coalesce(e.id, u.entry_id) as entry_id, e.action, u.entry_id is not null as is_waiting
    from (select id, action from audit_entries where platform_id = ${platformId}) e
    full join (select entry_id from audit_unsealed where platform_id = ${platformId}) u on u.entry_id = e.id
    where not exists (
      select 1
      from audit_seals s
      where s.platform_id = ${platformId} and s.entry_id = e.id
    )
    order by entry_id
  `
}
