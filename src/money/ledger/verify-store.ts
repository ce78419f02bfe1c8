import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import { type Sql, withoutTimeLimit } from '../../foundation/db/connect.ts'
import type { Fragment } from '../../foundation/db/skipped.ts'
import { OTHER_PLATFORM } from './posting-rules.ts'

/** Makes the transaction a read-only snapshot. */
export const readSnapshot = (sql: Sql) => sql`set transaction isolation level repeatable read, read only`

/**
 * Sets the limits of the transaction. The server also checks that the client is still connected, because a check can take minutes. It plans
 * each check for the tables as they are: a plan that a connection kept from small tables can compare all rows with all others.
 */
export async function limitEffort(
  sql: Sql,
  { timeoutMs, isGentle }: { timeoutMs: number; isGentle: boolean },
): Promise<void> {
  await withoutTimeLimit(sql)
  await sql`
    select
      set_config('statement_timeout', ${String(timeoutMs)}, true),
      set_config('client_connection_check_interval', '1000', true),
      set_config('plan_cache_mode', 'force_custom_plan', true),
      case when ${isGentle} then set_config('max_parallel_workers_per_gather', '0', true) end
  `
}

/** The result of a check: the number of checked rows, and the violations. */
export type Finding = { checked: number; offending: Record<string, unknown>[] }

/** A rule of the ledger: the table that it checks, and the query for violations. */
export type Check = { table: string; violations: (sql: Sql) => Fragment }

/** The maximum number of violations in the report. One violation of each platform comes first, so that no platform hides another. */
const MAX_SHOWN = 50

export async function runCheck(sql: Sql, { table, violations }: Check): Promise<Finding> {
  const [counted] = await sql<{ count: number }[]>`
    ${allPlatforms('serves the operator')}
    select count(*)
    from ${sql(table)}
  `
  const offending = await sql<(Record<string, unknown> & { nth: number })[]>`
    ${allPlatforms('serves the operator')}
    select *
    from (
      select found.*, row_number() over (partition by platform_id) as nth
      from (${violations(sql)}) found
    ) numbered
    order by nth
    limit ${MAX_SHOWN}
  `
  return { checked: counted?.count ?? 0, offending: offending.map(({ nth, ...row }) => row) }
}

/** Selects platforms whose ledger accounts do not sum to zero, although every debit has a credit. */
export const unbalancedPlatforms = (sql: Sql) => sql`
  with entries as (
    select platform_id, credit as account, cents from transfers where status = 'POSTED'
    union all
    select platform_id, debit, -cents from transfers where status = 'POSTED'
  )
  select platform_id, sum(cents)::bigint as cents
  from entries
  group by platform_id
  having sum(cents) <> 0
`

/** Selects wallets whose balance is negative, or differs from the sum of their transfers, including holds. */
export const wrongWallets = (sql: Sql) => sql`
  with entries as (
    select platform_id, credit as account, cents as posted, 0 as held
    from transfers
    where status = 'POSTED' and credit like 'wallet:%'
    union all
    select platform_id, debit, case status when 'POSTED' then -cents else 0 end,
      case status when 'PENDING' then cents else 0 end
    from transfers
    where status <> 'VOIDED' and debit like 'wallet:%'
  ),
  sums as (
    select platform_id, replace(substr(account, 8), '-', '') as id, sum(posted) as posted, sum(held) as held
    from entries
    group by platform_id, account
  )
  select
    coalesce(w.platform_id, s.platform_id) as platform_id, coalesce(w.id::text, s.id) as id, w.balance_cents, w.held_cents, coalesce(s.posted, 0)::bigint as posted_cents,
    coalesce(s.held, 0)::bigint as pending_cents
  from wallets w
  full join sums s on s.platform_id = w.platform_id and s.id = replace(w.id::text, '-', '')
  where w.id is null or w.balance_cents <> coalesce(s.posted, 0) or w.held_cents <> coalesce(s.held, 0)
    or w.balance_cents < 0 or w.held_cents < 0 or w.held_cents > w.balance_cents
`

/**
 * Selects payments that violate a rule. The `payable` balance of a payment must be exactly what its legs, its wallets and the operator
 * brought in and took out, so a debit that came back after the payout must have become a debt. An ended payment has no balance, unless its
 * refund is due. A PAID payment was paid out. A payment that is IN_PROCESS has a leg that moves its money.
 */
