-- The outcome of one payment of a group, as accept_payments_v1 returns it: without the rows that the payment writes.
create type payment_outcome as (payment_id uuid, outcome text, field text, detail text, answer text);
