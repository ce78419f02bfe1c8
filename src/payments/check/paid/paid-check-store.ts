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

/** An earlier file with this content: preferably one of this name, otherwise the one that was applied. */
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

/** Marks a file as used that was a case before. */
export async function updatePaidUsed(sql: Sql, id: string): Promise<void> {
  await sql`
    update paid_files
    set is_used = true
    where id = ${id}
  `
}

/** The sealed numbers of the accounts that checks were drawn on over a connection. */
export const listPaperAccounts = (sql: Sql, connectionId: string | null): Promise<{ accountSealed: Buffer }[]> =>
  sql<{ accountSealed: Buffer }[]>`
    select account_sealed
    from check_serials
    where connection_id = coalesce(${connectionId}, connection_id)
  `

export type NumberedCheck = {
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

/** `accountDigests`: one for each account and key of the ring. */
type NumberQuery = { platformId: null; accountDigests: readonly Buffer[]; number: number }

/** The checks with a given number on some accounts, which names their platforms. An account has at most one. */
export const listNumberedChecks = shareInGroup(
  async (sql, _platformId, queries: NumberQuery[]): Promise<NumberedCheck[][]> => {
    const digests = new Map(
      queries.flatMap(({ accountDigests }) => accountDigests.map((one) => [one.toString('hex'), one])),
    )
    if (digests.size === 0) return queries.map(() => [])
    const keys = await sql<{ platformId: string; legId: string; digest: string; serial: number }[]>`
      select platform_id, leg_id, encode(account_digest, 'hex') as digest, serial
      from check_numbers
      where account_digest in ${digestList(sql, [...digests.values()])} and serial = any (${queries.map(({ number }) => number)}::bigint[])
    `
    const checks = new Map<string, NumberedCheck>()
    for (const [platformId, own] of Map.groupBy(keys, (key) => key.platformId)) {
      const legIds = own.map(({ legId }) => legId)
      for (const check of await listChecksOfLegs(sql, platformId, legIds)) checks.set(check.legId, check)
    }
    const named = Map.groupBy(keys, ({ digest, serial }) => `${digest} ${serial}`)
    return queries.map(({ accountDigests, number }) =>
      accountDigests
        .flatMap((digest) => named.get(`${digest.toString('hex')} ${number}`) ?? [])
        .flatMap(({ legId }) => checks.get(legId) ?? []),
    )
  },
)

const listChecksOfLegs = (sql: Sql, platformId: string, legIds: readonly string[]): Promise<NumberedCheck[]> =>
  sql<NumberedCheck[]>`
    select
      c.platform_id, c.leg_id, c.payment_id, c.serial as number, c.cents, l.status, c.issued_on::text as issued_on,
      c.stopped_at, c.stop_file_id, c.paid_on::text as paid_on, c.paid_file_id, c.paid_line
    from paper_checks c
    join legs l on l.platform_id = c.platform_id and l.id = c.leg_id
    where c.platform_id = ${platformId} and c.leg_id = any (${legIds as string[]}::uuid[])
  `

/** When the bank accepted a list of stopped checks. Null: it has not. */
export async function findAcceptedAt(sql: Sql, fileId: string): Promise<Date | null> {
  const [row] = await sql<{ endedAt: Date | null }[]>`
    select ended_at
    from exchanges
    where id = ${fileId} and status = 'ACCEPTED'
  `
  return row?.endedAt ?? null
}

/** Whether another check of this amount is outstanding. If so, the number of a line whose amount differs may be wrong. */
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

type Paid = { platformId: string; legId: string; fileId: string; line: number; paidOn: string }

/** Records the line that says that a check was paid. */
export const markPaid = shareInGroup(
  async (sql, platformId, paid: Paid[]): Promise<undefined[]> => {
    const rows = paid.map(({ legId, fileId, line, paidOn }) => ({
      leg_id: legId,
      file_id: fileId,
      line,
      paid_on: paidOn,
    }))
    await sql`
      update paper_checks c
      set paid_file_id = p.file_id, paid_line = p.line, paid_on = p.paid_on
      from json_to_recordset(${sql.json(rows)}) as p (leg_id uuid, file_id uuid, line integer, paid_on date)
      where c.platform_id = ${platformId} and c.leg_id = p.leg_id
    `
    return []
  },
  ({ legId }) => legId,
)

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
