-- What lock_senders_v2 did before it named the platform, for the functions of release 2.
create or replace function lock_senders_v1(_orders payment_order[], _grant_ids uuid[], _uses_wallets boolean) returns void
language plpgsql as $$
begin
  perform lock_senders_v2(null, _orders, _grant_ids, _uses_wallets);
end $$;
