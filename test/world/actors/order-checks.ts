import { keep, type World } from '../world.ts'

// Checks of the payments that approvals, subscriptions and invoices make, and of their copies on other platforms.

type Scene = Pick<World, 'deps'>

/** Queries for contradicting rows, by the description of the contradiction. */
export async function checkOrders({ deps: { sql } }: Scene): Promise<void> {
  const problems = await sql<{ problem: string; id: string }[]>`
    select 'an approval is APPROVED without its payment, or has another amount' as problem, a.id
    from approvals a
    left join payments p on p.platform_id = a.platform_id and p.id = a.payment_id and p.amount_cents = a.amount_cents
    where a.kind <> 'BATCH' and (a.status = 'APPROVED') <> (p.id is not null)
    union all
    select 'an approval and its payment have different invoices', a.id
    from approvals a
    join payments p on p.platform_id = a.platform_id and p.id = a.payment_id
    where p.invoice_id is distinct from a.invoice_id
    union all
    select 'a subscription has lost runs', s.id
    from subscriptions s
    where s.next_run - 1 <> (
      select count(*)
      from subscription_runs r
      where r.platform_id = s.platform_id and r.subscription_id = s.id and r.number < s.next_run
    )
    union all
    select 'a run of a subscription does not have what it made', r.subscription_id
    from subscription_runs r
    left join payments p on p.platform_id = r.platform_id and p.id = r.payment_id
    left join approvals a on a.platform_id = r.platform_id and a.id = r.approval_id
    where (r.outcome = 'INVOICED') <> (r.invoice_id is not null)
      or (r.outcome = 'PAID') <> (p.id is not null)
      or (r.outcome = 'PREPARED') <> (a.id is not null)
    union all
    select 'an invoice and its payment name each other differently', i.id
    from invoices i
    join payments p on p.platform_id = i.platform_id and p.id = i.payment_id
    where p.invoice_id is distinct from i.id
    order by 1, 2
  `
  keep(
    'orders and their payments agree',
    problems.map(({ problem, id }) => `${problem}: ${id}`),
  )
}

/** Checks that two platforms have the same data about one payment, invoice or subscription when no message is pending. */
export async function checkCopies({ deps: { sql } }: Scene): Promise<void> {
  const problems = await sql<{ problem: string; id: string }[]>`
    with i as materialized (select * from invoices),
    s as materialized (select * from subscriptions),
    r as materialized (select payment_id, sender_platform_id, status, updated_at from received_payments),
    p as materialized (select platform_id, id, status, updated_at from payments),
    c as materialized (
      select s.*, exists (
        select from autopay_authorizations t
        where t.platform_id = s.platform_id and t.subscription_id = s.id and t.revoked_at is null
      ) as has_autopay
      from subscriptions s
    )
    select 'a copy of a payment differs' as problem, r.payment_id as id
    from r
    join p on p.platform_id = r.sender_platform_id and p.id = r.payment_id
    where (r.status, r.updated_at) is distinct from (p.status, p.updated_at)
    union all
    select 'a copy of an invoice differs', i.id
    from i
    left join i o on o.platform_id = i.recipient_platform_id and o.id = i.id
    where i.recipient_platform_id is not null
      and (i.status, i.payment_id, i.amount_cents) is distinct from (o.status, o.payment_id, o.amount_cents)
    union all
    select 'a copy of a subscription differs', s.id
    from s
    left join c on c.platform_id = s.recipient_platform_id and c.id = s.id
    where s.recipient_platform_id is not null
      and (s.state, s.next_run, s.skipped, s.amount_cents, s.has_autopay_elsewhere) is distinct from (
        c.state, c.next_run, c.skipped, c.amount_cents, c.has_autopay
      )
    order by 1, 2
  `
  keep(
    'two platforms know the same',
    problems.map(({ problem, id }) => `${problem}: ${id}`),
  )
}
