import type { Sql } from '../../../foundation/db/connect.ts'

export async function insertRecoveredChecks(
  sql: Sql,
  fileName: string,
  checks: readonly { paymentId: string; number: number }[],
): Promise<void> {
  await sql`
    insert into recovered_checks (payment_id, number, file_name)
    select c.payment_id, c.number::bigint, ${fileName}
    from unnest(
      ${checks.map(({ paymentId }) => paymentId)}::uuid[], ${checks.map(({ number }) => String(number))}::text[]
    ) as c (payment_id, number)
    on conflict (payment_id) do nothing
  `
}

/** Deletes the recovered check of a leg, so that the leg is sent when the operator releases it. */
export async function claimRecoveredCheck(
  sql: Sql,
  paymentId: string,
): Promise<{ number: number; fileName: string } | null> {
  const [row] = await sql<{ number: number; fileName: string }[]>`
    delete from recovered_checks
    where payment_id = ${paymentId}
    returning number, file_name
  `
  return row ?? null
}

/** Raises the last check number of an account, and never lowers it. */
export async function raiseCheckSerial(
  sql: Sql,
  {
    connectionId,
    accountDigest,
    accountSealed,
    lastSerial,
  }: { connectionId: string; accountDigest: Buffer; accountSealed: Buffer; lastSerial: number },
): Promise<void> {
  await sql`
    insert into check_serials as s (account_digest, connection_id, account_sealed, last_serial)
    values (${accountDigest}, ${connectionId}, ${accountSealed}, ${lastSerial})
    on conflict (account_digest) do update
    set last_serial = greatest(s.last_serial, excluded.last_serial)
  `
}
