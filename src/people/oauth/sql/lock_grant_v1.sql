-- Locks the grant of an application until the end of the transaction. The grant then cannot be revoked, and creates one payment at a time.
-- All columns are null if the grant does not exist, is revoked or is spent.
create or replace function lock_grant_v1(_platform_id uuid, _grant_id uuid) returns grants language plpgsql as $$
declare
  locked grants;
begin
  select g.* into locked
  from grants g
  where g.platform_id = _platform_id and g.id = _grant_id
  for no key update;
  if locked.revoked_at is not null or locked.spent_at is not null then
    return null;
  end if;
  return locked;
end $$;
