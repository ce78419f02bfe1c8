import type { Sql } from '../../../foundation/db/connect.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'

/** The payee of a leg. `accountPlatformId`: the platform of the account. */
export type PayoutPayeeRow = { accountPlatformId: string; name: string; description: string | null }

/** Finds the payee of a leg that pushes. */
export const findPayoutPayee = (
  sql: Sql,
  { platformId, subjectId }: Pick<LegRow, 'platformId' | 'subjectId'>,
): Promise<PayoutPayeeRow | null> =>
  sql<PayoutPayeeRow[]>`
    select coalesce(destination_platform_id, recipient_platform_id, platform_id) as account_platform_id, name, description
    from payments
    where platform_id = ${platformId} and id = ${subjectId}
  `.first()
