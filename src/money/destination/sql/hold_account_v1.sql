-- Finds a payout account of a user by id, and prevents its deletion until the end of the transaction (hold_accounts_v1). The kind is null
-- if the user has no such account.
create or replace function hold_account_v1(
  _platform_id uuid, _user_id uuid, _id uuid, out kind text, out is_abroad boolean, out block text
) language plpgsql as $$
begin
  select a.kind, a.is_abroad, a.block into kind, is_abroad, block
  from hold_accounts_v1(_platform_id, array[_user_id], array[_id]) a;
  is_abroad := coalesce(is_abroad, false);
end $$;
