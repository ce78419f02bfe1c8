-- Why an order cannot pay the account that it gives: the account or the address of its payee is one of its sender. Null: it can.
--
--   _external_id       of the sender
--   _recipient         the payee, as the order names it
--   _account_digests   of the account, by the master keys of the caller's ring
create or replace function own_account_refusal_v1(
  _platform_id uuid, _sender_id uuid, _external_id text, _recipient text, _account_digests bytea[]
) returns refusal language plpgsql stable as $$
begin
  if exists (
    select
    from banks
    where platform_id = _platform_id and user_id = _sender_id and account_digest = any (_account_digests) and deleted_at is null
  ) then
    return refusal_v1('own_recipient', 'recipient.account');
  end if;
  if lower(_recipient) = lower(_external_id) or exists (
    select
    from receiving_addresses
    where email_hash = sha256(convert_to(lower(_recipient), 'UTF8')) and platform_id = _sender_id
  ) then
    return refusal_v1('own_recipient', 'recipient');
  end if;
  return null;
end $$;
