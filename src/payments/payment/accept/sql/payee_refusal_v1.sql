-- Returns why an order has no valid payee, or null. Senders cannot pay themselves: by id, or by a user_id, phone number
-- or email address that no other user has. Phone numbers are compared in E.164, addresses in lower case. The detail is
-- the return code that blocks the account of the payee.
create or replace function payee_refusal_v1(
  _sender_id uuid, _sender_external_id text, _sender_phone text, _recipient_email text, _recipient_phone text,
  _is_reachable boolean, _destination_id uuid, _destination_kind text, _payee_id uuid, _payee_status text,
  _login_id uuid, _is_verified boolean, _account_kind text, _account_block text
) returns refusal language sql immutable parallel safe as $$
  select case
    when _payee_id is null and _destination_id is not null and _account_kind is null
      then refusal_v1('recipient_not_found', 'recipient.id')
    when _payee_id is null and _is_verified then refusal_v1('recipient_not_active')
    when _payee_id is null and not _is_reachable then refusal_v1('invalid_recipient', 'recipient')
    when _payee_id = _sender_id or _payee_id is null and (
      _recipient_phone in (_sender_phone, _sender_external_id)
      or _recipient_email = lower(_sender_external_id)
      or _login_id = _sender_id
    )
      then refusal_v1('own_recipient', 'recipient')
    -- A user counts as active only if the owner of its platform is active. An owner has no user above it.
    when standing_v1(_payee_status, _payee_status) <> 'ACTIVE' then refusal_v1('recipient_not_active')
    when _destination_id is not null and _account_kind is distinct from _destination_kind
      then refusal_v1('bank_not_found', 'recipient.account')
    when _account_block is not null then refusal_v1('bank_blocked', 'recipient.account', _account_block)
  end
$$;
