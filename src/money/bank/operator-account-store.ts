import type { Sql } from '../../foundation/db/connect.ts'
import { digestList } from '../../foundation/db/digests.ts'

/** Whether checks were drawn on an account. `accountDigests` has one digest for each key of the ring. */
export const isPaperAccountStored = (sql: Sql, accountDigests: readonly Buffer[]): Promise<boolean> =>
  sql`
    select
    from check_serials
    where account_digest in ${digestList(sql, accountDigests)}
    limit 1
  `.anyRow()
