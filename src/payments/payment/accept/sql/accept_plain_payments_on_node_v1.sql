-- Accepts plain payments of platforms whose shards are on one node of a cluster. The coordinator sends the whole call to the node of
-- _platform_id (`delegateFunctions`), and the node commits it.
--
--   _platform_id       one of the platforms
--   _parts             JSON array with one item for each shard, sorted by shard: platform_ids, senders and orders, see
--                      accept_plain_payments_v1
--   _addresses         JSON array of the rows of receiving_addresses that the orders can name: the node does not have the table
--   _lock_timeout_ms   of the caller's session, which the node does not know
--   other parameters   see accept_plain_payments_v1
--
-- Returns the accepted payments. The payments of a part whose shard is not on this node are left undone.
create or replace function accept_plain_payments_on_node_v1(
  _platform_id uuid, _parts json, _key_ids text[], _required sender_requirements, _addresses json, _lock_timeout_ms integer
) returns table (payment_id uuid, number text) language plpgsql as $$
declare
  part record;
  place text;
begin
  perform set_config('lock_timeout', _lock_timeout_ms::text, true), set_config('remit.receiving_addresses', _addresses::text, true);
  for part in select * from json_to_recordset(_parts) as p (platform_ids uuid[], senders json, orders json) loop
    place := hold_shard_v1(part.platform_ids);
    continue when place is null;
    return query execute format('select payment_id, number from %I.accept_plain_payments_v1($1, $2, $3, $4, $5, $6)', place)
      using
        case when cardinality(part.platform_ids) = 1 then part.platform_ids[1] end, part.platform_ids, part.senders, part.orders,
        _key_ids, _required;
  end loop;
end $$;
