-- Returns why a payment cannot be drawn on a wallet of its sender, or null.
--
--   _available_cents   the available cents of the wallet, or null if the sender has no such wallet
create or replace function wallet_refusal_v1(_amount_cents bigint, _available_cents bigint)
returns refusal language sql immutable parallel safe as $$
  select case
    when _available_cents is null then refusal_v1('bank_not_found', 'account')
    when _available_cents < _amount_cents then refusal_v1('insufficient_funds', 'account')
  end
$$;
