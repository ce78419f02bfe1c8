import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import type { LegKey } from '../../rail/leg-store.ts'

/** An entry that the bank has and whose leg is still unknown. */
export type RecoveredEntry = {
  fileId: string
  traceNumber: string
  direction: 'debit' | 'credit'
  cents: number
  /** Of its batch. */
  description: string
  receiverId: string
  accountDigest: Buffer
  /** The creation date of its file, as midnight in UTC. */
  fileDay: Date
  recoveredAt: Date
  /** Whether the operator has closed the case about it. */
  isDecided: boolean
}

/** Returns the number of entries up to the end of the last known file before a place. */
export async function countBefore(sql: Sql, sentBefore: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (sent_before + entry_count)::bigint as count
    from ach_files
    where sent_before < ${sentBefore}
    order by sent_before desc
    limit 1
  `
  return row?.count ?? 0
}

/** Lets the numbers that are reserved for a file without content begin after a file that turns out to have some of them. */
export async function freeReserved(sql: Sql, { from, to }: { from: number; to: number }): Promise<void> {
  await sql`
    update ach_files f
    set sent_before = ${to}, entry_count = f.sent_before + f.entry_count - ${to}
    from exchanges x
    where x.id = f.id and ${isReserved(sql)} and f.sent_before <= ${from} and f.sent_before + f.entry_count > ${to}
  `
}

/** Returns the condition for files whose names and trace numbers are reserved, and whose content is unknown. */
const isReserved = (sql: Sql) => sql`x.direction = 'out' and x.kind = 'ach' and x.byte_count = 0`

/** A file whose content is unknown. `entryCount`: the number of trace numbers that are reserved for it. */
export type ReservedFile = {
  id: string
  name: string
  connectionId: string
  status: string
  sentBefore: number
  entryCount: number
}

/** Lists the files whose content is unknown, of one connection or of all. */
export const listReservedFiles = (sql: Sql, connectionId: string | null): Promise<ReservedFile[]> =>
  sql<ReservedFile[]>`
    select f.id, x.name, x.connection_id, x.status, f.sent_before, f.entry_count
    from exchanges x
    join ach_files f on f.id = x.id
    where ${isReserved(sql)} and (x.connection_id = ${connectionId} or ${connectionId}::text is null)
    order by f.sent_before
  `

/** An entry that the operator named while the content of its file was unknown, and its leg. */
export type NamedEntry = Pick<
  RecoveredEntry,
  'traceNumber' | 'direction' | 'cents' | 'description' | 'receiverId' | 'accountDigest'
> & { platformId: string | null; legId: string | null }

/** Moves the named entries with these trace numbers to the file that has them. @returns all named entries of this file */
export async function takeNamedEntries(
  sql: Sql,
  fileId: string,
  traceNumbers: readonly string[],
): Promise<NamedEntry[]> {
  for (const table of [sql`ach_entries`, sql`ach_recovered_entries`])
    await sql`
      update ${table} e
      set file_id = ${fileId}
      from exchanges x
      where x.id = e.file_id and ${isReserved(sql)} and e.trace_number = any (${traceNumbers as string[]})
    `
  return sql<NamedEntry[]>`
    select r.trace_number, r.direction, r.cents, r.description, r.receiver_id, r.account_digest, e.platform_id, e.leg_id
    from ach_recovered_entries r
    join ach_entries e on e.file_id = r.file_id and e.trace_number = r.trace_number
    where r.file_id = ${fileId}
    order by r.trace_number
  `
}

/** Records a named entry as the content of its file shows it. `isSame`: whether it is the one of the leg to which it was assigned. */
export async function updateNamedEntry(
  sql: Sql,
  fileId: string,
  given: Parameters<typeof insertRecoveredEntries>[2][number] & { rdfi: string; isSame: boolean },
): Promise<void> {
  const { traceNumber, direction, amountCents, entryDescription, receiverId, accountDigest, rdfi, isSame } = given
  await sql`
    update ach_entries
    set rdfi = ${rdfi}, account_digest = ${accountDigest}, platform_id = case when ${isSame} then platform_id end,
      leg_id = case when ${isSame} then leg_id end
    where file_id = ${fileId} and trace_number = ${traceNumber}
  `
  await sql`
    update ach_recovered_entries
    set direction = ${direction}, cents = ${amountCents}, description = ${entryDescription}, receiver_id = ${receiverId},
      account_digest = ${accountDigest}, matched_at = case when ${isSame} then matched_at end
    where file_id = ${fileId} and trace_number = ${traceNumber}
  `
}

/** Returns whether a recovered entry without a payment has moved no money. */
export const isRecoveredRejected = (sql: Sql, traceNumber: string): Promise<boolean> =>
  sql`
    select
    from ach_recovered_entries e
    join ach_entries n on n.file_id = e.file_id and n.trace_number = e.trace_number
    join exchanges x on x.id = e.file_id
    where e.trace_number = ${traceNumber} and e.matched_at is null and ${isRejected(sql)}
  `.anyRow()

/** Returns whether an entry of a file has a trace number. */
export const hasEntry = (
  sql: Sql,
  { fileId, traceNumber }: Pick<RecoveredEntry, 'fileId' | 'traceNumber'>,
): Promise<boolean> =>
  sql`
    select
    from ach_entries
    where file_id = ${fileId} and trace_number = ${traceNumber}
  `.anyRow()

/** Records the place and the sums of a file whose content is no longer unknown. Keeps the numbers after its entries, so that none is used again. */
export async function updateReserved(
  sql: Sql,
  id: string,
  { sentBefore, debitCents, creditCents }: { sentBefore: number; debitCents: number; creditCents: number },
): Promise<void> {
  await sql`
    update ach_files
    set sent_before = ${sentBefore}, entry_count = sent_before + entry_count - ${sentBefore}, debit_cents = ${debitCents},
      credit_cents = ${creditCents}
    where id = ${id}
  `
}

export async function insertRecoveredEntries(
  sql: Sql,
  fileId: string,
  entries: readonly {
    traceNumber: string
    direction: string
    amountCents: number
    entryDescription: string
    receiverId: string
    accountDigest: Buffer
  }[],
): Promise<void> {
  await sql`
    insert into ach_recovered_entries (file_id, trace_number, direction, cents, description, receiver_id, account_digest)
    select ${fileId}, e.trace_number, e.direction, e.cents::bigint, e.description, e.receiver_id, decode(e.account_digest, 'hex')
    from unnest(
      ${entries.map(({ traceNumber }) => traceNumber)}::text[],
      ${entries.map(({ direction }) => direction)}::text[],
      ${entries.map(({ amountCents }) => String(amountCents))}::text[],
      ${entries.map(({ entryDescription }) => entryDescription)}::text[],
      ${entries.map(({ receiverId }) => receiverId)}::text[],
      ${entries.map(({ accountDigest }) => accountDigest.toString('hex'))}::text[]
    ) as e (trace_number, direction, cents, description, receiver_id, account_digest)
  `
}

/** Returns the condition for entries that the bank has rejected, or whose file was rejected or canceled: they have moved no money. */
const isRejected = (sql: Sql) => sql`(n.is_rejected or x.status in ('REJECTED', 'CANCELED'))`

/** Lists the entries that are not assigned to a payment. Leaves out those that have moved no money. */
export const listRecoveredEntries = (sql: Sql): Promise<RecoveredEntry[]> =>
  sql<RecoveredEntry[]>`
    select e.file_id, e.trace_number, e.direction, e.cents, e.description, e.receiver_id, e.account_digest,
      f.creation_date::timestamp at time zone 'UTC' as file_day, x.created_at as recovered_at,
      exists (
        select
        from bank_cases b
        where b.inbound_file_id = e.file_id and b.kind = 'payment_missing' and b.event = e.trace_number and b.closed_by is not null
      ) as is_decided
    from ach_recovered_entries e
    join ach_entries n on n.file_id = e.file_id and n.trace_number = e.trace_number
    join ach_files f on f.id = e.file_id
    join exchanges x on x.id = e.file_id
    where e.matched_at is null and not ${isRejected(sql)}
    order by f.sent_before, e.trace_number
  `

/** Lists the digests of the numbers to which entries for these accounts were sent, if a recovered entry has the number. By account. */
export async function listFormerDigests(
  sql: Sql,
  accountIds: readonly string[],
): Promise<{ accountId: string; accountDigest: Buffer }[]> {
  if (accountIds.length === 0) return []
  return sql<{ accountId: string; accountDigest: Buffer }[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select distinct l.account_id, e.account_digest
    from ach_entries e
    join legs l on l.platform_id = e.platform_id and l.id = e.leg_id
    where l.account_id = any (${accountIds as string[]}::uuid[]) and e.account_digest in (
      select account_digest
      from ach_recovered_entries
      where matched_at is null
    )
  `
}

