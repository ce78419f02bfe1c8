-- What find_payees_v2 did before it named the platform, for the program of release 2.
create or replace function find_payees_v1(_orders payment_order[], _names_accounts boolean) returns payee[]
language plpgsql as $$
begin
  return find_payees_v2(null, _orders, _names_accounts);
end $$;
