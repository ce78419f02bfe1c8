import type { Sql } from '../../foundation/db/connect.ts'
import type { InboundKind } from './bank-file-rules.ts'

/** A file from the bank whose bytes were received. */
export type ReceivedRow = {
  id: string
  connectionId: string
  kind: InboundKind
  name: string
  /** SHA-256 of the bytes. */
  digest: Buffer
  byteCount: number
  /** The reason why the file must not be read although its bytes were received, or null. */
  problem: string | null
  createdAt: Date
  /** The time of its last change, according to the bank's server. */
  modifiedAt: Date | null
  /** The time at which the file was removed from the bank's server, or null. */
  removedAt: Date | null
}

/** Commits a file with its bytes as RECEIVED. @returns its id, or the id of the same file that was received before */
export async function insertReceived(sql: Sql, row: ReceivedRow, contentSealed: Buffer): Promise<string> {
  const [inserted] = await sql<{ id: string }[]>`
    insert into exchanges ${sql.values({ ...row, direction: 'in', status: 'RECEIVED' })}
    on conflict (connection_id, name, digest) where direction = 'in' do update
    set removed_at = coalesce(excluded.removed_at, exchanges.removed_at)
    returning id
  `
  const { id } = inserted as { id: string }
  await sql`
    insert into exchange_parts (file_id, position, name, content_sealed)
    values (${id}, 1, ${row.name}, ${contentSealed})
    on conflict (file_id, position) do nothing
  `
  return id
}

/** Lists files of a kind that were not read yet, by name. */
export const listReceived = (
  sql: Sql,
  given: { connectionId: string; kind: InboundKind; limit: number; before: Date; except: readonly string[] },
): Promise<Pick<ReceivedRow, 'id' | 'name' | 'byteCount' | 'createdAt' | 'problem'>[]> =>
  sql<Pick<ReceivedRow, 'id' | 'name' | 'byteCount' | 'createdAt' | 'problem'>[]>`
    select id, name, byte_count, created_at, problem
    from exchanges
    where connection_id = ${given.connectionId} and kind = ${given.kind} and status = 'RECEIVED'
      and created_at <= ${given.before} and name <> all (${given.except as string[]}::text[])
    order by name, created_at
    limit ${given.limit}
  `

export async function listReceivedNames(sql: Sql, connectionId: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name
    from exchanges
    where connection_id = ${connectionId} and status = 'RECEIVED'
    order by name
  `
  return rows.map(({ name }) => name)
}

/** Identifies a file by its id, or as the first unread file with a name. */
type ReceivedKey = { connectionId: string; name: string; id: string | null }

/** Finds the bytes of an unread file. */
export async function findReceivedContent(sql: Sql, { connectionId, name, id }: ReceivedKey): Promise<Buffer | null> {
  const [row] = await sql<{ contentSealed: Buffer }[]>`
    select p.content_sealed
    from exchanges e
    join exchange_parts p on p.file_id = e.id and p.position = 1
    where e.connection_id = ${connectionId} and e.name = ${name} and e.status = 'RECEIVED'
      and e.id = coalesce(${id}::uuid, e.id)
    order by e.created_at
    limit 1
  `
  return row?.contentSealed ?? null
}

/** Records that a file was read. */
export async function updateReceivedEnded(
  sql: Sql,
  { connectionId, name, id }: ReceivedKey,
  { status, endedAt }: { status: 'READ' | 'SET_ASIDE'; endedAt: Date },
): Promise<void> {
  await sql`
    update exchanges
    set status = ${status}, ended_at = ${endedAt}
    where id = coalesce(
      ${id}::uuid,
      (
        select id
        from exchanges
        where connection_id = ${connectionId} and name = ${name} and status = 'RECEIVED'
        order by created_at
        limit 1
      )
    )
  `
}

/** A received file that is still on the bank's server. */
export type KeptRow = Pick<ReceivedRow, 'id' | 'name' | 'digest' | 'byteCount' | 'modifiedAt'>

/** Lists the files with these names that were received and not removed from the bank's server, latest first. */
export const listKept = (
  sql: Sql,
  { connectionId, names }: { connectionId: string; names: readonly string[] },
): Promise<KeptRow[]> =>
  sql<KeptRow[]>`
    select id, name, digest, byte_count, modified_at
    from exchanges
    where connection_id = ${connectionId} and direction = 'in' and removed_at is null
      and name = any (${names as string[]}::text[])
    order by created_at desc
  `

/** Records that a file was removed from the bank's server. */
export async function updateRemoved(sql: Sql, id: string, removedAt: Date): Promise<void> {
  await sql`
    update exchanges
    set removed_at = ${removedAt}
    where id = ${id}
  `
}

/** Returns the time at which the last file arrived from the bank, and the time since which the connection is used. */
export async function findLastReceived(
  sql: Sql,
  connectionId: string,
): Promise<{ receivedAt: Date | null; usedSince: Date | null }> {
  const [row] = await sql<{ receivedAt: Date | null; usedSince: Date | null }[]>`
    select max(created_at) filter (where direction = 'in') as received_at, min(created_at) as used_since
    from exchanges
    where connection_id = ${connectionId}
  `
  return row ?? { receivedAt: null, usedSince: null }
}
