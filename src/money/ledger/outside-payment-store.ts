import type { Sql } from '../../foundation/db/connect.ts'

/** Money that moved outside of the service. `subjectId`: the debtor (IN) or the payment (OUT). `way`: how it moved, such as by wire. */
export type OutsidePayment = {
  platformId: string
  direction: 'IN' | 'OUT'
  subjectId: string
  reference: string
  way: string | null
  cents: number
  createdAt: Date
}

/** Records an outside payment. @returns false if the subject already has this reference */
export const insertOutsidePayment = (sql: Sql, row: OutsidePayment): Promise<boolean> =>
  sql`
    insert into outside_payments ${sql.values(row)}
    on conflict do nothing
  `.anyRow()
