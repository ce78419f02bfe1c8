import type { Sql } from '../../../foundation/db/connect.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import type { FormerPayee } from './drafting-rules.ts'

/**
 * Lists the payees of a user's newest payments, newest first. Payments to several recipients, to account numbers, and scanned checks are
 * left out, because their payees cannot be the recipient of another payment.
 */
export async function listPayees(sql: Sql, { platformId, userId }: UserKey, limit: number): Promise<FormerPayee[]> {
  return sql<FormerPayee[]>`
    select name, case when kind = 'DIGITAL' then recipient end as recipient, address
    from (
      select kind, name, recipient, recipient_id, address
      from payments
      where platform_id = ${platformId} and sender_id = ${userId}
      order by created_at desc, id desc
      limit ${limit}
    ) newest
    where kind = 'PHYSICAL' and address is not null
      or kind = 'DIGITAL' and (recipient_id is not null or recipient like '%@%' or recipient ~ '^[+(]?[0-9][-(). 0-9]{6,}$')
  `
}
