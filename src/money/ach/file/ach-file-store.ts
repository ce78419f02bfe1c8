import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import { shareInGroup } from '../../../foundation/db/statement-group.ts'

/**
 * Locks the making and reading of ACH files until the end of the transaction.
 *
 * @returns false if another worker holds the lock
 */
export async function tryLockAchFiles(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('ach files', 0)) as is_locked
  `
  return row?.isLocked ?? false
}

/** Counts the entries in all files, and lists the modifiers that are used on a day. */
export async function readCounts(
  sql: Sql,
  { creationDate }: { creationDate: string },
): Promise<{ sentBefore: number; modifiers: string }> {
  const [row] = await sql<{ sentBefore: number; modifiers: string }[]>`
    select
      coalesce(
        (select sent_before + entry_count from ach_files order by sent_before desc limit 1), 0
      )::bigint as sent_before,
      coalesce((select string_agg(modifier, '') from ach_files where creation_date = ${creationDate}), '') as modifiers
  `
  return row ?? { sentBefore: 0, modifiers: '' }
}

export type AchFileRow = {
  id: string
  creationDate: string
  modifier: string
  effectiveDate: string
  sentBefore: number
  entryCount: number
  companyId: string
  debitCents: number
  creditCents: number
  /** The part of these sums that balances batches. Not known for files of the time before a restore. */
  balancingDebitCents?: number
  balancingCreditCents?: number
}

export async function insertAchFile(sql: Sql, file: AchFileRow): Promise<void> {
  await sql`
    insert into ach_files ${sql.values(file)}
  `
}

/**
 * Sums the debits and the credits of a connection's files of a day that were not rejected or canceled, without the entries that balance
 * batches.
 */
export async function sumOfDay(
  sql: Sql,
  { connectionId, creationDate }: { connectionId: string; creationDate: string },
): Promise<{ debitCents: number; creditCents: number }> {
  const [row] = await sql<{ debitCents: number; creditCents: number }[]>`
    select
      coalesce(sum(f.debit_cents - f.balancing_debit_cents), 0)::bigint as debit_cents,
      coalesce(sum(f.credit_cents - f.balancing_credit_cents), 0)::bigint as credit_cents
    from ach_files f
    join exchanges x on x.id = f.id
    where f.creation_date = ${creationDate} and x.connection_id = ${connectionId} and x.status not in ('REJECTED', 'CANCELED')
  `
  return row ?? { debitCents: 0, creditCents: 0 }
}

/** An entry of a file. `leg` is null for an entry that balances its batch. */
export type AchEntryRow = {
  traceNumber: string
  leg: { platformId: string; id: string } | null
  /** The first eight digits of the receiving bank's routing number. */
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

/** An entry that was sent for a leg. */
export type SentEntry = {
  platformId: string
  legId: string
  fileId: string
  /** The connection over which the entry was sent. */
  connectionId: string
  /** Whether the entry, its batch or its file was rejected or canceled. */
  isRecalled: boolean
  companyId: string
  rdfi: string
  accountDigest: Buffer
}

/** Finds the latest entries with these trace numbers, by trace number. Leaves out entries that balance a batch. */
export async function listSentEntries(sql: Sql, traceNumbers: readonly string[]): Promise<Map<string, SentEntry>> {
  const rows = await sql<(Omit<SentEntry, 'legId'> & { legId: string | null; traceNumber: string })[]>`
    select distinct on (e.trace_number)
      e.trace_number, e.platform_id, e.leg_id, e.file_id, x.connection_id, e.recalled_at is not null as is_recalled, f.company_id, e.rdfi,
      e.account_digest
    from ach_entries e
    join ach_files f on f.id = e.file_id
    join exchanges x on x.id = e.file_id
    where e.trace_number = any (${traceNumbers as string[]})
    order by e.trace_number, f.sent_before desc
  `
  return new Map(rows.flatMap(({ legId, traceNumber, ...row }) => (legId ? [[traceNumber, { ...row, legId }]] : [])))
}

/** Finds a file by its creation date and modifier, as banks name files. */
export async function findAchFileId(
  sql: Sql,
  { creationDate, modifier }: { creationDate: string; modifier: string },
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from ach_files
    where creation_date = ${creationDate} and modifier = ${modifier}
  `
  return row?.id ?? null
}

type LegKey = { platformId: string; id: string }

/**
 * Returns whether the bank has accepted the files of all these legs, has rejected none of their entries, and no exception about the files
 * waits for the operator. A leg follows the rejection of its entry in a later pass.
 */
export const areLegsInAcceptedFiles = shareInGroup(
  async (sql, platformId, asked: { platformId: string; legIds: string[] }[]): Promise<boolean[]> => {
    const rows = await sql<{ id: string }[]>`
      select l.id
      from unnest(${asked.flatMap(({ legIds }) => legIds)}::uuid[]) as l (id)
      left join ach_entries e on e.platform_id = ${platformId} and e.leg_id = l.id and e.recalled_at is null
      left join exchanges f on f.id = e.file_id
      where not coalesce(f.status = 'ACCEPTED' and f.attention is null and not e.is_rejected, false)
    `
    const notAccepted = new Set(rows.map(({ id }) => id))
    return asked.map(({ legIds }) => !legIds.some((id) => notAccepted.has(id)))
  },
)

