import type { Sql } from '../../foundation/db/connect.ts'

type PaymentsOfPlatform = { senderPlatformId: string; paymentIds: string[] }

/** Lists the payments that a user receives from other platforms. Those platforms store the payments and their legs. */
export const listPaymentsFromOtherPlatforms = (
  sql: Sql,
  { platformId, userId }: { platformId: string; userId: string },
): Promise<PaymentsOfPlatform[]> =>
  sql<PaymentsOfPlatform[]>`
    select sender_platform_id, array_agg(payment_id) as payment_ids
    from received_payments
    where platform_id = ${platformId} and user_id = ${userId} and sender_platform_id <> ${platformId}
    group by sender_platform_id
    order by sender_platform_id
  `
