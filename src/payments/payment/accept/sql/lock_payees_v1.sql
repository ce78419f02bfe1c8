-- Locks the payees on the platform of their orders (shared). Returns how many of them are unchanged since they were read.
--
--   _platform_id   the platform of all orders, or null if they are of several
create or replace function lock_payees_v1(_platform_id uuid, _orders payment_order[], _payees payee[]) returns integer
language plpgsql as $$
begin
  return (
    select count(*)
    from (
      select o.payee_platform_id, o.payee_id, o.payee_status
      from rows from (unnest(_orders), unnest(_payees)) o
      where o.payee_platform_id = o.platform_id
      order by o.payee_id
    ) p
    cross join lateral (
      select
      from users u
      where u.platform_id = coalesce(_platform_id, p.payee_platform_id) and u.id = p.payee_id and u.status = p.payee_status
        and u.deleted_at is null
      for key share
    ) locked
  );
end $$;