/** The entry of a leg that was sent to the bank or will be sent. `effectiveDate`: the requested settlement date (YYYY-MM-DD). */
export type LegEntry = { legId: string; traceNumber: string; effectiveDate: string }

/** Lists the entries of legs of one platform. Leaves out recalled and rejected entries. */
export const listEntriesOfLegs = (
  sql: Sql,
  { platformId, legIds }: { platformId: string; legIds: readonly string[] },
): Promise<LegEntry[]> =>
  sql<LegEntry[]>`
    select e.leg_id, e.trace_number, f.effective_date::text as effective_date
    from ach_entries e
    join ach_files f on f.id = e.file_id
    where e.platform_id = ${platformId} and e.leg_id = any (${legIds as string[]}::uuid[]) and e.recalled_at is null
      and not e.is_rejected
    order by f.effective_date, e.trace_number
  `

export type FollowingEntry = LegKey & { traceNumber: string; isRejected: boolean }

/** Lists entries of one platform whose legs must be updated after the file, by trace number. */
export const listFollowingEntries = (
  sql: Sql,
  { fileId, platformId, after, limit }: { fileId: string; platformId: string; after: string; limit: number },
): Promise<FollowingEntry[]> =>
  sql<FollowingEntry[]>`
    select platform_id, leg_id as id, trace_number, is_rejected
    from ach_entries
    where file_id = ${fileId} and platform_id = ${platformId} and recalled_at is null and trace_number > ${after}
    order by trace_number
    limit ${limit}
  `

export async function markEntryRecalled(
  sql: Sql,
  { fileId, traceNumber }: { fileId: string; traceNumber: string },
  recalledAt: Date,
): Promise<void> {
  await sql`
    update ach_entries
    set recalled_at = ${recalledAt}
    where file_id = ${fileId} and trace_number = ${traceNumber}
  `
}

/** Marks entries that the bank rejected in a file that it accepted. @returns the number of these entries in the file */
export async function markEntriesRejected(sql: Sql, fileId: string, traceNumbers: readonly string[]): Promise<number> {
  const result = await sql`
    update ach_entries
    set is_rejected = true
    where file_id = ${fileId} and trace_number = any (${traceNumbers as string[]}) and not is_rejected
  `
  return result.count
}

/** Returns whether an entry that the bank rejected in an accepted file is not undone yet. */
export const hasRejectedEntry = (sql: Sql, fileId: string, traceNumbers: readonly string[]): Promise<boolean> =>
  sql`
    select from ach_entries
    where file_id = ${fileId} and trace_number = any (${traceNumbers as string[]}) and is_rejected and recalled_at is null
    limit 1
  `.anyRow()

/**
 * Finds a line of a bank statement that books an open entry of a file. Entries whose return a line books are left out.
 *
 * @param given.traceNumbers the trace numbers of the entries, or null for all entries
 */
export const findLineOfEntries = (
  sql: Sql,
  { fileId, traceNumbers }: { fileId: string; traceNumbers: readonly string[] | null },
): Promise<{ lineId: string } | null> =>
  sql<{ lineId: string }[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select l.booked_line_id as line_id
    from ach_entries e
    join legs l on l.platform_id = e.platform_id and l.id = e.leg_id
    where e.file_id = ${fileId} and e.recalled_at is null and l.status in ('SENT', 'ACCEPTED')
      and l.booked_line_id is not null and l.return_line_id is null
      ${traceNumbers === null ? sql`` : sql`and e.trace_number = any (${traceNumbers as string[]})`}
    limit 1
  `.first()

/** Finds a line of a bank statement that names a file and waits for the operator's decision. */
export const findWaitingLine = (sql: Sql, fileId: string): Promise<{ lineId: string } | null> =>
  sql<{ lineId: string }[]>`
    select l.id as line_id
    from exchanges x
    join statement_lines l on l.file_name = x.name and l.status = 'SUSPENSE' and not l.is_return
    join bank_statements s on s.id = l.statement_id and s.connection_id = x.connection_id
    where x.id = ${fileId}
    order by l.id
    limit 1
  `.first()

export const countLegsOfFile = (sql: Sql, fileId: string): Promise<{ status: string; count: number }[]> =>
  sql<{ status: string; count: number }[]>`
    ${allPlatforms('serves the operator')}
    select case when e.recalled_at is null then l.status else 'RECALLED' end as status, count(*) as count
    from ach_entries e
    join legs l on l.platform_id = e.platform_id and l.id = e.leg_id
    where e.file_id = ${fileId}
    group by 1
    order by 1
  `
