-- Returns the version of an approval that pages show and requests name. The version changes with each edit and with the payees of the
-- approval.
--
--   _edit   the version in its details, which each edit changes
create or replace function approval_version_v1(_platform_id uuid, _approval_id uuid, _edit text) returns text
language plpgsql stable as $$
begin
  return md5(concat_ws(' ', _edit, payee_state_v1(_platform_id, _approval_id)));
end $$;