export const wrongPayments = (sql: Sql) => sql`
  with booked as (
    select
      platform_id, payment_id,
      sum(case 'payable' when credit then cents when debit then -cents end)::bigint as cents,
      -- What no leg shows: money of wallets, the debt, and the cents that the operator paid outside of the service.
      sum(
        case
          when debit like 'wallet:%' or reason = 'pull_returned_late' then cents
          when credit like 'wallet:%' or credit = ${`clearing:${OTHER_PLATFORM}`} or reason in ('debt_covered', 'paid_outside') then -cents
          else 0
        end
      )::bigint as without_leg
    from transfers
    where status = 'POSTED' and payment_id is not null and ('payable' in (debit, credit) or reason = 'pull_returned_late')
    group by platform_id, payment_id
  ),
  held as (
    select platform_id, payment_id, count(*) as holds
    from transfers
    where status = 'PENDING' and payment_id is not null
    group by platform_id, payment_id
  ),
  moved as (
    select
      platform_id, subject_id,
      sum(case when purpose = 'payment_pull' and status in ('SETTLED', 'TRUSTED') then cents else 0 end)::bigint as pulled,
      sum(case when purpose <> 'payment_pull' and status in ('SENT', 'ACCEPTED', 'STOPPING', 'SETTLED') then cents else 0 end)::bigint as pushed,
      sum(cents) filter (where purpose = 'payment_push' and status in ('SENT', 'ACCEPTED', 'STOPPING', 'SETTLED')) as paid_out,
      count(*) filter (where purpose = 'payment_pull' and status in ('SENT', 'ACCEPTED')) as pulling,
      count(*) filter (
        where status in ('WAITING', 'SENT', 'ACCEPTED', 'STOPPING') or purpose = 'payment_pull' and status = 'SETTLED'
      ) as moving,
      count(*) filter (where purpose = 'payment_refund' and status = 'WAITING') as refunding,
      count(*) filter (where purpose = 'payment_pull' and status in ('SENT', 'ACCEPTED', 'SETTLED')) as unsettled
    from legs
    where purpose <> 'micro_deposit'
    group by platform_id, subject_id
  )
  select
    p.platform_id, p.id, p.status, p.funding_kind, p.amount_cents, coalesce(b.cents, 0) as payable_cents,
    ${dueCents(sql)} as expected_cents, coalesce(h.holds, 0) as holds
  from payments p
  left join booked b on b.platform_id = p.platform_id and b.payment_id = p.id
  left join held h on h.platform_id = p.platform_id and h.payment_id = p.id
  left join moved m on m.platform_id = p.platform_id and m.subject_id = p.id
  where
    coalesce(h.holds, 0) <> case
      when p.funding_kind = 'wallet' then (p.status = 'UNPAID')::int
      else coalesce(m.pulling, 0)
    end
    or coalesce(b.cents, 0) not in (0, p.amount_cents)
    or (p.status in ('UNPAID', 'PAID') and coalesce(b.cents, 0) <> 0)
    -- The money of a PAID payment is in a wallet, or left with a leg that was not returned.
    or (
      p.status = 'PAID'
      and case when p.rail = 'WALLET' then b.cents is null else coalesce(m.paid_out, 0) <> p.amount_cents end
    )
    or (p.status = 'IN_PROCESS' and coalesce(m.moving, 0) = 0)
    -- The money of an ended payment waits for its refund, for the user of a scanned check, or for a decision of the operator.
    or (
      coalesce(b.cents, 0) <> 0 and coalesce(m.refunding, 0) = 0
      and case
        when p.status = 'FAILED' then p.refund_at is null and p.kind <> 'SCANNED'
        else p.status in ('VOID', 'EXPIRED', 'REFUNDED') and coalesce(m.unsettled, 0) = 0
      end
      and not exists (
        select from exceptions x where x.platform_id = p.platform_id and x.payment_id = p.id and x.closed_at is null
      )
    )
    or coalesce(b.cents, 0) <> ${dueCents(sql)}
`

/** Returns the `payable` balance that a payment must have by its legs (`m`) and by the other transfers (`b`). */
const dueCents = (sql: Sql) => sql`coalesce(m.pulled, 0) - coalesce(m.pushed, 0) + coalesce(b.without_leg, 0)`

