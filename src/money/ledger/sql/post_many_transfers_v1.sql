-- Applies postings of several payments. Those that change no balance are written with one statement for all. The others are applied one by
-- one, in the order of the list, by post_transfers_v1.
--
--   _postings   JSON array of {id, mode, debit, credit, cents, reason}, as for post_transfers_v1, each with payment_id, leg_id and
--               created_at. A pending transfer and its end are not in one list.
--
-- Returns whether a webhook about a balance is now due.
-- Raises an exception unless there is exactly one pending transfer to end, or if a balance would become negative.
-- Locks: all wallets in the order of their ids, and then each debtor's counters in the order of the postings.
create or replace function post_many_transfers_v1(_platform_id uuid, _postings json) returns boolean
language plpgsql set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  posting record;
  wallet_ids uuid[];
  is_due boolean := false;
  payment_ids uuid[];
  debits text[];
  credits text[];
  statuses text[];
  ended_ats timestamptz[];
begin
  insert into transfers (platform_id, id, debit, credit, cents, status, reason, payment_id, leg_id, created_at)
  select
    _platform_id, p.id, p.debit, p.credit, p.cents, case when p.mode = 'hold' then 'PENDING' else 'POSTED' end, p.reason,
    p.payment_id, p.leg_id, p.created_at
  from json_to_recordset(_postings) as p (
    id uuid, mode text, debit text, credit text, cents bigint, reason text, payment_id uuid, leg_id uuid, created_at timestamptz
  )
  where p.mode in ('hold', 'post') and not changes_balance_v1(p.debit) and not changes_balance_v1(p.credit);

  select
    array_agg(p.payment_id), array_agg(p.debit), array_agg(p.credit),
    array_agg(case when p.mode = 'post_held' then 'POSTED' else 'VOIDED' end), array_agg(p.created_at)
  into payment_ids, debits, credits, statuses, ended_ats
  from json_to_recordset(_postings) as p (mode text, debit text, credit text, payment_id uuid, created_at timestamptz)
  where p.mode in ('post_held', 'void_held') and not changes_balance_v1(p.debit) and not changes_balance_v1(p.credit);
  if payment_ids is not null then
    perform end_pending_transfers_v1(_platform_id, payment_ids, debits, credits, statuses, ended_ats);
  end if;

  wallet_ids := array(
    select substr(account.name, 8)::uuid
    from json_to_recordset(_postings) as p (debit text, credit text)
    cross join lateral (values (p.debit), (p.credit)) account (name)
    where account.name like 'wallet:%'
  );
  if cardinality(wallet_ids) > 1 then
    perform from wallets where platform_id = _platform_id and id = any (wallet_ids) order by id for update;
  end if;
  for posting in
    select p.value, p.value ->> 'payment_id' as payment_id, p.value ->> 'leg_id' as leg_id, p.value ->> 'created_at' as created_at
    from json_array_elements(_postings) with ordinality as p (value, place)
    where changes_balance_v1(p.value ->> 'debit') or changes_balance_v1(p.value ->> 'credit')
    order by p.place
  loop
    is_due := post_transfers_v1(
      _platform_id, json_build_array(posting.value), posting.payment_id::uuid, posting.leg_id::uuid,
      posting.created_at::timestamptz
    ) or is_due;
  end loop;
  return is_due;
end $$;
