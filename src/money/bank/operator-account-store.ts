import type { Sql } from '../../foundation/db/connect.ts'
import { digestList } from '../../foundation/db/digests.ts'

/** Whether checks were drawn on an account. `accountDigests` has one digest for each key of the ring. */
export async function isPaperAccountStored(sql: Sql, accountDigests: readonly Buffer[]): Promise<boolean> {
  const rows = await sql`
    select
    from check_serials
    where account_digest in ${digestList(sql, accountDigests)}
    limit 1
  `
  return rows.length > 0
}
