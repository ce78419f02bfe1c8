import type { Sql } from '../../foundation/db/connect.ts'
import type { Fragment } from '../../foundation/db/skipped.ts'

/**
 * Returns whether a payment comes from a person without an account who pays an invoice. The platform receives such a payment.
 *
 * @param table the name of the payments in the statement, as SQL
 */
export const isFromPayer = (sql: Sql, platformId: string, table: string): Fragment => sql`
  (
    ${sql.unsafe(table)}.invoice_id is not null and exists (
      select from users g where g.platform_id = ${platformId} and g.id = ${sql.unsafe(table)}.sender_id and g.is_guest
    )
  )
`
