import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { withOwnerEmails } from '../../foundation/db/owner-emails.ts'

export type Debtor = {
  platformId: string
  id: string
  /** The user_id. Null for an owner, for a payer without an account, and for a deleted user. */
  externalId: string | null
  /** The name of a payer without an account. Null for all others. */
  guestName: string | null
  ownerEmail: string | null
  debtCents: number
  isDeleted: boolean
}

/** Lists users with debts, largest debt first. `platformId` limits the list to one platform. */
export async function listDebtors(
  sql: Sql,
  { platformId, limit }: { platformId: string | null; limit: number },
): Promise<Debtor[]> {
  const debtors = await sql<Omit<Debtor, 'ownerEmail'>[]>`
    ${allPlatforms('serves the operator')}
    select
      c.platform_id, c.user_id as id, u.external_id, case when u.is_guest then u.name end as guest_name, c.debt_cents,
      u.deleted_at is not null as is_deleted
    from user_counters c
    join users u on u.platform_id = c.platform_id and u.id = c.user_id
    where c.debt_cents > 0 and (${platformId}::uuid is null or c.platform_id = ${platformId}::uuid)
    order by c.debt_cents desc, c.user_id
    limit ${limit}
  `
  return withOwnerEmails(sql, debtors)
}
