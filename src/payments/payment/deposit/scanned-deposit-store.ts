import type { Sql } from '../../../foundation/db/connect.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import type { PaymentKey } from '../payment-types.ts'

export type PulledCents = { dayCents: number; monthCents: number }

/** The debits that limits count: those that have collected money or may still do. Checks of this service are not collected over ACH. */
const isCounted = (sql: Sql, { month }: { month: Date }) => sql`
  l.purpose = 'payment_pull' and l.rail = 'ACH' and l.created_at >= ${month} and l.status not in ('RETURNED', 'CANCELLED')
`

/** Returns the total debits of the scanned checks of a user in cents, since each of these times. It counts no returned debits. */
export async function findPulledCents(
  sql: Sql,
  { platformId, userId }: UserKey,
  { day, month }: { day: Date; month: Date },
): Promise<PulledCents> {
  const [row] = await sql<PulledCents[]>`
    select
      coalesce(sum(l.cents) filter (where l.created_at >= ${day}), 0)::bigint as day_cents,
      coalesce(sum(l.cents), 0)::bigint as month_cents
    from payments p
    join legs l on l.platform_id = p.platform_id and l.subject_id = p.id
    where p.platform_id = ${platformId} and p.sender_id = ${userId} and p.kind = 'SCANNED' and p.deposited_at >= ${month}
      and ${isCounted(sql, { month })}
  `
  return row ?? { dayCents: 0, monthCents: 0 }
}

/**
 * Returns the total debits of an account in cents, since each of these times, under all numbers that its bank has corrected to the present
 * one. It counts all users of the platform and no returned debits.
 * The bank of a scanned check has the payment's id in place of a user's id.
 */
export async function findDebitedCents(
  sql: Sql,
  { platformId, bankId }: { platformId: string; bankId: string },
  { day, month }: { day: Date; month: Date },
): Promise<PulledCents> {
  const [row] = await sql<PulledCents[]>`
    select
      coalesce(sum(l.cents) filter (where l.created_at >= ${day}), 0)::bigint as day_cents,
      coalesce(sum(l.cents), 0)::bigint as month_cents
    from banks given
    left join account_corrections c on c.platform_id = ${platformId} and c.account_digest = given.account_digest
    cross join lateral (
      select given.account_digest as digest
      union
      select c.corrected_digest
      union
      select f.account_digest
      from account_corrections f
      where f.platform_id = ${platformId} and f.corrected_digest = coalesce(c.corrected_digest, given.account_digest)
    ) numbers
    join banks b on b.platform_id = given.platform_id and b.account_digest = numbers.digest
    join payments p on p.platform_id = b.platform_id and p.id = b.user_id
      or p.platform_id = b.platform_id and p.sender_id = b.user_id and p.created_at >= ${month}
    join legs l on l.platform_id = p.platform_id and l.subject_id = p.id
    where given.platform_id = ${platformId} and given.id = ${bankId} and l.account_id = b.id and ${isCounted(sql, { month })}
  `
  return row ?? { dayCents: 0, monthCents: 0 }
}

/** Locks the debits of an account until the end of the transaction, so that two debits do not exceed a limit together. */
export async function lockDebitedAccount(
  sql: Sql,
  { platformId, bankId }: { platformId: string; bankId: string },
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(
      hashtextextended('debited account ' || encode(coalesce(c.corrected_digest, b.account_digest), 'hex'), 0)
    )
    from banks b
    left join account_corrections c on c.platform_id = ${platformId} and c.account_digest = b.account_digest
    where b.platform_id = ${platformId} and b.id = ${bankId}
  `
}

/** Returns whether this service issued the scanned check of a payment. */
export async function isCheckOfThisService(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<boolean> {
  const rows = await sql`
    select
    from scanned_checks
    where platform_id = ${platformId} and payment_id = ${paymentId} and own_leg_id is not null
  `
  return rows.length > 0
}
