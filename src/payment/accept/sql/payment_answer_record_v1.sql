-- The record of an Idempotency-Key that created a payment.
create or replace function payment_answer_record_v1(_order payment_order, _answer text) returns idempotency_records
language sql immutable parallel safe as $$
  select row(
    (_order.payment).platform_id, _order.key_digest, _order.fingerprint, 201, _answer, null, _order.real_now
  )::idempotency_records
$$;