/** Lists the digests of accounts that the bank has corrected by a notification of change about an entry that still has no payment. */
export async function listCorrectedDigests(sql: Sql): Promise<Buffer[]> {
  const rows = await sql<{ accountDigest: Buffer }[]>`
    select distinct e.account_digest
    from ach_recovered_entries e
    join ach_files f on f.id = e.file_id
    join ach_set_aside s on s.trace_number = e.trace_number
    join bank_cases b on b.inbound_file_id = s.inbound_file_id and b.line = s.line
    where e.matched_at is null and b.kind = 'correction_unread' and b.source = 'ach' and b.leg_id is null
      and b.created_at >= f.creation_date::timestamp at time zone 'UTC'
  `
  return rows.map(({ accountDigest }) => accountDigest)
}

/** Returns whether the bank has entries from before a restore that still have no payment. */
export const hasEntriesOfRestore = (sql: Sql): Promise<boolean> =>
  sql`
    select
    from ach_recovered_entries
    where matched_at is null
    limit 1
  `.anyRow()

/** Lists the waiting legs that have the direction and the amount of a recovered entry without a leg. */
export const listLegsOfRecovered = (sql: Sql): Promise<LegKey[]> =>
  sql<LegKey[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select platform_id, id
    from legs
    where rail = 'ACH' and file_at is not null and (direction, cents) in (
      select direction, cents
      from ach_recovered_entries
      where matched_at is null
    )
    order by platform_id, subject_id, id
  `

export async function markRecoveredMatched(
  sql: Sql,
  { fileId, traceNumber }: Pick<RecoveredEntry, 'fileId' | 'traceNumber'>,
  matchedAt: Date,
): Promise<void> {
  await sql`
    update ach_recovered_entries
    set matched_at = ${matchedAt}
    where file_id = ${fileId} and trace_number = ${traceNumber}
  `
}

/** Assigns a recovered entry to a leg. */
export async function attachEntry(
  sql: Sql,
  { fileId, traceNumber }: Pick<RecoveredEntry, 'fileId' | 'traceNumber'>,
  { platformId, id }: LegKey,
): Promise<void> {
  await sql`
    update ach_entries
    set platform_id = ${platformId}, leg_id = ${id}
    where file_id = ${fileId} and trace_number = ${traceNumber}
  `
}

/** Returns the file of a recovered entry that still waits for its payment. `cents`: null for any amount. */
export async function findFileOfUnassigned(
  sql: Sql,
  { traceNumber, direction, cents }: { traceNumber: string; direction: string; cents: number | null },
): Promise<string | null> {
  const rows = await sql<{ fileId: string }[]>`
    select file_id
    from ach_recovered_entries
    where trace_number = ${traceNumber} and direction = ${direction} and (cents = ${cents}::bigint or ${cents}::bigint is null)
      and matched_at is null
  `
  return rows.length === 1 ? (rows[0]?.fileId ?? null) : null
}

/** Returns the ids of open cases about entries of the bank that arrived after a restore, and whose original entry now has its payment. */
export async function listCasesOfRestore(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select b.id
    from bank_cases b
    join ach_set_aside s on s.inbound_file_id = b.inbound_file_id and s.line = b.line
    join ach_recovered_entries r on r.trace_number = s.trace_number and r.matched_at is not null
    where b.kind in ('entry_unread', 'correction_unread') and b.source = 'ach' and b.leg_id is null and b.closed_at is null
    order by b.id
  `
  return rows.map(({ id }) => id)
}

