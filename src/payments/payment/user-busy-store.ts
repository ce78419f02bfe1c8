import type { Sql } from '../../foundation/db/connect.ts'
import { OPEN_STATUSES } from '../../money/rail/leg-status.ts'
import { UNFINISHED_STATUSES } from './payment-status.ts'
import type { UserObligations } from './user-busy-rules.ts'

/**
 * Reads the money, payments and debts of a user. Payments that were PAID before `since` are left out, because they can no longer be
 * returned.
 */
export async function findUserObligations(
  sql: Sql,
  { platformId, userId, since }: { platformId: string; userId: string; since: Date },
): Promise<UserObligations> {
  const unfinished = [...UNFINISHED_STATUSES]
  const [row] = await sql<UserObligations[]>`
    with ended as materialized (
      select id
      from payments
      where platform_id = ${platformId} and sender_id = ${userId} and status <> all (${unfinished})
        and (status <> 'PAID' or updated_at >= ${since})
    )
    select
      exists (
        select 1
        from payments
        where platform_id = ${platformId} and sender_id = ${userId}
          and (status = any (${unfinished}) or refund_at is not null)
      ) or exists (
        select 1
        from payments
        where platform_id = ${platformId} and recipient_id = ${userId} and recipient_platform_id is not distinct from platform_id
          and status = any (${unfinished})
      ) or exists (
        select 1
        from received_payments
        where platform_id = ${platformId} and user_id = ${userId} and status = any (${unfinished})
      ) as has_unfinished_payments,
      (select debt_cents from user_counters where platform_id = ${platformId} and user_id = ${userId}) as debt_cents,
      (
        select coalesce(sum(balance_cents), 0)::bigint
        from wallets
        where platform_id = ${platformId} and user_id = ${userId}
      ) as wallet_cents,
      exists (
        select 1
        from ended e
        join transfers t on t.platform_id = ${platformId} and t.payment_id = e.id
        where t.status = 'POSTED' and 'payable' in (t.debit, t.credit)
        group by e.id
        having sum(case when t.credit = 'payable' then t.cents else -t.cents end) <> 0
      ) as has_payable,
      exists (
        select 1
        from ended e
        join legs l on l.platform_id = ${platformId} and l.subject_id = e.id
        where l.status = any (${[...OPEN_STATUSES]})
      ) as has_legs_under_way,
      (
        select max(l.settled_at)
        from ended e
        join legs l on l.platform_id = ${platformId} and l.subject_id = e.id
        where l.purpose = 'payment_pull' and l.status in ('SETTLED', 'TRUSTED')
      ) as last_debit_at,
      (
        select max(l.settled_at)
        from ended e
        join legs l on l.platform_id = ${platformId} and l.subject_id = e.id
        where l.direction = 'credit' and l.rail in ('ACH', 'RTP') and l.status = 'SETTLED'
      ) as last_credit_at
  `
  return row as UserObligations
}

/** Returns whether a user's account funds a payment that has not ended, or one that waits for its refund. */
export async function isFundingOpenPayment(
  sql: Sql,
  { platformId, userId, id }: { platformId: string; userId: string; id: string },
): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select 1
      from payments
      where platform_id = ${platformId} and sender_id = ${userId} and funding_id = ${id}
        and (status = any (${[...UNFINISHED_STATUSES]}) or refund_at is not null)
    ) as found
  `
  return row?.found ?? false
}
