-- Accepts the payments of a group. A refusal is an outcome of its payment and changes nothing. Each payment updates its
-- sender, grant and wallets before the next one is checked. All payments are inserted at the end, with one statement per
-- table. The generic plan is forced because planning takes as long as running the statements.
--
--   _orders     JSON array of payment_order, sorted by sender id
--   _required   the environment's requirements for a sender
--   is_due      whether a webhook is now due for any payment
--
-- Outcomes: accepted; replayed, with the recorded answer; or an error code of the API, with the offending field and a detail.
-- Raises: any error, with the position (from 1) of the payment that caused it as the hint.
-- Locks, payment by payment: Idempotency-Key, grant, counters of the sender, owner (shared), wallets by id, payee (shared),
-- account of the payee (shared).
create or replace function accept_payments_v1(_orders json, _required sender_requirements)
returns table (payment_id uuid, outcome text, field text, detail text, answer text, is_due boolean)
language plpgsql set plan_cache_mode = force_generic_plan
as $$
declare
  digest_key text := current_digest_key_v1();
  place integer := 0;
  has_webhooks boolean := false;
  ordered payment_order;
  made acceptance;
  results payment_outcome[];
  new_payments payments[];
  new_legs legs[];
  new_events payment_event[];
  new_answers idempotency_records[];
  failed_constraint text;
  failed_table text;
  failed_column text;
  failed_detail text;
begin
  for ordered in
    select *
    from json_populate_recordset(null::payment_order, _orders)
  loop
    place := place + 1;
    made := accept_payment_v1(ordered, _required, digest_key);
    has_webhooks := has_webhooks or made.is_due;
    results := results
      || row((made.payment).id, made.outcome, made.field, made.detail, made.answer)::payment_outcome;
    if made.outcome = 'accepted' then
      new_payments := new_payments || made.payment;
      if ordered.event_id is not null then
        new_events := new_events || row(made.payment, ordered.event_id, ordered.event_body)::payment_event;
      end if;
      if (made.leg).id is not null then
        new_legs := new_legs || made.leg;
      end if;
      if (made.answer_record).key_digest is not null then
        new_answers := new_answers || made.answer_record;
      end if;
    end if;
  end loop;
  place := null;
  if new_payments is not null then
    perform write_payments_v1(new_payments, new_legs);
  end if;
  if new_events is not null then
    has_webhooks := cardinality(record_payment_events_v1(new_events)) > 0 or has_webhooks;
  end if;
  if new_answers is not null then
    perform record_idempotent_answers_v1(new_answers);
  end if;
  return query
  select r.payment_id, r.outcome, r.field, r.detail, r.answer, has_webhooks
  from unnest(results) r;
exception when others then
  get stacked diagnostics
    failed_constraint = constraint_name, failed_table = table_name, failed_column = column_name,
    failed_detail = pg_exception_detail;
  raise exception using
    errcode = sqlstate, message = sqlerrm, hint = coalesce(place::text, ''), detail = failed_detail,
    constraint = failed_constraint, table = failed_table, column = failed_column;
end $$;