/** Returns the ids of cases about a recovered entry that an operator closed before the payment of the entry was known. */
export async function listClosedCasesOfRestore(
  sql: Sql,
  { traceNumber, fileDay }: Pick<RecoveredEntry, 'traceNumber' | 'fileDay'>,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select b.id
    from bank_cases b
    join ach_set_aside s on s.inbound_file_id = b.inbound_file_id and s.line = b.line
    where s.trace_number = ${traceNumber} and b.created_at >= ${fileDay} and b.closed_at is not null
      and b.kind in ('entry_unread', 'correction_unread') and b.source = 'ach' and b.leg_id is null
    order by b.id
  `
  return rows.map(({ id }) => id)
}

/** Locks an entry, and returns whether it is still not assigned. */
export const isStillUnassigned = (
  sql: Sql,
  { fileId, traceNumber }: Pick<RecoveredEntry, 'fileId' | 'traceNumber'>,
): Promise<boolean> =>
  sql`
    select
    from ach_recovered_entries
    where file_id = ${fileId} and trace_number = ${traceNumber} and matched_at is null
    for update
  `.anyRow()

export type MissingPayment = Pick<RecoveredEntry, 'fileId' | 'traceNumber' | 'direction' | 'cents' | 'description'> & {
  connectionId: string
  fileName: string
  recoveredAt: Date
}

/**
 * Lists entries that the bank has and did not reject or return, that are not assigned since a time, and that have no case about it.
 */
export const listMissingPayments = (sql: Sql, recoveredBefore: Date): Promise<MissingPayment[]> =>
  sql<MissingPayment[]>`
    select e.file_id, e.trace_number, e.direction, e.cents, e.description, x.connection_id, x.name as file_name,
      x.created_at as recovered_at
    from ach_recovered_entries e
    join exchanges x on x.id = e.file_id
    join ach_entries n on n.file_id = e.file_id and n.trace_number = e.trace_number
    join ach_files f on f.id = e.file_id
    where e.matched_at is null and x.created_at < ${recoveredBefore} and x.status in ('TRANSMITTED', 'ACCEPTED')
      and n.recalled_at is null and not n.is_rejected and not exists (
        select
        from bank_cases b
        where b.inbound_file_id = e.file_id and b.kind = 'payment_missing' and b.event = e.trace_number
      ) and not exists (
        select
        from ach_set_aside s
        join bank_cases b on b.inbound_file_id = s.inbound_file_id and b.line = s.line
        where s.trace_number = e.trace_number and b.kind = 'entry_unread' and b.source = 'ach' and b.leg_id is null
          and b.created_at >= f.creation_date::timestamp at time zone 'UTC'
      )
    order by e.trace_number
  `
