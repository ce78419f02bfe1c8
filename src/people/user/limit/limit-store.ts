import type { Sql } from '../../../foundation/db/connect.ts'
import type { UserKey } from '../user-store.ts'
import { NO_LIMITS, type SetLimits, type UserLimits } from './limit-rules.ts'

export async function findLimits(sql: Sql, { platformId, userId }: UserKey): Promise<SetLimits> {
  const [row] = await sql<
    (UserLimits & { ownerPaymentCents: number | null; ownerDayCents: number | null; ownerMonthCents: number | null })[]
  >`
    select payment_cents, day_cents, month_cents, owner_payment_cents, owner_day_cents, owner_month_cents
    from user_limits
    where platform_id = ${platformId} and user_id = ${userId}
  `
  if (!row) return { byOperator: NO_LIMITS, byOwner: NO_LIMITS }
  const { ownerPaymentCents, ownerDayCents, ownerMonthCents, ...byOperator } = row
  return {
    byOperator,
    byOwner: { paymentCents: ownerPaymentCents, dayCents: ownerDayCents, monthCents: ownerMonthCents },
  }
}

export async function upsertLimits(sql: Sql, { platformId, userId }: UserKey, limits: UserLimits): Promise<void> {
  await sql`
    insert into user_limits (platform_id, user_id, payment_cents, day_cents, month_cents)
    values (${platformId}, ${userId}, ${limits.paymentCents}, ${limits.dayCents}, ${limits.monthCents})
    on conflict (platform_id, user_id) do update
    set payment_cents = excluded.payment_cents, day_cents = excluded.day_cents, month_cents = excluded.month_cents
  `
}

export async function upsertOwnerLimits(sql: Sql, { platformId, userId }: UserKey, limits: UserLimits): Promise<void> {
  await sql`
    insert into user_limits (platform_id, user_id, owner_payment_cents, owner_day_cents, owner_month_cents)
    values (${platformId}, ${userId}, ${limits.paymentCents}, ${limits.dayCents}, ${limits.monthCents})
    on conflict (platform_id, user_id) do update
    set owner_payment_cents = excluded.owner_payment_cents, owner_day_cents = excluded.owner_day_cents,
      owner_month_cents = excluded.owner_month_cents
  `
}

/** The cents that a user sent on a day of the business, `YYYY-MM-DD`, and in its month, as `order_states_v1` counts them. */
export async function findSentCents(
  sql: Sql,
  { platformId, userId }: UserKey,
  day: string,
): Promise<{ dayCents: number; monthCents: number }> {
  const [row] = await sql<{ dayCents: number; monthCents: number }[]>`
    select
      case when sent_on = ${day}::date then sent_day_cents else 0 end as day_cents,
      case
        when date_trunc('month', sent_on) = date_trunc('month', ${day}::date) then sent_month_cents
        else 0
      end as month_cents
    from user_counters
    where platform_id = ${platformId} and user_id = ${userId}
  `
  return row ?? { dayCents: 0, monthCents: 0 }
}
