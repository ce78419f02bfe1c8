-- What happened to payments, for their timelines. Rows are only added, by the transaction of the change itself. The creation of a payment
-- has no row: the payment says when it was created.
create table payment_history (
  platform_id uuid not null,
  payment_id  uuid not null,
  position    integer not null check (position > 0),
  kind        text not null check (kind in ('payment', 'leg', 'mail')),
  event       text not null,
  status      text,                         -- of the payment or the leg, after the event
  rail        text,
  return_code text,
  leg_id      uuid,
  event_id    uuid,                         -- the webhook event
  actor       text,                         -- who caused it; null: the service itself
  actor_id    text,
  created_at  timestamptz not null,         -- by the clock of the platform
  real_at     timestamptz not null,
  primary key (platform_id, payment_id, position)
);
