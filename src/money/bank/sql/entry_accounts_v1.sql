-- Returns the accounts to which entries of banks go. The banks may be deleted. If the bank of a payment was corrected, its entries go to the
-- present account, and a block of either number blocks them.
--
--   _entries   JSON array of
--                bank_id
--                is_credit   whether the entry is a credit
--                holder_id   the user whose bank must not be deleted until the end of the transaction, or null for no lock
--
-- Returns a row for each entry whose bank exists. `place` is the position of the entry, from 1. `block_code` is the return code that blocks
-- the entry. `held_status` is the status of the bank of `holder_id`.
-- Locks: the banks of holders, in the order of their ids.
create or replace function entry_accounts_v1(_platform_id uuid, _entries json)
returns table (place integer, account_sealed bytea, block_code text, held_status text)
language plpgsql set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  held_ids uuid[] := array(
    select e.bank_id from json_to_recordset(_entries) as e (bank_id uuid, holder_id uuid) where e.holder_id is not null
  );
  places bigint[];
  user_ids uuid[];
  digests bytea[];
  corrected bytea[];
  sealed bytea[];
  credits boolean[];
  statuses text[];
begin
  if cardinality(held_ids) > 0 then
    perform from banks b
    where b.platform_id = _platform_id and b.id = any (held_ids) and b.deleted_at is null
    order by b.id
    for key share;
  end if;
  select
    array_agg(e.place), array_agg(b.user_id), array_agg(b.account_digest), array_agg(c.corrected_digest),
    array_agg(coalesce(c.account_sealed, b.account_sealed)), array_agg(e.is_credit),
    array_agg(case when b.user_id = e.holder_id and b.deleted_at is null then b.status end)
  into places, user_ids, digests, corrected, sealed, credits, statuses
  from rows from (json_to_recordset(_entries) as (bank_id uuid, is_credit boolean, holder_id uuid))
    with ordinality as e (bank_id, is_credit, holder_id, place)
  join banks b on b.platform_id = _platform_id and b.id = e.bank_id
  left join account_corrections c on c.platform_id = _platform_id and c.account_digest = b.account_digest
    and not exists (select from users u where u.platform_id = _platform_id and u.id = b.user_id);
  -- A separate statement, because the nodes of a cluster refuse a function that reads tables within a statement that does.
  return query
    select
      a.place::integer, a.account_sealed,
      coalesce(
        account_block_v1(_platform_id, a.user_id, a.account_digest, a.is_credit),
        case
          when a.corrected_digest is not null then account_block_v1(_platform_id, a.user_id, a.corrected_digest, a.is_credit)
        end
      ),
      a.held_status
    from unnest(places, user_ids, digests, corrected, sealed, credits, statuses)
      as a (place, user_id, account_digest, corrected_digest, account_sealed, is_credit, held_status);
end $$;
