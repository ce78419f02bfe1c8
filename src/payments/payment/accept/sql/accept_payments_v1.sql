-- Accepts the payments of a group. A refusal is an outcome of its payment and changes nothing. The group is read, judged and
-- written in sets: one statement for each kind of row, however many payments there are. Plans are generic because planning
-- takes as long as running a statement, and use indexes because a plan may be older than the rows. On a cluster, plans are made for
-- each call (useCustomPlans): the value of _platform_id then names the node of each statement.
--
--   _platform_id   the platform of all orders, or null if they are of several
--   _orders        JSON array of payment_order, sorted by sender id
--   _payments      JSON array of the columns of payments that are only written, in the same order
--   _deposits      JSON array in the order of the orders, or null if none is deposited at once: {} for a payment that waits, otherwise
--                  {kind, status, rail, event_id, event_body, columns of its leg}
--   _banks, _destinations
--                  JSON arrays in the order of the orders, or null if there are none: {} or the account of a payee without a user
--   _transfers     JSON array of {platform_id, payment_id, created_at, postings} for payments that use wallets, or null
--   _attachments   JSON array of {platform_id, payment_id, filename, pdf: in base64}, or null
--   _grant_ids     grants that the payments use, or null
--   _key_ids       ids of the master keys of the caller's ring
--   _required      the environment's requirements for a sender
--   payment_id     in the order of the group; of a replayed request, the payment that it created
--   is_due         whether a webhook or a message to another platform is now due for any payment of the group
--
-- Outcomes: accepted, replayed, or an error code of the API with the offending field and a detail.
-- Raises: any error, with the position (from 1) of the payment that caused it as the hint, where that is known.
-- Locks, in this order: grants, counters of the senders, owners (shared), wallets, payees (shared), accounts of the payees
-- (shared); each kind by id. The lock of a sender also keeps two requests with one Idempotency-Key apart.
create or replace function accept_payments_v1(
  _platform_id uuid, _orders json, _payments json, _deposits json, _banks json, _destinations json, _transfers json,
  _attachments json, _grant_ids uuid[], _key_ids text[], _required sender_requirements
)
returns table (payment_id uuid, outcome text, field text, detail text, number text, is_due boolean)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_material = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  orders payment_order[] := array(select o from json_populate_recordset(null::payment_order, _orders) o);
  digest_place integer := digest_place_v1(_key_ids);
  made acceptance[];
  is_any_due boolean;
begin
  perform lock_senders_v1(_platform_id, orders, _grant_ids, _transfers is not null);
  made := judge_orders_v1(
    _platform_id, orders, find_payees_v1(_platform_id, orders, _deposits is not null), _required
  );
  perform take_from_senders_v1(_platform_id, orders, made, _grant_ids, digest_place);
  is_any_due := write_payments_v1(_platform_id, orders, made, digest_place, _payments);
  if _deposits is not null then
    perform write_payee_accounts_v1(orders, made, _banks, _destinations, digest_place);
    is_any_due := write_deposits_v1(_platform_id, orders, made, _deposits) or is_any_due;
  end if;
  if _transfers is not null then
    is_any_due := move_wallet_money_v1(made, _transfers) or is_any_due;
  end if;
  if _attachments is not null then
    insert into attachments (platform_id, payment_id, filename, pdf)
    select a.platform_id, a.payment_id, a.filename, decode(a.pdf, 'base64')
    from json_to_recordset(_attachments) as a (platform_id uuid, payment_id uuid, filename text, pdf text)
    join unnest(made) m on m.payment_id = a.payment_id and m.outcome = 'accepted';
  end if;
  return query
  select m.payment_id, m.outcome, m.field, m.detail, m.taken_number, is_any_due
  from unnest(made) m;
end $$;
