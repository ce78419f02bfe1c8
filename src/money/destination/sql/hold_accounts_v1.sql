-- Finds payout accounts of users of a platform by id: banks, wallets and other destinations. Prevents their deletion until the end of the
-- transaction.
--
--   _user_ids, _ids   the users and their accounts, in the same order
--   place             the position in `_ids` of an account that was found, from 1
--   kind              bank, wallet, or the kind of the destination
--   is_abroad         whether a wire goes abroad
--   block             the return code that blocks credits to a bank, or null
-- Locks: the rows of the accounts, shared.
create or replace function hold_accounts_v1(_platform_id uuid, _user_ids uuid[], _ids uuid[])
returns table (place bigint, kind text, is_abroad boolean, block text) language plpgsql as $$
declare
  bank_count integer;
begin
  -- One statement reads a bank and its block with the same digest, even while a key rotation renews both. It does not call
  -- account_block_v1, because Citus would refuse that here.
  return query
  select a.place, 'bank', false, held.block
  from unnest(_user_ids, _ids) with ordinality a (user_id, id, place)
  cross join lateral (
    select (
      select k.return_code
      from account_blocks k
      where k.platform_id = _platform_id and k.holder_id in (b.user_id, '00000000-0000-0000-0000-000000000000')
        and k.account_digest = b.account_digest and k.blocks_credits
      limit 1
    ) as block
    from banks b
    where b.platform_id = _platform_id and b.id = a.id and b.user_id = a.user_id and b.deleted_at is null
    for key share
  ) held;
  get diagnostics bank_count = row_count;
  if bank_count = cardinality(_ids) then
    return;
  end if;
  return query
  select a.place, 'wallet', false, null
  from unnest(_user_ids, _ids) with ordinality a (user_id, id, place)
  cross join lateral (
    select
    from wallets w
    where w.platform_id = _platform_id and w.id = a.id and w.user_id = a.user_id and w.deleted_at is null
    for key share
  ) held;
  return query
  select a.place, held.kind, held.is_abroad, null
  from unnest(_user_ids, _ids) with ordinality a (user_id, id, place)
  cross join lateral (
    select d.kind, coalesce(d.details ->> 'country', 'US') <> 'US' as is_abroad
    from destinations d
    where d.platform_id = _platform_id and d.id = a.id and d.user_id = a.user_id and d.deleted_at is null
    for key share
  ) held;
end $$;
