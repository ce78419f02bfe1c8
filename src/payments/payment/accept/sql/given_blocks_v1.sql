-- The return codes that block the accounts that orders give, or the present accounts if those were corrected. The rule is that of
-- entry_accounts_v1 for credits.
--
--   _platform_id   the platform of all orders, or null if they are of several
--   given_block    null: the account is not blocked, or the order gives none
--
-- Returns one row for each order, in their order, or none if no order gives an account.
create or replace function given_blocks_v1(_platform_id uuid, _orders payment_order[]) returns table (given_block text)
language plpgsql stable as $$
begin
  if not exists (select from unnest(_orders) o where o.account_digests is not null) then
    return;
  end if;
  return query
  select case when o.account_digests is not null then (
    select max(k.return_code)
    from account_blocks k
    where k.platform_id = coalesce(_platform_id, o.platform_id) and k.account_digest = any (
        o.account_digests || array(
          select c.corrected_digest
          from account_corrections c
          where c.platform_id = coalesce(_platform_id, o.platform_id) and c.account_digest = any (o.account_digests)
        )
      )
      and k.holder_id in (o.id, '00000000-0000-0000-0000-000000000000') and k.blocks_credits
  ) end
  from unnest(_orders) with ordinality o
  order by o.ordinality;
end $$;
