import type { BankFileKind } from '../bank-file/bank-file-status.ts'
import type { Sql } from '../db/connect.ts'
import type { PostalAddress } from './payment-rules.ts'
import type { PaymentKey } from './payment-store.ts'
import type { KnownCheck, PaidItem } from './print-paid-rules.ts'
import type { StoppedCheck } from './print-rules.ts'

/** Keeps other workers from the same work until the end of the transaction. @returns whether none is at it */
export async function tryLockPrinting(sql: Sql, work: 'print' | 'stop' | 'paid'): Promise<boolean> {
  const [row] = await sql<{ isLocked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${`check files: ${work}`}, 0)) as is_locked
  `
  return row?.isLocked ?? false
}

type LegKey = { platformId: string; legId: string }

export type PaperCheckRow = LegKey & {
  paymentId: string
  accountDigest: Buffer
  accountLast4: string
  cents: number
}

/** The check that a leg has handed out. */
export async function findPaperCheck(
  sql: Sql,
  { platformId, id }: { platformId: string; id: string },
): Promise<{ accountDigest: Buffer; serial: number } | null> {
  const [row] = await sql<{ accountDigest: Buffer; serial: number }[]>`
    select account_digest, serial
    from paper_checks
    where platform_id = ${platformId} and leg_id = ${id}
  `
  return row ?? null
}

/**
 * Numbers a check: the next one of its account, from `firstSerial` on. Others of that account wait until the end of the
 * transaction, so that no number is left out. @returns the number
 */
export async function insertNumberedCheck(
  sql: Sql,
  { firstSerial, ...check }: PaperCheckRow & { firstSerial: number },
): Promise<number> {
  const [row] = await sql<{ serial: number }[]>`
    with next as (
      insert into check_serials as s (account_digest, last_serial)
      values (${check.accountDigest}, ${firstSerial})
      on conflict (account_digest) do update
      set last_serial = greatest(s.last_serial + 1, excluded.last_serial)
      returning last_serial
    )
    insert into paper_checks (platform_id, leg_id, payment_id, account_digest, account_last4, serial, cents)
    select
      ${check.platformId}, ${check.legId}, ${check.paymentId}, ${check.accountDigest}, ${check.accountLast4},
      last_serial, ${check.cents}
    from next
    returning serial
  `
  return (row as { serial: number }).serial
}

/** @returns whether the leg is a check that somebody may have: one that nobody took changes nothing */
export async function markStopped(
  sql: Sql,
  { platformId, id }: { platformId: string; id: string },
  stoppedAt: Date,
): Promise<boolean> {
  const result = await sql`
    update paper_checks
    set stopped_at = coalesce(stopped_at, ${stoppedAt})
    where platform_id = ${platformId} and leg_id = ${id}
  `
  return result.count === 1
}

/** Where a check goes by post, as the printer is told. */
export async function findMailing(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
): Promise<{ name: string; address: PostalAddress; mailType: string } | null> {
  const [row] = await sql<{ name: string; address: PostalAddress; mailType: string }[]>`
    select name, address, mail_type
    from payments
    where platform_id = ${platformId} and id = ${paymentId} and address is not null
  `
  return row ?? null
}

/** In which file for the printer checks are. */
export async function assignPrintFile(sql: Sql, fileId: string, legs: readonly LegKey[]): Promise<void> {
  await sql`
    update paper_checks c
    set print_file_id = ${fileId}
    from unnest(
      ${legs.map(({ platformId }) => platformId)}::uuid[], ${legs.map(({ legId }) => legId)}::uuid[]
    ) as l (platform_id, leg_id)
    where c.platform_id = l.platform_id and c.leg_id = l.leg_id
  `
}

/** The checks that were stopped and are in no file yet, the oldest first; they are in this one then. */
export async function takeStoppedChecks(
  sql: Sql,
  { fileId, limit }: { fileId: string; limit: number },
): Promise<(StoppedCheck & { platformId: string })[]> {
  return sql<(StoppedCheck & { platformId: string })[]>`
    with waiting as (
      select platform_id, leg_id
      from paper_checks
      where stopped_at is not null and stop_file_id is null
      order by stopped_at
      limit ${limit}
      for update
    ),
    taken as (
      update paper_checks c
      set stop_file_id = ${fileId}
      from waiting w
      where c.platform_id = w.platform_id and c.leg_id = w.leg_id
      returning c.platform_id, c.account_last4, c.serial, c.cents, c.stopped_at
    )
    select platform_id, account_last4, serial as number, cents, (stopped_at at time zone 'UTC')::date::text as stopped_on
    from taken
    order by stopped_at, serial
  `
}

/** Whether a check waits to be put into a stop file. */
export async function hasStoppedChecks(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ isThere: boolean }[]>`
    select exists (select 1 from paper_checks where stopped_at is not null and stop_file_id is null) as is_there
  `
  return row?.isThere ?? false
}

/** Kinds of files that list checks, and the column that names the file of a check. */
const fileColumns = { print: 'print_file_id', stop: 'stop_file_id' } as const satisfies Partial<
  Record<BankFileKind, string>
>
export type CheckFileKind = keyof typeof fileColumns

export const isCheckFileKind = (kind: BankFileKind): kind is CheckFileKind => kind in fileColumns

export type CheckInFile = LegKey

/** The checks of one platform in a file. */
export async function listChecksInFile(
  sql: Sql,
  { fileId, kind, platformId }: { fileId: string; kind: CheckFileKind; platformId: string },
): Promise<CheckInFile[]> {
  return sql<CheckInFile[]>`
    select platform_id, leg_id
    from paper_checks
    where ${sql(fileColumns[kind])} = ${fileId} and platform_id = ${platformId}
    order by leg_id
  `
}

/** The file never took effect: another one can list the check. */
export async function releaseCheckFromFile(
  sql: Sql,
  { platformId, legId }: CheckInFile,
  kind: CheckFileKind,
): Promise<void> {
  await sql`
    update paper_checks
    set ${sql(fileColumns[kind])} = null
    where platform_id = ${platformId} and leg_id = ${legId}
  `
}

export type PaidFileRow = {
  id: string
  name: string
  contentHash: Buffer
  isUsed: boolean
  report: string | null
  readAt: Date
}

/** What was read with this content before: under this name, else the one that was used. */
export async function findPaidFile(
  sql: Sql,
  { name, contentHash }: { name: string; contentHash: Buffer },
): Promise<PaidFileRow | null> {
  const [row] = await sql<PaidFileRow[]>`
    select id, name, content_hash, is_used, report, read_at
    from paid_files
    where content_hash = ${contentHash} and (name = ${name} or is_used)
    order by name = ${name} desc
    limit 1
  `
  return row ?? null
}

export async function insertPaidFile(sql: Sql, file: PaidFileRow): Promise<void> {
  await sql`
    insert into paid_files (id, name, content_hash, is_used, report, read_at)
    values (${file.id}, ${file.name}, ${file.contentHash}, ${file.isUsed}, ${file.report}, ${file.readAt})
  `
}

/** Known only when every line was tried. */
export async function updatePaidReport(sql: Sql, id: string, report: string): Promise<void> {
  await sql`
    update paid_files
    set report = ${report}
    where id = ${id}
  `
}

/** The check that was drawn on an account under a number. */
export async function findNumberedCheck(
  sql: Sql,
  { accountDigest, number }: { accountDigest: Buffer; number: number },
): Promise<KnownCheck | null> {
  const [row] = await sql<KnownCheck[]>`
    select
      c.platform_id, c.leg_id, c.payment_id, c.serial as number, c.cents, l.status, c.paid_on::text as paid_on,
      (c.stopped_at at time zone 'UTC')::date::text as stopped_on
    from paper_checks c
    join legs l on l.platform_id = c.platform_id and l.id = c.leg_id
    where c.account_digest = ${accountDigest} and c.serial = ${number}
  `
  return row ?? null
}

export async function markPaid(
  sql: Sql,
  { platformId, legId }: LegKey,
  { fileId, line, paidOn }: Pick<PaidItem, 'line' | 'paidOn'> & { fileId: string },
): Promise<void> {
  await sql`
    update paper_checks
    set paid_file_id = ${fileId}, paid_line = ${line}, paid_on = ${paidOn}
    where platform_id = ${platformId} and leg_id = ${legId}
  `
}
