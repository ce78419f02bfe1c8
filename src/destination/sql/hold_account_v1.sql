-- Finds an account of a user that can be paid into, by its id: a bank, a wallet, or another destination. It cannot be deleted
-- before the end of the transaction.
--
--   kind             bank, wallet, or the kind of the destination; null when the user has no such account
--   is_abroad        whether a wire leads abroad
--   account_digest   of a bank
-- Locks: the row of the account, shared.
create or replace function hold_account_v1(
  _platform_id uuid, _user_id uuid, _id uuid, out kind text, out is_abroad boolean, out account_digest bytea
) language plpgsql as $$
begin
  is_abroad := false;
  select 'bank', b.account_digest into kind, account_digest
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
