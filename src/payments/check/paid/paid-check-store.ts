import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import { digestList } from '../../../foundation/db/digests.ts'
import { shareInGroup } from '../../../foundation/db/statement-group.ts'
import type { LegStatus } from '../../../money/rail/leg-status.ts'

export type PaidFileRow = {
  id: string
  connectionId: string
  name: string
  contentHash: Buffer
  isUsed: boolean
  report: string | null
  readAt: Date
}

/** Finds an earlier file with this content. Prefers a file with the same name, and otherwise one that was applied. */
export async function findPaidFile(
  sql: Sql,
  { connectionId, name, contentHash }: { connectionId: string; name: string; contentHash: Buffer },
): Promise<PaidFileRow | null> {
  const [row] = await sql<PaidFileRow[]>`
    select id, connection_id, name, content_hash, is_used, report, read_at
    from paid_files
    where connection_id = ${connectionId} and content_hash = ${contentHash} and (name = ${name} or is_used)
    order by name = ${name} desc
    limit 1
  `
  return row ?? null
}

export async function insertPaidFile(sql: Sql, file: PaidFileRow): Promise<void> {
  await sql`
    insert into paid_files ${sql.values(file)}
  `
}

/** Stores the report of a list after all of its lines were applied. */
export async function updatePaidReport(sql: Sql, id: string, report: string): Promise<void> {
  await sql`
    update paid_files
    set report = ${report}
    where id = ${id}
  `
}

/** Marks a file as used after it had a case. */
export async function updatePaidUsed(sql: Sql, id: string): Promise<void> {
  await sql`
    update paid_files
    set is_used = true
    where id = ${id}
  `
}

/** Lists the sealed numbers of the accounts that checks were drawn on over a connection. */
export const listPaperAccounts = (sql: Sql, connectionId: string | null): Promise<{ accountSealed: Buffer }[]> =>
  sql<{ accountSealed: Buffer }[]>`
    select account_sealed
    from check_serials
    where connection_id = coalesce(${connectionId}, connection_id)
  `

export type NumberedCheck = {
  /** The digest of its account. */
  accountDigest: Buffer
  platformId: string
  legId: string
  paymentId: string
  number: number
  cents: number
  status: LegStatus
  issuedOn: string
  stoppedAt: Date | null
  stopFileId: string | null
  paidOn: string | null
  paidFileId: string | null
  paidLine: number | null
}

const checkColumns = (sql: Sql) => sql`
  c.account_digest, c.platform_id, c.leg_id, c.payment_id, c.serial as number, c.cents, l.status, c.issued_on::text as issued_on, c.stopped_at,
  c.stop_file_id, c.paid_on::text as paid_on, c.paid_file_id, c.paid_line
`

/** Finds the check of a leg, or null if it has no number yet. */
export const findCheckOfLeg = (
  sql: Sql,
  { platformId, legId }: { platformId: string; legId: string },
): Promise<NumberedCheck | null> =>
  sql<NumberedCheck[]>`
    select ${checkColumns(sql)}
    from paper_checks c
    join legs l on l.platform_id = c.platform_id and l.id = c.leg_id
    where c.platform_id = ${platformId} and c.leg_id = ${legId}
  `.first()

/**
 * The checks with given numbers on some accounts, which name their platforms. An account has at most one with each number.
 *
 * @param checks.accountDigests one for each account and key of the ring
 */
export async function listNumberedChecks(
  sql: Sql,
  { accountDigests, numbers }: { accountDigests: readonly Buffer[]; numbers: readonly number[] },
): Promise<NumberedCheck[]> {
  if (accountDigests.length === 0 || numbers.length === 0) return []
  const keys = await sql<{ platformId: string; legId: string }[]>`
    select platform_id, leg_id
    from check_numbers
    where account_digest in ${digestList(sql, accountDigests)} and serial = any (${numbers as number[]}::bigint[])
  `
  const checks: NumberedCheck[] = []
  for (const [platformId, own] of Map.groupBy(keys, (key) => key.platformId)) {
    const rows = await sql<NumberedCheck[]>`
      select ${checkColumns(sql)}
      from unnest(${own.map(({ legId }) => legId)}::uuid[]) wanted (leg_id)
      join paper_checks c on c.platform_id = ${platformId} and c.leg_id = wanted.leg_id
      join legs l on l.platform_id = ${platformId} and l.id = c.leg_id
    `
    checks.push(...rows)
  }
  return checks
}

/** Returns when the bank accepted a list of stopped checks, or null if it has not. */
export async function findAcceptedAt(sql: Sql, fileId: string): Promise<Date | null> {
  const [row] = await sql<{ endedAt: Date | null }[]>`
    select ended_at
    from exchanges
    where id = ${fileId} and status = 'ACCEPTED'
  `
  return row?.endedAt ?? null
}

/** Returns whether another check of this amount is outstanding. If so, the number in a line with a different amount may be wrong. */
export async function isAmountOut(sql: Sql, cents: readonly number[]): Promise<boolean> {
  const rows = await sql`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select
    from paper_checks c
    join legs l on l.platform_id = c.platform_id and l.id = c.leg_id
    where c.cents = any (${cents as number[]}::bigint[]) and c.paid_on is null and l.status in ('SENT', 'ACCEPTED', 'STOPPING')
    limit 1
  `
  return rows.length > 0
}

type PaidCheck = { platformId: string; legId: string; fileId: string; line: number; paidOn: string }

export const markPaid = shareInGroup(async (sql, platformId, checks: PaidCheck[]): Promise<undefined[]> => {
  await sql`
    update paper_checks c
    set paid_file_id = p.file_id, paid_line = p.line, paid_on = p.paid_on
    from unnest(
      ${checks.map(({ legId }) => legId)}::uuid[], ${checks.map(({ fileId }) => fileId)}::uuid[],
      ${checks.map(({ line }) => line)}::integer[], ${checks.map(({ paidOn }) => paidOn)}::date[]
    ) as p (leg_id, file_id, line, paid_on)
    where c.platform_id = ${platformId} and c.leg_id = p.leg_id
  `
  return checks.map(() => undefined)
})

/** Lists the platforms with a check that a list of the bank names as paid. */
export async function listPlatformsPaidBy(sql: Sql, fileId: string): Promise<string[]> {
  const rows = await sql<{ platformId: string }[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select distinct platform_id
    from paper_checks
    where paid_file_id = ${fileId}
    order by platform_id
  `
  return rows.map(({ platformId }) => platformId)
}

/** Returns whether a restore lost the payment of a check at the printer with this number and one of these amounts. */
export const isLostCheck = (
  sql: Sql,
  { number, cents }: { number: number | null; cents: readonly number[] },
): Promise<boolean> =>
  sql`
    select
    from recovered_checks
    where number = ${number} and cents = any (${cents as number[]}::bigint[]) and matched_at is null
    limit 1
  `.anyRow()
