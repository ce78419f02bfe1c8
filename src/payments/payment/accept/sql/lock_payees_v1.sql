-- What lock_payees_v2 did before it named the platform, for the functions of release 2.
create or replace function lock_payees_v1(_orders payment_order[], _payees payee[]) returns integer
language plpgsql as $$
begin
  return lock_payees_v2(null, _orders, _payees);
end $$;
