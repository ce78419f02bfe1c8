-- Returns the decision to accept an order, with what the payment and its sender get.
--
--   _number        the check number of the payment; _next_number that of the sender's counter afterward
--   _invitation    DUE for a payee without an account on the platform
--   _day_cents     sent on the day _sent_on, with this payment; _month_cents in its month
--   _sender_name   shown to a payee with an account
create or replace function accepted_v1(
  _payment_id uuid, _number text, _funding_id uuid, _payee_platform_id uuid, _payee_id uuid, _expires_at timestamptz, _invitation text,
  _application_id uuid, _application_platform_id uuid, _sent_on date, _day_cents bigint, _month_cents bigint, _next_number bigint,
  _sender_name text
) returns acceptance language sql immutable parallel safe as $$
  select row(
    _payment_id, 'accepted', null, null, _number, _funding_id, _payee_platform_id, _payee_id, _expires_at, _invitation,
    _application_id, _application_platform_id, _sent_on, _day_cents, _month_cents, _next_number, _sender_name
  )::acceptance
$$;
