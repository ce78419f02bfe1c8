-- The version of an approval that pages show and requests name: it changes with each edit and with its payees.
create or replace function approval_version_v1(_platform_id uuid, _approval_id uuid) returns text language sql stable as $$
  select md5(concat_ws(' ', a.details ->> 'version', payee_state_v1(_platform_id, _approval_id)))
  from approvals a
  where a.platform_id = _platform_id and a.id = _approval_id
$$;
