-- Whether the account that an order gives, or the address of its payee, is one of its sender. Senders cannot pay themselves.
--
--   _platform_id     the platform of all orders, or null if they are of several
--   is_own_account   the sender has a bank with this account
--   is_own_address   the recipient is a receiving address of the sender
--
-- Returns one row for each order, in their order, or none if no order gives an account. Both are null for other orders.
create or replace function own_accounts_v1(_platform_id uuid, _orders payment_order[])
returns table (is_own_account boolean, is_own_address boolean) language plpgsql stable as $$
declare
  own_addresses boolean[];
begin
  if not exists (select from unnest(_orders) o where o.account_digests is not null) then
    return;
  end if;
  -- A separate statement, because on a cluster the node of the platform does not have this table.
  own_addresses := array(
    select o.account_digests is not null and exists (
      select
      from receiving_addresses r
      where r.email_hash = sha256(convert_to(lower(o.recipient), 'UTF8')) and r.platform_id = o.sender_id
    )
    from unnest(_orders) with ordinality o
    order by o.ordinality
  );
  return query
  select
    case when o.account_digests is not null then exists (
      select
      from banks b
      where b.platform_id = coalesce(_platform_id, o.platform_id) and b.user_id = o.sender_id
        and b.account_digest = any (o.account_digests) and b.deleted_at is null
    ) end,
    case when o.account_digests is not null then own_addresses[o.ordinality::integer] end
  from unnest(_orders) with ordinality o
  order by o.ordinality;
end $$;
