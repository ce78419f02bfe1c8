-- Returns a digest of the payees of an approval and of their accounts on this platform. The digest changes when a payee adds or removes an
-- account, and when a saved payee is edited. Approvals that were given before such a change do not count.
create or replace function payee_state_v1(_platform_id uuid, _approval_id uuid) returns text language plpgsql stable as $$
begin
  return (
    with approval as (
      select *
      from approvals a
      where a.platform_id = _platform_id and a.id = _approval_id
    ), payees as (
      select a.payee_id as id
      from approval a
      where a.payee_platform_id = _platform_id
      union
      select (p.payee ->> 'userId')::uuid
      from approval a
      cross join lateral json_array_elements(a.details -> 'payees') p (payee)
      where (p.payee ->> 'platformId')::uuid = _platform_id
      union
      select r.payee_id
      from batch_rows r
      where r.platform_id = _platform_id and r.batch_id = _approval_id and r.payee_platform_id = _platform_id
    ), entries as (
      select e.id, e.name, e.email
      from approval a
      join directory_entries e on e.platform_id = _platform_id and e.user_id = a.user_id and e.id = case
        when a.details -> 'recipient' ->> 'id' ~ '^[0-9a-f]{32}$' then (a.details -> 'recipient' ->> 'id')::uuid
      end
      where json_typeof(a.details -> 'recipient') = 'object'
    ), parts as (
      select b.id::text as part
      from payees p
      join banks b on b.platform_id = _platform_id and b.user_id = p.id and b.deleted_at is null
      union all
      select d.id::text
      from payees p
      join destinations d on d.platform_id = _platform_id and d.user_id = p.id and d.deleted_at is null
      union all
      select concat_ws(' ', e.id, e.name, e.email)
      from entries e
      union all
      select c.id::text
      from entries e
      join directory_accounts c on c.platform_id = _platform_id and c.entry_id = e.id
    )
    select md5(coalesce(string_agg(part, ' ' order by part collate "C"), ''))
    from parts
  );
end $$;
