import type { Sql } from '../db/connect.ts'
import { emailHash } from '../lib/text/email.ts'
import type { UserLimits } from './operator-rules.ts'
import type { UserKey } from './user-store.ts'

/** The platforms of which the login with this email address is an owner, or the platform with this id. */
export async function listOwnedPlatforms(
  sql: Sql,
  { email, id }: { email: string; id: string | null },
): Promise<{ platformId: string; name: string }[]> {
  return sql<{ platformId: string; name: string }[]>`
    select u.platform_id, coalesce(u.business_name, u.name) as name
    from users u
    where u.platform_id = u.id and u.id in (
      select m.platform_id
      from login_emails e
      join login_platforms p on p.login_id = e.login_id
      join members m on m.platform_id = p.platform_id and m.login_id = p.login_id
      where e.email_hash = ${emailHash(email)} and m.role = 'owner'
      union all
      select ${id}::uuid
    )
    order by u.created_at, u.platform_id
  `
}

/** Finds a user of a platform by user_id or, if none matches, by system id. */
export async function findUserByName(
  sql: Sql,
  { platformId, name, id }: { platformId: string; name: string; id: string | null },
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from users
    where platform_id = ${platformId} and deleted_at is null and (external_id = ${name} or id = ${id})
    order by external_id is distinct from ${name}
    limit 1
  `
  return row?.id ?? null
}

export async function findLimits(sql: Sql, { platformId, userId }: UserKey): Promise<UserLimits> {
  const [row] = await sql<UserLimits[]>`
    select payment_cents, day_cents, month_cents
    from user_limits
    where platform_id = ${platformId} and user_id = ${userId}
  `
  return row ?? { paymentCents: null, dayCents: null, monthCents: null }
}

export async function upsertLimits(sql: Sql, { platformId, userId }: UserKey, limits: UserLimits): Promise<void> {
  await sql`
    insert into user_limits (platform_id, user_id, payment_cents, day_cents, month_cents)
    values (${platformId}, ${userId}, ${limits.paymentCents}, ${limits.dayCents}, ${limits.monthCents})
    on conflict (platform_id, user_id) do update
    set payment_cents = excluded.payment_cents, day_cents = excluded.day_cents, month_cents = excluded.month_cents
  `
}

/** The cents that a user sent on a day, `YYYY-MM-DD` (GMT), and in its month, as `order_states_v2` counts them. */
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
