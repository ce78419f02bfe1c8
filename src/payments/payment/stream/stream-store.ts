import type { Sql } from '../../../foundation/db/connect.ts'
import type { PolledRow } from './stream-rules.ts'

/**
 * Lists three kinds of rows: the events of a platform's payments since a moment of real time, its newest payments, and the newest payments
 * from other platforms.
 */
export async function listNews(
  sql: Sql,
  platformId: string,
  { since, changes, newest }: { since: Date; changes: number; newest: number },
): Promise<PolledRow[]> {
  return sql<PolledRow[]>`
    (
      select 'history' as source, payment_id as id, position::text as mark
      from payment_history
      where platform_id = ${platformId} and real_at >= ${since}
      order by real_at desc
      limit ${changes}
    )
    union all
    (
      select 'payment', id, ''
      from payments
      where platform_id = ${platformId}
      order by id desc
      limit ${newest}
    )
    union all
    (
      select 'payment', payment_id, status
      from received_payments
      where platform_id = ${platformId}
      order by payment_id desc
      limit ${newest}
    )
  `
}
