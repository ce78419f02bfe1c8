-- Why a sender may not send a payment, whatever its funding: its status, its debt, its limits, or a missing signature.
-- Limits are in cents, and null means no limit. The detail is the debt, or the rest of the limit, in cents.
create or replace function sender_refusal_v1(_sender sender_state, _payment payments, _required sender_requirements)
returns refusal language plpgsql as $$
declare
  cents bigint := _payment.amount_cents;
  reached text;
begin
  if _sender.status is null then
    return row('unauthorized', null, null)::refusal;
  end if;
  if _sender.standing <> 'ACTIVE' then
    return row('user_not_active', null, null)::refusal;
  end if;
  if _sender.debt_cents > 0 then
    return row('debt_open', null, _sender.debt_cents)::refusal;
  end if;
  if _required.must_be_verified and _sender.status <> 'VERIFIED' then
    return row('user_not_verified', null, null)::refusal;
  end if;
  reached := case
    when cents > _sender.payment_limit_cents then 'payment_limit_reached'
    when _sender.day_cents + cents > _sender.day_limit_cents then 'day_limit_reached'
    when _sender.month_cents + cents > _sender.month_limit_cents then 'month_limit_reached'
  end;
  if reached is not null then
    return row(reached, 'amount', greatest(0, least(
      _sender.payment_limit_cents, _sender.day_limit_cents - _sender.day_cents,
      _sender.month_limit_cents - _sender.month_cents
    )))::refusal;
  end if;
  if cents > _required.signature_above_cents and not exists (
    select from signatures g where g.platform_id = _payment.platform_id and g.user_id = _payment.sender_id
  ) then
    return row('signature_needed', 'amount', null)::refusal;
  end if;
  return null;
end $$;