/** Selects virtual cards whose balance differs from the sum of their transfers or of their transactions. */
export const wrongCards = (sql: Sql) => sql`
  with entries as (
    select platform_id, replace(substr(credit, 6), '-', '') as id, cents
    from transfers
    where status = 'POSTED' and credit like 'card:%'
    union all
    select platform_id, replace(substr(debit, 6), '-', ''), -cents
    from transfers
    where status = 'POSTED' and debit like 'card:%'
  ),
  moved as (select platform_id, id, sum(cents)::bigint as cents from entries group by platform_id, id),
  told as (
    select platform_id, replace(card_id::text, '-', '') as id, sum(cents)::bigint as cents
    from card_transactions
    group by platform_id, card_id
  ),
  kept as (select platform_id, replace(id::text, '-', '') as id, balance_cents from virtual_cards)
  select
    platform_id, id, coalesce(k.balance_cents, 0) as balance_cents, coalesce(m.cents, 0) as transferred_cents,
    coalesce(t.cents, 0) as told_cents
  from kept k
  full join moved m using (platform_id, id)
  full join told t using (platform_id, id)
  where coalesce(k.balance_cents, 0) <> coalesce(m.cents, 0) or coalesce(k.balance_cents, 0) <> coalesce(t.cents, 0)
`

/** Selects rails whose clearing balance differs from the legs that were sent and have not ended. */
export const wrongClearing = (sql: Sql) => sql`
  with balances as (
    select platform_id, rail, sum(cents)::bigint as cents
    from (
      select platform_id, substr(credit, 10) as rail, cents
      from transfers
      where status = 'POSTED' and credit like 'clearing:%' and credit <> ${`clearing:${OTHER_PLATFORM}`}
      union all
      select platform_id, substr(debit, 10), -cents
      from transfers
      where status = 'POSTED' and debit like 'clearing:%' and debit <> ${`clearing:${OTHER_PLATFORM}`}
    ) entries
    group by platform_id, rail
  ),
  flying as (
    select platform_id, rail, sum(cents)::bigint as cents
    from legs
    where direction = 'credit' and status in ('SENT', 'ACCEPTED', 'STOPPING')
    group by platform_id, rail
  )
  select
    platform_id, rail, coalesce(b.cents, 0) as clearing_cents, coalesce(f.cents, 0) as cents_on_their_way
  from balances b
  full join flying f using (platform_id, rail)
  where coalesce(b.cents, 0) <> coalesce(f.cents, 0)
`

/** Selects money that was sent to another platform and did not arrive there exactly once, although no message about it is waiting. */
export const wrongTransits = (sql: Sql) => sql`
  with entries as (
    select platform_id, payment_id, cents
    from transfers
    where status = 'POSTED' and credit = ${`clearing:${OTHER_PLATFORM}`}
    union all
    select platform_id, payment_id, -cents
    from transfers
    where status = 'POSTED' and debit = ${`clearing:${OTHER_PLATFORM}`}
  ),
  moved as (
    select min(platform_id::text) filter (where cents > 0) as platform_id, payment_id, sum(cents)::bigint as cents
    from entries
    group by payment_id
  ),
  messages as materialized (
    select platform_id, target_platform_id, subject_id, position, cents
    from outbox
    where cents is not null
  ),
  -- Messages that were applied and are not deleted yet. They are materialized, because Citus cannot join the rows of two platforms
  -- otherwise.
  applied as materialized (
    select m.platform_id, m.position
    from messages m
    join received_payments r
      on r.platform_id = m.target_platform_id and r.payment_id = m.subject_id and r.version >= m.position
  ),
  coming as (
    select platform_id, subject_id as payment_id, sum(cents)::bigint as cents
    from messages m
    where not exists (select from applied a where a.platform_id = m.platform_id and a.position = m.position)
    group by platform_id, subject_id
  )
  select
    coalesce(m.platform_id::uuid, c.platform_id) as platform_id, payment_id, coalesce(m.cents, 0) as clearing_cents,
    coalesce(c.cents, 0) as cents_on_their_way
  from moved m
  full join coming c using (payment_id)
  where coalesce(m.cents, 0) <> coalesce(c.cents, 0)
`

/**
 * Selects debts that violate a rule. A user's debt for a payment is never negative, and does not exceed the sum of the payment's returned
 * debits. A debt without a payment does not exceed the returned credits to wallets. The stored debt of the user must be the total.
 */
