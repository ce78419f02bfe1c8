import type { Sql } from '../db/connect.ts'

/** Keeps other workers from making and reading files until the end of the transaction. @returns whether none does */
export async function tryLockAchFiles(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('ach files', 0)) as is_locked
  `
  return row?.isLocked ?? false
}

/** How many entries were sent in all files, and how many files are of a day. */
export async function readCounts(
  sql: Sql,
  { creationDate }: { creationDate: string },
): Promise<{ sentBefore: number; filesToday: number }> {
  const [row] = await sql<{ sentBefore: number; filesToday: number }[]>`
    select
      coalesce(
        (select sent_before + entry_count from ach_files order by sent_before desc limit 1), 0
      )::bigint as sent_before,
      (select count(*) from ach_files where creation_date = ${creationDate}) as files_today
  `
  return row ?? { sentBefore: 0, filesToday: 0 }
}

export type AchFileRow = {
  id: string
  name: string
  creationDate: string
  modifier: string
  effectiveDate: string
  sentBefore: number
  entryCount: number
  companyId: string
  contentSealed: Buffer
  createdAt: Date
}

export async function insertAchFile(sql: Sql, file: AchFileRow): Promise<void> {
  await sql`
    insert into ach_files (
      id, name, creation_date, modifier, effective_date, sent_before, entry_count, company_id, content_sealed, created_at
    )
    values (
      ${file.id}, ${file.name}, ${file.creationDate}, ${file.modifier}, ${file.effectiveDate}, ${file.sentBefore},
      ${file.entryCount}, ${file.companyId}, ${file.contentSealed}, ${file.createdAt}
    )
  `
}

/** `leg` is null for an entry that balances its batch. */
export type AchEntryRow = {
  traceNumber: string
  leg: { platformId: string; id: string } | null
  /** The first eight digits of the routing number that it went to. */
  rdfi: string
  accountDigest: Buffer
}

export async function insertAchEntries(sql: Sql, fileId: string, entries: readonly AchEntryRow[]): Promise<void> {
  await sql`
    insert into ach_entries (file_id, trace_number, platform_id, leg_id, rdfi, account_digest)
    select ${fileId}, e.trace_number, e.platform_id, e.leg_id, e.rdfi, decode(e.account_digest, 'hex')
    from unnest(
      ${entries.map(({ traceNumber }) => traceNumber)}::text[],
      ${entries.map(({ leg }) => leg?.platformId ?? null)}::uuid[],
      ${entries.map(({ leg }) => leg?.id ?? null)}::uuid[],
      ${entries.map(({ rdfi }) => rdfi)}::text[],
      ${entries.map(({ accountDigest }) => accountDigest.toString('hex'))}::text[]
    ) as e (trace_number, platform_id, leg_id, rdfi, account_digest)
  `
}

/** The files that were committed and may not be written yet, the oldest first. */
export async function listUnwrittenFiles(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from ach_files
    where written_at is null
    order by sent_before
  `
  return rows.map(({ id }) => id)
}

/** Locks a file that is not written yet, unless another worker has it or it is written meanwhile. */
export async function lockUnwrittenFile(sql: Sql, id: string): Promise<{ name: string; contentSealed: Buffer } | null> {
  const [row] = await sql<{ name: string; contentSealed: Buffer }[]>`
    select name, content_sealed
    from ach_files
    where id = ${id} and written_at is null
    for update skip locked
  `
  return row ?? null
}

export async function markWritten(sql: Sql, id: string, writtenAt: Date): Promise<void> {
  await sql`
    update ach_files
    set written_at = ${writtenAt}
    where id = ${id}
  `
}

/** An entry that was sent for a leg. Null: it was sent before this was kept. */
export type SentEntry = {
  platformId: string
  legId: string
  companyId: string | null
  rdfi: string | null
  accountDigest: Buffer | null
}

/** The last entry with a trace number; null for one that balanced its batch. */
export async function findSentEntry(sql: Sql, traceNumber: string): Promise<SentEntry | null> {
  const [row] = await sql<(Omit<SentEntry, 'legId'> & { legId: string | null })[]>`
    select e.platform_id, e.leg_id, f.company_id, e.rdfi, e.account_digest
    from ach_entries e
    join ach_files f on f.id = e.file_id
    where e.trace_number = ${traceNumber}
    order by f.sent_before desc
    limit 1
  `
  return row?.legId ? { ...row, legId: row.legId } : null
}

/** The file that a bank calls by its day and modifier. */
export async function findAchFile(
  sql: Sql,
  { creationDate, modifier }: { creationDate: string; modifier: string },
): Promise<{ id: string; name: string } | null> {
  const [row] = await sql<{ id: string; name: string }[]>`
    select id, name
    from ach_files
    where creation_date = ${creationDate} and modifier = ${modifier}
  `
  return row ?? null
}
