-- Changes the statuses of payments that have one of the expected statuses, and records the events in their histories and for webhooks.
--
--   _changes   JSON array of the columns below, at most one for each payment:
--                statuses    the expected statuses; with another one, the payment does not change
--                event       the event of the state table
--                actor       who caused it, null for the service itself
--                event_body  the body of the webhook, byte for byte
--   changed_ids    the payments that had an expected status
--   is_due         whether a webhook or a message to another platform is now due
--
-- The generic plan is forced because PostgreSQL would otherwise plan these statements again for each change, which takes
-- five times as long as running them. The other settings make it find each payment by its key, even with outdated statistics.
-- Locks: the payments.
create or replace function change_payments_v1(_platform_id uuid, _changes json, out changed_ids uuid[], out is_due boolean)
language plpgsql set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  changed record;
  changes payment_change[] := '{}';
  _mailed constant text[] := '{IN_PROCESS,PAID,MAILED,FAILED,REFUNDED,VOID,EXPIRED}';
begin
  changed_ids := '{}';
  is_due := false;
  for changed in
    update payments p
    set
      status = c.status, rail = c.rail, destination_kind = c.destination_kind, destination_id = c.destination_id,
      destination_platform_id = case when p.destination_id = c.destination_id then p.destination_platform_id end,
      return_code = c.return_code, refund_at = c.refund_at, updated_at = c.changed_at,
      -- These statuses begin with a deposit, a printout, or a check for the printer.
      deposited_at = case when c.status in ('IN_PROCESS', 'PRINTED') then c.changed_at else p.deposited_at end,
      -- A payee without an account may need a mail. The worker decides when it runs (recipient-notice-rules.ts).
      invitation = case
        when p.invitation is not null and c.status = any (_mailed) then 'DUE'
        else p.invitation
      end
    from json_to_recordset(_changes) as c (
      payment_id uuid, statuses text[], status text, rail text, destination_kind text, destination_id uuid, return_code text,
      refund_at timestamptz, event_id uuid, event_body text, changed_at timestamptz
    )
    where p.platform_id = _platform_id and p.id = c.payment_id and p.status = any (c.statuses)
    returning p.*, c.event_id, c.event_body
  loop
    changed_ids := array_append(changed_ids, changed.id);
    changes := array_append(changes, row(
      changed.platform_id, changed.id, changed.kind, changed.status, changed.rail, changed.amount_cents, changed.sender_id,
      changed.recipient_platform_id, changed.recipient_id, changed.application_platform_id, changed.application_id,
      changed.destination_id, changed.updated_at, changed.event_id, changed.event_body
    )::payment_change);
  end loop;
  if cardinality(changed_ids) = 0 then
    return;
  end if;
  if exists (select from unnest(changes) c where c.kind = 'MULTI' and c.status = any (_mailed)) then
    update payment_recipients r
    set invitation = 'DUE', invite_at = null
    from unnest(changes) c
    where r.platform_id = _platform_id and r.payment_id = c.id and r.invitation is not null
      and c.kind = 'MULTI' and c.status = any (_mailed);
  end if;
  insert into payment_history (
    platform_id, payment_id, position, kind, event, status, rail, return_code, event_id, actor, actor_id, created_at, real_at
  )
  select
    _platform_id, c.payment_id,
    (
      select coalesce(max(h.position), 0) + 1
      from payment_history h
      where h.platform_id = _platform_id and h.payment_id = c.payment_id
    ),
    'payment', c.event, c.status, c.rail, c.return_code, c.event_id, c.actor, c.actor_id, c.changed_at, c.real_at
  from json_to_recordset(_changes) as c (
    payment_id uuid, event text, status text, rail text, return_code text, event_id uuid, actor text, actor_id text,
    changed_at timestamptz, real_at timestamptz
  )
  where c.payment_id = any (changed_ids);
  is_due := record_payment_events_v1(_platform_id, changes);
end $$;
