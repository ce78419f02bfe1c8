import type { Sql } from '../../foundation/db/connect.ts'
import type { Fragment } from '../../foundation/db/skipped.ts'
import type { AttentionKind } from './overview-rules.ts'

/** Counts the items that need the owner's attention. Each count uses an index and stops at `limit`. */
export async function countAttention(
  sql: Sql,
  platformId: string,
  { failedSince, expiringUntil, limit }: { failedSince: Date; expiringUntil: Date; limit: number },
): Promise<{ kind: AttentionKind; count: number }[]> {
  const counts = (kind: AttentionKind, rows: Fragment) => sql`
    select ${kind} as kind, (select count(*) from (select ${rows} limit ${limit}) found) as count
  `
  // Some conditions only repeat those of a partial index. Without them, PostgreSQL would not use the index.
  return sql<{ kind: AttentionKind; count: number }[]>`
    ${counts(
      'payments_failed',
      sql`
        from payments
        where platform_id = ${platformId} and status = 'FAILED' and updated_at >= ${failedSince}
      `,
    )}
    union all ${counts(
      'payments_expiring',
      sql`
        from payments
        where platform_id = ${platformId} and status = 'UNPAID' and status in ('UNPAID', 'PRINTED', 'MAILED')
          and expires_at < ${expiringUntil}
      `,
    )}
    union all ${counts(
      'banks_to_verify',
      sql`from banks where platform_id = ${platformId} and status = 'PENDING' and deleted_at is null`,
    )}
    union all ${counts('users_in_debt', sql`from user_counters where platform_id = ${platformId} and debt_cents > 0`)}
    union all ${counts(
      'webhooks_failing',
      sql`
        from endpoints
        where platform_id = ${platformId} and kind = 'endpoint' and kind in ('endpoint', 'listener') and removed_at is null
          and (failing_since is not null or disabled_reason in ('GONE', 'FAILING'))
      `,
    )}
  `
}

/** The number of wallets, and sums in cents. */
export type Balance = { wallets: number; balanceCents: number; heldCents: number; debtCents: number }

/** Sums the wallets and debts of a platform, or of one of its users. */
export async function sumBalances(sql: Sql, platformId: string, userId: string | null): Promise<Balance> {
  const ofUser = userId === null ? sql`` : sql`and user_id = ${userId}`
  const [row] = await sql<Balance[]>`
    select
      count(*) as wallets, coalesce(sum(balance_cents), 0)::bigint as balance_cents, coalesce(sum(held_cents), 0)::bigint as held_cents,
      (
        select coalesce(sum(debt_cents), 0)::bigint from user_counters where platform_id = ${platformId} and debt_cents > 0 ${ofUser}
      ) as debt_cents
    from wallets
    where platform_id = ${platformId} and deleted_at is null ${ofUser}
  `
  return row as Balance
}
