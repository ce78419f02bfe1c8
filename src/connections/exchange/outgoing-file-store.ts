import type { Sql } from '../../foundation/db/connect.ts'
import type { OutgoingFileKind, OutgoingFileStatus } from './outgoing-file-status.ts'

/**
 * The proof that the bank has a file. `moved`: the transfer job moved it to outbound/sent/. `bytes` and `size`: it was found on the server,
 * and its bytes or only its size were compared. `taken`: the server took it away at once. `told`: an answer of the bank or the operator
 * confirmed it.
 */
export type FileProof = 'moved' | 'bytes' | 'size' | 'taken' | 'told'

export type OutgoingFileRow = {
  id: string
  /** The id of the connection over which the file is sent. */
  connectionId: string
  /** The number of the file, consecutive over all files of the connection. */
  number: number
  kind: OutgoingFileKind
  /** The name that operators use: `20261122-A` or `print-ID`. */
  name: string
  status: OutgoingFileStatus
  effectiveAt: Date | null
  settlesAt: Date | null
  createdAt: Date
  /** The time at which the complete file was written to outbound/. Null: it is committed and not written yet. */
  publishedAt: Date | null
  transmittedAt: Date | null
  /** The proof that the bank has the file, or null. */
  proof: FileProof | null
  /** The time at which the file was written again because the bank did not seem to have it, or null. */
  resentAt: Date | null
  endedAt: Date | null
  transmissionLateAt: Date | null
  acknowledgementLateAt: Date | null
  attention: string | null
}

/**
 * One physical file of a bank file. `contentSealed` is null after the bytes were deleted. `wireSealed`: the bytes that were sent, if they
 * differ from the content.
 */
export type OutgoingFilePart = {
  position: number
  name: string
  contentSealed: Buffer | null
  wireSealed: Buffer | null
  publishedAt: Date | null
  transmittedAt: Date | null
}

const columns = (sql: Sql) => sql`
  id, connection_id, number, kind, name, status, effective_at, settles_at, created_at, published_at, transmitted_at, proof,
  resent_at, ended_at, transmission_late_at, acknowledgement_late_at, attention
`

/**
 * Inserts a file with the next number. It is not written to the folder yet. The caller must hold the lock on numbers.
 *
 * @param file.digest SHA-256 of all parts in order
 */
export async function insertOutgoingFile(
  sql: Sql,
  file: Pick<OutgoingFileRow, 'id' | 'connectionId' | 'kind' | 'name' | 'effectiveAt' | 'createdAt'> & {
    digest: Buffer
    byteCount: number
  },
  { parts, platformIds }: { parts: readonly { name: string; contentSealed: Buffer }[]; platformIds: readonly string[] },
): Promise<void> {
  await sql`
    insert into exchanges (id, connection_id, direction, number, kind, name, status, digest, byte_count, effective_at, created_at)
    select
      ${file.id}, ${file.connectionId}, 'out', coalesce(max(number), 0) + 1, ${file.kind}, ${file.name}, 'WRITTEN',
      ${file.digest}, ${file.byteCount}, ${file.effectiveAt}, ${file.createdAt}
    from exchanges
    where connection_id = ${file.connectionId} and direction = 'out'
  `
  await insertParts(sql, file.id, parts)
  await sql`
    insert into exchange_platforms (file_id, platform_id)
    select ${file.id}, platform_id
    from unnest(${platformIds as string[]}::uuid[]) as p (platform_id)
  `
}

async function insertParts(
  sql: Sql,
  fileId: string,
  parts: readonly { name: string; contentSealed: Buffer }[],
): Promise<void> {
  for (const [index, { name, contentSealed }] of parts.entries()) {
    await sql`
      insert into exchange_parts (file_id, position, name, content_sealed)
      values (${fileId}, ${index + 1}, ${name}, ${contentSealed})
    `
  }
}

/** Adds the parts of a file of which only the name was known. */
export async function updateContent(
  sql: Sql,
  id: string,
  given: { sealed: readonly { name: string; contentSealed: Buffer }[]; digest: Buffer; byteCount: number },
): Promise<void> {
  const { sealed, digest, byteCount } = given
  await insertParts(sql, id, sealed)
  await sql`
    update exchanges
    set digest = ${digest}, byte_count = ${byteCount}
    where id = ${id}
  `
}

/** Adds a platform to a file that a restore had lost. `isDue`: its payments follow the status of the file at once. */
export async function insertPlatformOfFile(
  sql: Sql,
  { fileId, platformId, isDue }: { fileId: string; platformId: string; isDue: boolean },
): Promise<void> {
  await sql`
    insert into exchange_platforms as p (file_id, platform_id, is_due)
    values (${fileId}, ${platformId}, ${isDue})
    on conflict (file_id, platform_id) do update
    set is_due = p.is_due or excluded.is_due, due_count = p.due_count + 1
  `
}

