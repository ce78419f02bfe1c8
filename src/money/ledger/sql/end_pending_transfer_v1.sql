-- Ends the pending transfer of a payment between two accounts. The service role may not update transfers. This function runs with the
-- rights of its owner, so it is the only change of transfers that the role can make.
--
--   _status   POSTED or VOIDED
--
-- Returns the cents of the transfer.
-- Raises an exception for another status, or unless there is exactly one pending transfer.
-- Locks: the transfer.
create or replace function end_pending_transfer_v1(
  _platform_id uuid, _payment_id uuid, _debit text, _credit text, _status text, _now timestamptz
) returns bigint language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  ended_cents bigint;
begin
  if _status is null or _status not in ('POSTED', 'VOIDED') then
    raise exception 'a pending transfer ends as POSTED or VOIDED';
  end if;
  update transfers
  set status = _status, ended_at = _now
  where platform_id = _platform_id and payment_id = _payment_id and debit = _debit and credit = _credit
    and status = 'PENDING'
  returning cents into strict ended_cents;
  return ended_cents;
end $$;
