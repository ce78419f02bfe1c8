import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import type { LegKey } from '../../../money/rail/leg-store.ts'

/** A check that the printer has and that is not assigned to a payment yet. */
export type RecoveredCheck = {
  /** The id of its payment before the restore. */
  paymentId: string
  fileId: string
  fileName: string
  connectionId: string
  number: number
  cents: number
  /** As printed. */
  payee: string
  recoveredAt: Date
  /** Whether the operator has closed the case about it. */
  isDecided: boolean
}

/** Stores the checks of a print file. If a payment was printed twice, its later check counts. */
export async function insertRecoveredChecks(
  sql: Sql,
  fileId: string,
  checks: readonly Pick<RecoveredCheck, 'paymentId' | 'number' | 'cents' | 'payee'>[],
): Promise<void> {
  await sql`
    insert into recovered_checks as r (payment_id, file_id, number, cents, payee)
    select c.payment_id, ${fileId}, c.number::bigint, c.cents::bigint, c.payee
    from unnest(
      ${checks.map(({ paymentId }) => paymentId)}::uuid[],
      ${checks.map(({ number }) => String(number))}::text[],
      ${checks.map(({ cents }) => String(cents))}::text[],
      ${checks.map(({ payee }) => payee)}::text[]
    ) as c (payment_id, number, cents, payee)
    on conflict (payment_id) do update
    set file_id = excluded.file_id, number = excluded.number, matched_at = null
    where r.file_id < excluded.file_id
  `
}

const recoveredChecks = (sql: Sql) => sql`
  select c.payment_id, c.file_id, x.name as file_name, x.connection_id, c.number, c.cents, c.payee, x.created_at as recovered_at,
    exists (
      select
      from bank_cases b
      where b.inbound_file_id = c.file_id and b.kind = 'payment_missing' and b.event = c.number::text and b.closed_by is not null
    ) as is_decided
  from recovered_checks c
  join exchanges x on x.id = c.file_id
  where c.matched_at is null
`

export const listRecoveredChecks = (sql: Sql): Promise<RecoveredCheck[]> =>
  sql<RecoveredCheck[]>`
    ${recoveredChecks(sql)}
    order by c.number
  `

/** Lists checks at the printer that are not assigned since a time, and that have no case about it. */
export const listChecksWithoutPayment = (sql: Sql, recoveredBefore: Date): Promise<RecoveredCheck[]> =>
  sql<RecoveredCheck[]>`
    ${recoveredChecks(sql)} and x.created_at < ${recoveredBefore} and x.status in ('TRANSMITTED', 'ACCEPTED') and not exists (
      select
      from bank_cases b
      where b.inbound_file_id = c.file_id and b.kind = 'payment_missing' and b.event = c.number::text
    )
    order by c.number
  `

export async function markCheckMatched(
  sql: Sql,
  { paymentId }: Pick<RecoveredCheck, 'paymentId'>,
  matchedAt: Date,
): Promise<void> {
  await sql`
    update recovered_checks
    set matched_at = ${matchedAt}
    where payment_id = ${paymentId}
  `
}

/** Lists the waiting legs of payments whose checks the printer has. */
export const listLegsAtPrinter = (sql: Sql, checks: readonly RecoveredCheck[]): Promise<LegKey[]> =>
  sql<LegKey[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select platform_id, id
    from legs
    where rail = 'MAIL' and file_at is not null
      and subject_id = any (${checks.map(({ paymentId }) => paymentId)}::uuid[])
    order by platform_id, subject_id, id
  `

/** Locks a check, and returns whether it is still not assigned. */
export const isStillUnassigned = (sql: Sql, { paymentId }: Pick<RecoveredCheck, 'paymentId'>): Promise<boolean> =>
  sql`
    select
    from recovered_checks
    where payment_id = ${paymentId} and matched_at is null
    for update
  `.anyRow()

/** Returns which of these payments this database knows and has not ended. */
export async function listOpenPayments(sql: Sql, paymentIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select id
    from payments
    where id = any (${paymentIds as string[]}::uuid[]) and status not in ('VOID', 'EXPIRED', 'REFUNDED')
  `
  return rows.map(({ id }) => id)
}

/** Raises the last check number of an account, and never lowers it. @returns the last number */
export async function raiseCheckSerial(
  sql: Sql,
  {
    connectionId,
    accountDigest,
    accountSealed,
    lastSerial,
  }: { connectionId: string; accountDigest: Buffer; accountSealed: Buffer; lastSerial: number },
): Promise<number> {
  const [row] = await sql<{ lastSerial: number }[]>`
    insert into check_serials as s (account_digest, connection_id, account_sealed, last_serial)
    values (${accountDigest}, ${connectionId}, ${accountSealed}, ${lastSerial})
    on conflict (account_digest) do update
    set last_serial = greatest(s.last_serial, excluded.last_serial)
    returning last_serial
  `
  return row?.lastSerial ?? lastSerial
}
