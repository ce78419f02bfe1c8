-- Accepts the payments of a group on the node of their platform. On a cluster, the coordinator sends the whole call there
-- (`delegateFunctions`), and the node commits it.
--
--   _platform_id       the platform of all orders
--   _addresses         JSON array of the rows of receiving_addresses that the orders can name: the node does not have the table
--   _is_in_shard       the call may run in the schema of the platform's shard (shard-schemas.ts): no order names a user of another platform
--   _lock_timeout_ms   of the caller's session, which the node does not know
--   other parameters   see accept_payments_v1
create or replace function accept_payments_on_node_v1(
  _platform_id uuid, _orders json, _payments json, _deposits json, _banks json, _destinations json, _transfers json,
  _attachments json, _grant_ids uuid[], _key_ids text[], _required sender_requirements, _addresses json, _is_in_shard boolean,
  _lock_timeout_ms integer
)
returns table (payment_id uuid, outcome text, field text, detail text, number text, is_due boolean)
language plpgsql as $$
declare
  place text;
begin
  perform set_config('lock_timeout', _lock_timeout_ms::text, true), set_config('remit.receiving_addresses', _addresses::text, true);
  if _is_in_shard then
    place := hold_shard_v1(array[_platform_id]);
  end if;
  return query execute format(
    'select payment_id, outcome, field, detail, number, is_due from %I.accept_payments_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
    coalesce(place, 'public')
  ) using
    _platform_id, _orders, _payments, _deposits, _banks, _destinations, _transfers, _attachments, _grant_ids, _key_ids, _required;
end $$;
