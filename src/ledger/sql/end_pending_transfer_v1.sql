-- Ends the pending transfer of a payment between two accounts, and changes nothing else. The service role has no UPDATE on
-- transfers: this function runs with the rights of its owner, so that this is the only change that the role can make there.
--
--   _status   POSTED or VOIDED
--
-- Returns the cents of the transfer.
-- Raises an exception when there is not exactly one, or for another status.
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
