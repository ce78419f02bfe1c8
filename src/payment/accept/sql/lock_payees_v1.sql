-- Locks users (shared). Returns how many of them are unchanged since they were read.
create or replace function lock_payees_v1(_payees payee[]) returns integer language plpgsql as $$
begin
  return (
    select count(*)
    from (select * from unnest(_payees) where payee_id is not null order by payee_id) p
    cross join lateral (
      select
      from users u
      where u.platform_id = p.payee_platform_id and u.id = p.payee_id and u.status = p.payee_status and u.deleted_at is null
      for key share
    ) locked
  );
end $$;
