-- Returns the return code that blocks an account number for a user, or null. A block applies to one user or to the whole platform.
--
--   _is_credit   whether the account is credited: fewer return codes block credits
create or replace function account_block_v1(_platform_id uuid, _user_id uuid, _account_digest bytea, _is_credit boolean) returns text
language plpgsql stable as $$
begin
  return (
    select k.return_code
    from account_blocks k
    where k.platform_id = _platform_id and k.holder_id in (_user_id, '00000000-0000-0000-0000-000000000000')
      and k.account_digest = _account_digest and (k.blocks_credits or not _is_credit)
    order by k.blocks_credits desc
    limit 1
  );
end $$;
