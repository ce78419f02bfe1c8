-- Returns the account of a bank, for an entry that is about to be sent. The bank may be deleted.
--
--   _holder_id   the user whose bank must not be deleted until the end of the transaction, or null for no lock
--
-- All values are null if the bank does not exist. `block_code` is the return code that blocks the entry. `held_status` is the status of the
-- bank of `_holder_id`.
create or replace function entry_account_v1(
  _platform_id uuid, _bank_id uuid, _is_credit boolean, _holder_id uuid,
  out account_sealed bytea, out block_code text, out held_status text
) language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  account record;
begin
  if _holder_id is not null then
    select b.status into held_status
    from banks b
    where b.platform_id = _platform_id and b.id = _bank_id and b.user_id = _holder_id and b.deleted_at is null
    for key share;
  end if;
  select b.user_id, b.account_digest, b.account_sealed into account
  from banks b
  where b.platform_id = _platform_id and b.id = _bank_id;
  if found then
    account_sealed := account.account_sealed;
    block_code := account_block_v1(_platform_id, account.user_id, account.account_digest, _is_credit);
  end if;
end $$;
