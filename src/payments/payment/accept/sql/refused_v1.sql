-- Returns the decision to refuse an order.
--
--   _payment_id   of a repeated request, the payment that it created
create or replace function refused_v1(_payment_id uuid, _refusal refusal) returns acceptance language sql immutable parallel safe as $$
  select row(
    _payment_id, (_refusal).code, (_refusal).field, (_refusal).detail,
    null, null, null, null, null, null, null, null, null, null, null, null, null
  )::acceptance
$$;
