-- Claims a message about a payment for the recipient's copy.
--
--   _position   of the message
--
-- Returns false if the message was applied before.
-- Raises an exception if the recipient has no copy.
-- Locks: the copy.
create or replace function claim_copied_payment_v1(_platform_id uuid, _payment_id uuid, _position bigint) returns boolean
language plpgsql as $$
begin
  update received_payments
  set version = _position
  where platform_id = _platform_id and payment_id = _payment_id and version < _position;
  if found then
    return true;
  end if;
  if exists (select from received_payments where platform_id = _platform_id and payment_id = _payment_id) then
    return false;
  end if;
  raise exception 'platform % has no copy of payment %', _platform_id, _payment_id;
end $$;
