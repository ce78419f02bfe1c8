-- Returns why a sender may not send any payment, or null. The reasons: it was deleted, it is stopped, it has a debt (the detail, in cents),
-- or it is not verified.
create or replace function sender_refusal_v1(_status text, _standing text, _debt_cents bigint, _must_be_verified boolean)
returns refusal language sql immutable parallel safe as $$
  select case
    when _status is null then refusal_v1('unauthorized')
    when _standing <> 'ACTIVE' then refusal_v1('user_not_active')
    when _debt_cents > 0 then refusal_v1('debt_open', _detail => _debt_cents::text)
    when _must_be_verified and _status <> 'VERIFIED' then refusal_v1('user_not_verified')
  end
$$;
