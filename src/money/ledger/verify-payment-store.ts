import type { Sql } from '../../foundation/db/connect.ts'
import { digestList } from '../../foundation/db/digests.ts'
import { hasPayout, isLiving } from './verify-store.ts'

// The ledger can balance and still be wrong. For example, a payee who is paid twice is a balanced transfer.

/** Selects payments whose payouts and refunds together exceed the amount, or whose debits do. */
export const overpaidPayments = (sql: Sql) => sql`
  with outside as (
    select platform_id, payment_id, sum(cents)::bigint as cents
    from transfers
    where status = 'POSTED' and reason = 'paid_outside'
    group by platform_id, payment_id
  )
  select
    p.platform_id, p.id, p.status, p.amount_cents, moved.out_cents, coalesce(outside.cents, 0) as outside_cents, moved.in_cents
  from payments p
  join (
    select
      platform_id, subject_id,
      coalesce(sum(cents) filter (where purpose in ('payment_push', 'payment_refund')), 0)::bigint as out_cents,
      coalesce(sum(cents) filter (where purpose = 'payment_pull'), 0)::bigint as in_cents
    from legs l
    where purpose in ('payment_push', 'payment_refund', 'payment_pull') and ${isLiving(sql)}
    group by platform_id, subject_id
  ) moved on moved.platform_id = p.platform_id and moved.subject_id = p.id
  left join outside on outside.platform_id = p.platform_id and outside.payment_id = p.id
  where moved.out_cents + coalesce(outside.cents, 0) > p.amount_cents or moved.in_cents > p.amount_cents
`

/** Selects invoices whose payee gets more than one payment. */
export const invoicesPaidTwice = (sql: Sql) => sql`
  select p.platform_id, p.invoice_id, count(*) as payments, sum(p.amount_cents)::bigint as cents
  from payments p
  where p.invoice_id is not null
    and (p.status = 'PAID' or ${hasPayout(sql)})
  group by p.platform_id, p.invoice_id
  having count(*) > 1
`

/** Selects checks that were deposited more than once, by one scan or by several. */
export const checksDepositedTwice = (sql: Sql) => sql`
  with deposited as (
    select s.platform_id, s.payment_id, s.own_leg_id, b.account_digest, ltrim(s.number, '0') as number
    from scanned_checks s
    join payments p on p.platform_id = s.platform_id and p.id = s.payment_id
    join banks b on b.platform_id = s.platform_id and b.id = s.bank_id
    where p.status in ('IN_PROCESS', 'PAID')
  )
  select
    min(platform_id::text)::uuid as platform_id, own_leg_id, number, count(*) as deposits,
    array_agg(payment_id) as payment_ids
  from deposited
  group by own_leg_id, account_digest, number
  having count(*) > 1
`

/** Selects debits of an account of the operator. `digests`: the digests of the operator's accounts by each key. */
export const debitsOfOperator = (sql: Sql, digests: readonly Buffer[]) => sql`
  select l.platform_id, l.id, l.purpose, l.status, l.cents
  from legs l
  join banks b on b.platform_id = l.platform_id and b.id = l.account_id
  where l.rail = 'ACH' and l.direction = 'debit' and ${isLiving(sql)} and b.account_digest in ${digestList(sql, digests)}
`
