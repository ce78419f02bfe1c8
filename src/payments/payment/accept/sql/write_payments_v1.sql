-- What write_payments_v2 did before it named the platform, for the functions of release 2.
create or replace function write_payments_v1(_orders payment_order[], _made acceptance[], _digest_place integer, _payments json)
returns boolean
language plpgsql as $$
begin
  return write_payments_v2(null, _orders, _made, _digest_place, _payments);
end $$;
