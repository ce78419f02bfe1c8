import type { Sql } from '../../../foundation/db/connect.ts'
import type { UserKey } from '../../../people/user/user-store.ts'

/** Returns the condition for the rows of one user, or of all users of the platform if the user is its owner. */
const ofUser = (sql: Sql, column: ReturnType<Sql>, { platformId, userId }: UserKey) =>
  userId === platformId ? sql`` : sql`and ${column} = ${userId}`

/** Lists scanned checks whose money is here, with their last returned payout, except those that have an exception about it. */
export async function listMoneyOfScannedChecks(
  sql: Sql,
  user: UserKey,
  limit: number,
): Promise<{ paymentId: string; legId: string }[]> {
  return sql<{ paymentId: string; legId: string }[]>`
    select p.id as payment_id, l.id as leg_id
    from payments p
    cross join lateral (
      select id
      from legs
      where platform_id = ${user.platformId} and subject_id = p.id and purpose = 'payment_push' and status = 'RETURNED'
      order by created_at desc, id desc
      limit 1
    ) l
    cross join lateral (
      select sum(case when credit = 'payable' then cents else -cents end) as cents
      from transfers
      where platform_id = ${user.platformId} and payment_id = p.id and status = 'POSTED' and 'payable' in (debit, credit)
    ) here
    where p.platform_id = ${user.platformId} ${ofUser(sql, sql`p.sender_id`, user)} and p.kind = 'SCANNED' and p.status = 'FAILED'
      and here.cents >= p.amount_cents
      and not exists (
        select
        from exceptions e
        where e.platform_id = p.platform_id and e.leg_id = l.id and e.kind = 'user_closed'
      )
    limit ${limit}
  `
}

/** Lists the available money in each wallet, in cents, except wallets that have an exception. */
export async function listWalletMoney(
  sql: Sql,
  user: UserKey,
  limit: number,
): Promise<{ userId: string; cents: number }[]> {
  return sql<{ userId: string; cents: number }[]>`
    select w.user_id, sum(w.balance_cents - w.held_cents)::bigint as cents
    from wallets w
    where w.platform_id = ${user.platformId} ${ofUser(sql, sql`w.user_id`, user)} and w.balance_cents > w.held_cents
      and not exists (
        select
        from exceptions e
        where e.platform_id = w.platform_id and e.user_id = w.user_id and e.kind = 'user_closed' and e.payment_id is null
          and e.closed_at is null
      )
    group by w.user_id
    limit ${limit}
  `
}
