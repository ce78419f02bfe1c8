-- Where events are sent. The one of `webhook_uri` is a user's own URL (PUT /v3/user).
create table endpoints (
  platform_id  uuid not null,
  id           uuid not null,
  user_id      uuid not null,               -- whose webhook key signs
  kind         text not null check (kind in ('webhook_uri')),
  url          text not null,
  created_at   timestamptz not null,
  removed_at   timestamptz,
  leased_by    text,                        -- the worker that drives it now
  leased_until timestamptz,
  primary key (platform_id, id)
);

-- A user has one webhook_uri; the endpoints of the parties of a payment.
create unique index endpoints_webhook_uri on endpoints (platform_id, user_id) where removed_at is null;

-- What happened. The body is stored as text: receivers check the signature over these very bytes (spec 6.2).
create table events (
  platform_id uuid not null,
  id          uuid not null,
  type        text not null,
  subject_id  uuid not null,
  body        text not null,
  created_at  timestamptz not null,
  primary key (platform_id, id)
);

-- One event on its way to one endpoint.
create table deliveries (
  platform_id     uuid not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  subject_id      uuid not null,
  position        bigint not null generated always as identity, -- ids made in one millisecond are in no order
  status          text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempt_count   integer not null default 0,
  next_attempt_at timestamptz,
  primary key (platform_id, endpoint_id, event_id),
  check ((status = 'PENDING') = (next_attempt_at is not null))
);

-- What is due for an endpoint, in order.
create index deliveries_due on deliveries (platform_id, endpoint_id, next_attempt_at, position) where status = 'PENDING';

-- One HTTP POST. The outcome is recorded when it is known.
create table attempts (
  platform_id uuid not null,
  endpoint_id uuid not null,
  event_id    uuid not null,
  number      integer not null,
  started_at  timestamptz not null,
  duration_ms integer not null,
  outcome     text not null check (outcome in ('acknowledged', 'rejected', 'timed_out', 'unreachable')),
  http_status integer,
  error       text,
  primary key (platform_id, endpoint_id, event_id, number)
);
