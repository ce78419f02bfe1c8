import type { Sql } from '../../foundation/db/connect.ts'
import type { Fragment } from '../../foundation/db/skipped.ts'

/**
 * Whether a payment comes from a payer without an account, who pays an invoice: then the platform receives it, and sends nothing.
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
