-- Locks the sender of a payment and reads its counters, status, limits and the bank that pays. The counters are locked
-- before anything else is read, because every change of a user's status or bank locks them too. The owner's row is locked
-- (shared), so that a payment and a simultaneous suspension are serialized.
--
-- Returns nulls when the sender was deleted.
create or replace function lock_sender_v1(_payment payments, _required sender_requirements) returns sender_state
language plpgsql as $$
declare
  today date := (_payment.created_at at time zone 'UTC')::date;
  counter user_counters;
  sender sender_state;
begin
  select c.* into counter
  from user_counters c
  where c.platform_id = _payment.platform_id and c.user_id = _payment.sender_id
  for update;

  select
    u.status, standing_v1(u.status, o.status), u.external_id, u.phone, u.expiration_days,
    counter.next_check_number, counter.debt_cents,
    case when counter.sent_on = today then counter.sent_day_cents else 0 end,
    case
      when date_trunc('month', counter.sent_on) = date_trunc('month', today) then counter.sent_month_cents
      else 0
    end,
    coalesce(l.payment_cents, _required.payment_limit_cents), coalesce(l.day_cents, _required.day_limit_cents),
    coalesce(l.month_cents, _required.month_limit_cents),
    b.id, b.status, b.account_digest
  into sender
  from users u
  join users o on o.platform_id = u.platform_id and o.id = u.platform_id
  left join user_limits l on l.platform_id = u.platform_id and l.user_id = u.id
  left join banks b on _payment.funding_kind = 'bank' and b.platform_id = u.platform_id and b.user_id = u.id
    and b.deleted_at is null
    and case when _payment.funding_id is null then b.is_default else b.id = _payment.funding_id end
  where u.platform_id = _payment.platform_id and u.id = _payment.sender_id and u.deleted_at is null
  for key share of o;
  return sender;
end $$;
