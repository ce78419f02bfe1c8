-- What take_from_senders_v2 did before it named the platform, for the functions of release 2.
create or replace function take_from_senders_v1(
  _orders payment_order[], _made acceptance[], _grant_ids uuid[], _digest_place integer
) returns void language plpgsql as $$
begin
  perform take_from_senders_v2(null, _orders, _made, _grant_ids, _digest_place);
end $$;
