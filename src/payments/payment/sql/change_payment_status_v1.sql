-- Changes the status of a payment, if it has one of the expected statuses, and records the event in its history and for webhooks.
--
--   _from          the expected statuses; with another one, nothing changes
--   _event         the event of the state table
--   _actor         who caused it, null for the service itself
--   _body          the body of the webhook, byte for byte
--   changed        whether the payment had an expected status
--   is_due         whether a webhook or a message to another platform is now due
--
-- The generic plan is forced because PostgreSQL would otherwise plan these statements again for each change, which takes
-- five times as long as running them.
-- Locks: the payment.
create or replace function change_payment_status_v1(
  _platform_id uuid, _payment_id uuid, _from text[], _to text, _rail text, _destination_kind text, _destination_id uuid,
  _return_code text, _refund_at timestamptz, _event text, _actor text, _actor_id text, _event_id uuid, _body text,
  _now timestamptz, _real_now timestamptz,
  out changed boolean, out is_due boolean
) language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  payment payments;
  _mailed constant text[] := '{IN_PROCESS,PAID,MAILED,FAILED,REFUNDED,VOID,EXPIRED}';
begin
  update payments
  set
    status = _to, rail = _rail, destination_kind = _destination_kind, destination_id = _destination_id,
    destination_platform_id = case when destination_id = _destination_id then destination_platform_id end,
    return_code = _return_code, refund_at = _refund_at, updated_at = _now,
    -- Only a deposit, a printout and a check for the printer lead here.
    deposited_at = case when _to in ('IN_PROCESS', 'PRINTED') then _now else deposited_at end,
    -- A payee without an account may need a mail. The worker decides when it runs (recipient-notice-rules.ts).
    invitation = case
      when invitation is not null and _to = any (_mailed) then 'DUE'
      else invitation
    end
  where platform_id = _platform_id and id = _payment_id and status = any (_from)
  returning * into payment;
  changed := found;
  if not changed then
    return;
  end if;
  if payment.kind = 'MULTI' and _to = any (_mailed) then
    update payment_recipients
    set invitation = 'DUE', invite_at = null
    where platform_id = _platform_id and payment_id = _payment_id and invitation is not null;
  end if;
  insert into payment_history (
    platform_id, payment_id, position, kind, event, status, rail, return_code, event_id, actor, actor_id, created_at, real_at
  )
  select
    _platform_id, _payment_id, coalesce(max(h.position), 0) + 1, 'payment', _event, _to, _rail, _return_code, _event_id, _actor,
    _actor_id, _now, _real_now
  from payment_history h
  where h.platform_id = _platform_id and h.payment_id = _payment_id;
  is_due := record_payment_events_v1(_platform_id, array[row(
    _platform_id, _payment_id, payment.kind, _to, _rail, payment.amount_cents, payment.sender_id, payment.recipient_platform_id,
    payment.recipient_id, payment.application_platform_id, payment.application_id, _destination_id, _now, _event_id, _body
  )::payment_change]);
end $$;
