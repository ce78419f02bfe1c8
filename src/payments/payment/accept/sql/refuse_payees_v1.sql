-- Finds the payee that each order would pay now, and why the order would be refused because of it. The payees are held until the end of
-- the transaction: see find_payees_v1.
--
--   _platform_id   the platform of all orders, or null if they are of several
--
-- Returns one row for each order, in their order.
create or replace function refuse_payees_v1(_platform_id uuid, _orders payment_order[], _names_accounts boolean)
returns table (platform_id uuid, user_id uuid, outcome text, field text, detail text) language plpgsql as $$
declare
  payees payee[] := find_payees_v1(_platform_id, _orders, _names_accounts);
begin
  return query
  select o.payee_platform_id, o.payee_id, (r.refusal).code, (r.refusal).field, (r.refusal).detail
  from rows from (unnest(_orders), unnest(payees)) with ordinality o
  left join users u on u.platform_id = coalesce(_platform_id, o.platform_id) and u.id = o.sender_id
  cross join lateral (
    select payee_refusal_v1(
      o.sender_id, u.external_id, u.phone, o.recipient_email, o.recipient_phone, o.is_reachable, o.destination_id,
      o.destination_kind, o.payee_id, o.payee_status, o.login_id, o.is_verified, o.account_kind, o.account_block
    ) as refusal
  ) r
  order by o.ordinality;
end $$;
