-- Returns a payee that was not found on the platform of its order: the user that the order names on another platform, or the owner whose
-- verified receiving address the order names. Otherwise the result has no payee_id.
--
--   _platform_id   of the user that the order names, or null
--   _login_id      the owner with the receiving address, or null
--   _is_verified   whether the address is verified
create or replace function payee_elsewhere_v1(_platform_id uuid, _user_id uuid, _login_id uuid, _is_verified boolean) returns payee
language plpgsql stable as $$
declare
  found_status text;
begin
  select u.status into found_status from users u where u.platform_id = _platform_id and u.id = _user_id and u.deleted_at is null;
  if found then
    return row(_platform_id, _user_id, found_status, null, false, null, null)::payee;
  end if;
  if not _is_verified then
    return row(null, null, null, _login_id, false, null, null)::payee;
  end if;
  select u.status into found_status from users u where u.platform_id = _login_id and u.id = _login_id and u.deleted_at is null;
  if found then
    return row(_login_id, _login_id, found_status, _login_id, true, null, null)::payee;
  end if;
  return row(null, null, null, _login_id, true, null, null)::payee;
end $$;