export const wrongReceivables = (sql: Sql) => sql`
  with entries as (
    select platform_id, replace(substr(debit, 12), '-', '') as user_id, payment_id, cents
    from transfers
    where status = 'POSTED' and debit like 'receivable:%'
    union all
    select platform_id, replace(substr(credit, 12), '-', ''), payment_id, -cents
    from transfers
    where status = 'POSTED' and credit like 'receivable:%'
  ),
  owed as (
    select platform_id, user_id, payment_id, sum(cents)::bigint as cents
    from entries
    group by platform_id, user_id, payment_id
  ),
  debts as (
    select platform_id, user_id, sum(cents)::bigint as cents
    from owed
    group by platform_id, user_id
  ),
  kept as (
    select platform_id, replace(user_id::text, '-', '') as user_id, debt_cents
    from user_counters
    where debt_cents > 0
  ),
  returned as (
    select l.platform_id, l.subject_id as payment_id, replace(p.sender_id::text, '-', '') as user_id,
      sum(l.cents)::bigint as cents
    from legs l
    join payments p on p.platform_id = l.platform_id and p.id = l.subject_id
    where l.purpose = 'payment_pull' and l.status = 'RETURNED'
    group by l.platform_id, l.subject_id, p.sender_id
    union all
    select platform_id, null, replace(substr(debit, 12), '-', ''), sum(cents)::bigint
    from transfers
    where status = 'POSTED' and reason = 'fund_returned_late' and debit like 'receivable:%'
    group by platform_id, debit
  )
  select o.platform_id, o.user_id, o.payment_id, o.cents as owed_cents, null::bigint as debt_cents
  from owed o
  left join returned r
    on r.platform_id = o.platform_id and r.payment_id is not distinct from o.payment_id and r.user_id = o.user_id
  where o.cents < 0 or o.cents > coalesce(r.cents, 0)
  union all
  select coalesce(d.platform_id, k.platform_id), coalesce(d.user_id, k.user_id), null, coalesce(d.cents, 0),
    coalesce(k.debt_cents, 0)
  from debts d
  full join kept k on k.platform_id = d.platform_id and k.user_id = d.user_id
  where coalesce(d.cents, 0) <> coalesce(k.debt_cents, 0)
`

/** Returns the condition for legs whose money has reached its receiver or is in transit. */
export const isLiving = (sql: Sql) => sql`l.status in ('SENT', 'ACCEPTED', 'STOPPING', 'SETTLED', 'TRUSTED')`

/** Returns the condition that the payee of payment `p` has the money or may still get it, as `isWithPayee` defines in TypeScript. */
export const hasPayout = (sql: Sql) => sql`
  exists (
    select
    from legs l
    where l.platform_id = p.platform_id and l.subject_id = p.id and l.purpose = 'payment_push' and ${isLiving(sql)}
  )
`

/**
 * Selects invoices that violate a rule. The payment that an invoice names must have a matching status, and no other payment for the invoice
 * may be open or paid. Of an invoice between platforms, the payer's row is checked here, and the other one by `wrongInvoiceRows`.
 */
export const wrongInvoices = (sql: Sql) => sql`
  select
    coalesce(i.platform_id, p.platform_id) as platform_id, i.id, i.status, i.payment_id, p.id as payment_found, p.status as payment_status
  from invoices i
  full join (
    select platform_id, id, invoice_id, status
    from payments p
    where invoice_id is not null and status not in ('REFUNDED', 'VOID', 'EXPIRED')
      and (
        status <> 'FAILED'
        -- Its debit was returned, and its payee keeps the money.
        or ${hasPayout(sql)}
      )
  ) p on p.platform_id = i.platform_id and p.invoice_id = i.id
  where i.recipient_platform_id is null
    and (
      i.payment_id is distinct from p.id
      or (i.status = 'PAID') <> (p.status = 'PAID') and p.status <> 'FAILED'
      or p.status = 'FAILED' and i.status not in ('IN_PROCESS', 'PAID')
    )
`

/** Selects invoices between platforms whose rows differ, or of which one is missing, although no message about the invoice is waiting. */
export const wrongInvoiceRows = (sql: Sql) => sql`
  -- They are materialized, because Citus cannot join the rows of two platforms otherwise.
  with sent as materialized (
    select platform_id, id, recipient_platform_id, status, payment_id, amount_cents
    from invoices
    where recipient_platform_id is not null
  ),
  received as materialized (
    select platform_id, id, sender_platform_id, status, payment_id, amount_cents
    from invoices
    where sender_platform_id is not null
  ),
  waiting as materialized (
    select subject_id as id
    from outbox
    where kind in ('invoice_created', 'invoice_changed', 'invoice_voided')
  )
  select
    coalesce(s.platform_id, r.sender_platform_id) as platform_id, coalesce(s.id, r.id) as id, s.status as sender_status,
    s.payment_id as sender_payment_id, r.platform_id as payer_platform_id, r.status as payer_status, r.payment_id as payer_payment_id
  from sent s
  full join received r on r.id = s.id and r.platform_id = s.recipient_platform_id and r.sender_platform_id = s.platform_id
  where (s.status, s.payment_id, s.amount_cents) is distinct from (r.status, r.payment_id, r.amount_cents)
    and not exists (select from waiting w where w.id = coalesce(s.id, r.id))
`
