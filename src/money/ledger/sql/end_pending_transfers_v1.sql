-- Ends pending transfers, each of one payment between two accounts. The service role may not update transfers. This function runs with the
-- rights of its owner, so it is the only change of transfers that the role can make.
--
--   _payment_ids, _debits, _credits   the transfers, at the same places of the arrays
--   _statuses                         POSTED or VOIDED
--   _ended_ats                        when they end
--
-- Returns the cents of the transfers, in the same order.
-- Raises an exception for another status, or unless each is exactly one pending transfer.
-- Locks: the transfers.
create or replace function end_pending_transfers_v1(
  _platform_id uuid, _payment_ids uuid[], _debits text[], _credits text[], _statuses text[], _ended_ats timestamptz[]
) returns bigint[] language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  ended record;
  ended_count integer := 0;
  ended_cents bigint[] := array_fill(null::bigint, array[cardinality(_payment_ids)]);
begin
  if exists (select from unnest(_statuses) s (status) where s.status is null or s.status not in ('POSTED', 'VOIDED')) then
    raise exception 'a pending transfer ends as POSTED or VOIDED';
  end if;
  for ended in
    update transfers t
    set status = e.status, ended_at = e.ended_at
    from unnest(_payment_ids, _debits, _credits, _statuses, _ended_ats)
      with ordinality as e (payment_id, debit, credit, status, ended_at, place)
    where t.platform_id = _platform_id and t.payment_id = e.payment_id and t.debit = e.debit and t.credit = e.credit
      and t.status = 'PENDING'
    returning e.place, t.cents
  loop
    if ended_cents[ended.place] is not null then
      raise exception 'a payment has several pending transfers between two accounts' using errcode = 'too_many_rows';
    end if;
    ended_cents[ended.place] := ended.cents;
    ended_count := ended_count + 1;
  end loop;
  if ended_count <> cardinality(_payment_ids) then
    raise exception 'a payment has no pending transfer between two accounts' using errcode = 'no_data_found';
  end if;
  return ended_cents;
end $$;
