-- Why a sender may not send any payment, or null: it was deleted, it is stopped, it has a debt (the detail, in cents), or it is
-- not verified.
create or replace function sender_refusal_v1(_status text, _standing text, _debt_cents bigint, _must_be_verified boolean)
returns refusal language sql immutable parallel safe as $$
  select case
    when _status is null then row('unauthorized', null, null)::refusal
    when _standing <> 'ACTIVE' then row('user_not_active', null, null)::refusal
    when _debt_cents > 0 then row('debt_open', null, _debt_cents::text)::refusal
    when _must_be_verified and _status <> 'VERIFIED' then row('user_not_verified', null, null)::refusal
  end
$$;
