-- What judge_orders_v2 did before it named the platform, for the functions of release 2.
create or replace function judge_orders_v1(_orders payment_order[], _payees payee[], _required sender_requirements)
returns acceptance[]
language plpgsql as $$
begin
  return judge_orders_v2(null, _orders, _payees, _required);
end $$;
