-- Finds a payout account of a user by id (a bank, a wallet, or another destination) and keeps it from being deleted until
-- the end of the transaction.
--
--   kind             bank, wallet, or the kind of the destination; null when the user has no such account
--   is_abroad        whether a wire goes abroad
--   block            the return code that blocks credits to a bank, or null
-- Locks: the row of the account, shared.
create or replace function hold_account_v1(
  _platform_id uuid, _user_id uuid, _id uuid, out kind text, out is_abroad boolean, out block text
) language plpgsql as $$
begin
  is_abroad := false;
  -- One statement reads a bank and its block under the same digest, even while a key rotation renews both. See account_block_v1, which
  -- Citus would refuse here.
  select 'bank', (
    select k.return_code
    from account_blocks k
    where k.platform_id = _platform_id and k.holder_id in (b.user_id, '00000000-0000-0000-0000-000000000000')
      and k.account_digest = b.account_digest and k.blocks_credits
    limit 1
  ) into kind, block
  from banks b
  where b.platform_id = _platform_id and b.id = _id and b.user_id = _user_id and b.deleted_at is null
  for key share;
  if found then
    return;
  end if;
  select 'wallet' into kind
  from wallets w
  where w.platform_id = _platform_id and w.id = _id and w.user_id = _user_id and w.deleted_at is null
  for key share;
  if found then
    return;
  end if;
  select d.kind, coalesce(d.details ->> 'country', 'US') <> 'US' into kind, is_abroad
  from destinations d
  where d.platform_id = _platform_id and d.id = _id and d.user_id = _user_id and d.deleted_at is null
  for key share;
end $$;