/** Locks the numbers of files until the end of the transaction, so that no other process commits a file. */
export async function lockOutgoingFileNumbers(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('bank file numbers', 0))`
}

/** Selects open files of a connection. */
export type OpenFiles = { connectionId: string; status: 'WRITTEN' | 'TRANSMITTED'; isPublished?: boolean }

/** Lists open files of a connection in a status, oldest first. */
export const listOpenOutgoingFiles = (
  sql: Sql,
  { connectionId, status, isPublished }: OpenFiles,
): Promise<OutgoingFileRow[]> =>
  sql<OutgoingFileRow[]>`
    select ${columns(sql)}
    from exchanges
    where connection_id = ${connectionId} and status = ${status}
      ${isPublished === undefined ? sql`` : sql`and (published_at is not null) = ${isPublished}`}
    order by number
  `

/** Lists files, newest first: all of them, or only those that are open or need attention. `limit`: null for no limit. */
export const listOutgoingFiles = (
  sql: Sql,
  { isOpenOnly, limit, connectionId }: { isOpenOnly: boolean; limit: number | null; connectionId?: string },
): Promise<OutgoingFileRow[]> =>
  sql<OutgoingFileRow[]>`
    select ${columns(sql)}
    from exchanges
    where direction = 'out'
      and (not ${isOpenOnly} or status in ('WRITTEN', 'TRANSMITTED') or attention is not null)
      ${connectionId === undefined ? sql`` : sql`and connection_id = ${connectionId}`}
    order by created_at desc, number desc
    limit ${limit}
  `

/**
 * Returns the condition for files that are committed and not recorded as written. Files that are sent again, also because the bank did not have
 * them, are not included.
 */
export const isUnpublished = (sql: Sql) =>
  sql`status = 'WRITTEN' and published_at is null and transmitted_at is null and absent_at is null`

/** Lists the files of a connection up to a number that are not recorded as written, oldest first. */
export const listUnpublishedFiles = (
  sql: Sql,
  { connectionId, upTo }: { connectionId: string; upTo: number },
): Promise<{ id: string; name: string; number: number }[]> =>
  sql<{ id: string; name: string; number: number }[]>`
    select id, name, number
    from exchanges
    where connection_id = ${connectionId} and number <= ${upTo} and ${isUnpublished(sql)}
    order by number
  `

/** Records that the bank does not have a file, so that it is sent again. */
export async function updateAbsent(sql: Sql, id: string, absentAt: Date): Promise<void> {
  await sql`
    update exchanges
    set published_at = null, absent_at = ${absentAt}
    where id = ${id}
  `
}

/** Finds a file by name or id, and locks it until the end of the transaction. */
export const lockNamedOutgoingFile = (
  sql: Sql,
  { name, id }: { name: string; id: string | null },
): Promise<OutgoingFileRow | null> =>
  sql<OutgoingFileRow[]>`
    select ${columns(sql)}
    from exchanges
    where direction = 'out' and (name = ${name} or id = ${id})
    for update
  `.first()

/** Locks a file. Waits for other transactions that have locked it. */
export const lockOutgoingFile = (sql: Sql, id: string): Promise<OutgoingFileRow | null> =>
  sql<OutgoingFileRow[]>`
    select ${columns(sql)}
    from exchanges
    where id = ${id} and direction = 'out'
    for update
  `.first()

/** Locks a file, or returns null if another worker has locked it. */
export const tryLockOutgoingFile = (sql: Sql, id: string): Promise<OutgoingFileRow | null> =>
  sql<OutgoingFileRow[]>`
    select ${columns(sql)}
    from exchanges
    where id = ${id}
    for update skip locked
  `.first()

export const listOutgoingFileParts = (sql: Sql, fileId: string): Promise<OutgoingFilePart[]> =>
  sql<OutgoingFilePart[]>`
    select position, name, content_sealed, wire_sealed, published_at, transmitted_at
    from exchange_parts
    where file_id = ${fileId}
    order by position
  `

type OutgoingFileChange = Pick<
  OutgoingFileRow,
  'publishedAt' | 'transmittedAt' | 'proof' | 'resentAt' | 'endedAt' | 'settlesAt'
> & {
  from: readonly OutgoingFileStatus[]
  to: OutgoingFileStatus
}

/** Applies one row of the state table. @returns false if the file's status does not allow the event */
export const updateOutgoingFileStatus = (sql: Sql, id: string, change: OutgoingFileChange): Promise<boolean> =>
  sql`
    update exchanges
    set
      status = ${change.to}, published_at = ${change.publishedAt}, transmitted_at = ${change.transmittedAt},
      proof = ${change.proof}, resent_at = ${change.resentAt}, ended_at = ${change.endedAt}, settles_at = ${change.settlesAt}
    where id = ${id} and status = any (${change.from as OutgoingFileStatus[]})
  `.anyRow()

/** Marks all platforms of a file, because their legs must be updated. */
export async function markPlatformsDue(sql: Sql, fileId: string): Promise<void> {
  await sql`
    update exchange_platforms
    set is_due = true, due_count = due_count + 1
    where file_id = ${fileId}
  `
}

/** A platform whose legs must be updated. `dueCount`: how often it has become due so far. */
export type DuePlatform = { fileId: string; platformId: string; dueCount: number }

/** Lists platforms whose legs must be updated after a change of a file, oldest files first. Leaves out the platforms in `except`. */
export const listDueFilePlatforms = (
  sql: Sql,
  { limit, except }: { limit: number; except: readonly string[] },
): Promise<DuePlatform[]> =>
  sql<DuePlatform[]>`
    select p.file_id, p.platform_id, p.due_count
    from exchange_platforms p
    join exchanges f on f.id = p.file_id
    where p.is_due and p.platform_id <> all (${except as string[]})
    order by f.created_at, f.number, p.platform_id
    limit ${limit}
  `

/**
 * Records that the legs of a platform were updated. Has no effect if the platform has become due again since it was listed, because some
 * legs were then updated before that change.
 */
export async function markPlatformFollowed(sql: Sql, { fileId, platformId, dueCount }: DuePlatform): Promise<void> {
  await sql`
    update exchange_platforms
    set is_due = false
    where file_id = ${fileId} and platform_id = ${platformId} and due_count = ${dueCount}
  `
}

export async function listPlatformsOfFile(sql: Sql, fileId: string): Promise<string[]> {
  const rows = await sql<{ platformId: string }[]>`
    select platform_id
    from exchange_platforms
    where file_id = ${fileId}
    order by platform_id
  `
  return rows.map(({ platformId }) => platformId)
}

export async function updatePublished(sql: Sql, id: string, publishedAt: Date | null): Promise<void> {
  await sql`
    update exchanges
    set published_at = ${publishedAt}
    where id = ${id}
  `
}

/** Records that the bank may have a part from now on. `wireSealed`: the bytes that are sent, if they differ from the content. */
export async function updatePartPublished(
  sql: Sql,
  { fileId, position }: { fileId: string; position: number },
  { at, wireSealed }: { at: Date; wireSealed: Buffer | null },
): Promise<void> {
  await sql`
    update exchange_parts
    set published_at = ${at}, wire_sealed = ${wireSealed}
    where file_id = ${fileId} and position = ${position}
  `
}

/** Records that a part is at the bank. */
export async function updatePartTransmitted(
  sql: Sql,
  { fileId, position }: { fileId: string; position: number },
  at: Date,
): Promise<void> {
  await sql`
    update exchange_parts
    set transmitted_at = ${at}
    where file_id = ${fileId} and position = ${position}
  `
}

/** Marks the parts of a file as not sent, because the operator sends it again. */
export async function clearPartsSent(sql: Sql, fileId: string): Promise<void> {
  await sql`
    update exchange_parts
    set published_at = null, transmitted_at = null
    where file_id = ${fileId}
  `
}

export async function updateAttention(sql: Sql, id: string, attention: string | null): Promise<void> {
  await sql`
    update exchanges
    set attention = ${attention}
    where id = ${id}
  `
}

/** Lists files that missed their window and were not reported yet. */
export const listUntransmittedFiles = (
  sql: Sql,
  { connectionId, createdBefore }: { connectionId: string; createdBefore: Date },
): Promise<OutgoingFileRow[]> =>
  sql<OutgoingFileRow[]>`
    select ${columns(sql)}
    from exchanges
    where connection_id = ${connectionId} and status = 'WRITTEN' and created_at < ${createdBefore} and transmission_late_at is null
    order by number
  `

/** Lists transmitted files whose missing acknowledgment was not reported yet. */
export const listUnacknowledgedFiles = (sql: Sql, connectionId: string): Promise<OutgoingFileRow[]> =>
  sql<OutgoingFileRow[]>`
    select ${columns(sql)}
    from exchanges
    where connection_id = ${connectionId} and status = 'TRANSMITTED' and acknowledgement_late_at is null
    order by number
  `

/** Records that a file was reported as late. @returns false if it was already reported */
export const updateLate = (
  sql: Sql,
  id: string,
  column: 'transmission_late_at' | 'acknowledgement_late_at',
  at: Date,
): Promise<boolean> =>
  sql`
    update exchanges
    set ${sql(column)} = ${at}
    where id = ${id} and ${sql(column)} is null
  `.anyRow()
