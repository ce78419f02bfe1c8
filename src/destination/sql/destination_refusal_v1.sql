-- Why an account cannot be paid into, or null. The account cannot be deleted before the end of the transaction.
--
-- Outcomes: destination_not_found; destination_blocked with the return code behind a space.
-- Locks: the row of the account, shared.
create or replace function destination_refusal_v1(_platform_id uuid, _user_id uuid, _kind text, _id uuid) returns text
language plpgsql as $$
declare
  digest bytea;
begin
  case _kind
    when 'bank' then
      select b.account_digest into digest
      from banks b
      where b.platform_id = _platform_id and b.id = _id and b.user_id = _user_id and b.deleted_at is null
      for key share;
      if found then
        return 'destination_blocked ' || account_block_v1(_platform_id, _user_id, digest, true);
      end if;
    when 'wallet' then
      perform 1 from wallets
      where platform_id = _platform_id and id = _id and user_id = _user_id and deleted_at is null
      for key share;
    else
      perform 1 from destinations
      where platform_id = _platform_id and id = _id and user_id = _user_id and kind = _kind and deleted_at is null
      for key share;
  end case;
  return case when not found then 'destination_not_found' end;
end $$;
