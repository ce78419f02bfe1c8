-- Returns why a payment cannot be drawn on a bank of its sender that is missing or not VERIFIED.
--
--   _funding_id    the bank that the order names, or null for the default bank
--   _bank_id       null when the sender has no such bank
--   _return_code   the return code that blocks the bank, or null. It is also the detail.
create or replace function bank_refusal_v1(_funding_id uuid, _bank_id uuid, _return_code text)
returns refusal language sql immutable parallel safe as $$
  select case
    when _bank_id is null and _funding_id is not null then refusal_v1('bank_not_found', 'account')
    when _return_code is not null then refusal_v1('bank_blocked', 'account', _return_code)
    when _funding_id is null then refusal_v1('no_verified_bank', 'account')
    else refusal_v1('bank_not_verified', 'account')
  end
$$;
