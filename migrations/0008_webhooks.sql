-- Receivers of events:
--   webhook_uri  a user's own URL, of PUT /v3/user
--   application  the URL of an OAuth application, for the payments that it made
--   endpoint     created by an owner for chosen types of events
--   listener     like an endpoint, but it fetches its events itself (remit listen)
create table endpoints (
  platform_id     uuid not null,
  id              uuid not null,
  user_id         uuid not null,                  -- whose webhook key signs
  kind            text not null check (kind in ('webhook_uri', 'application', 'endpoint', 'listener')),
  url             text not null,
  application_id  uuid,
  name            text,
  event_types     text[],                         -- the types of events that an endpoint or a listener receives
  body_format     text not null default 'THIN' check (body_format in ('THIN', 'FULL')),
  leased_by       text,                           -- the worker that delivers to it now
  leased_until    timestamptz,
  is_slow         boolean not null default false, -- timed out; delivered separately from endpoints that respond in time
  failing_since   timestamptz,                    -- the first failed attempt since the last success
  warned_at       timestamptz,                    -- when the owner was warned of the failures
  disabled_at     timestamptz,                    -- later events are recorded as failed deliveries
  disabled_reason text check (disabled_reason in ('OWNER', 'GONE', 'FAILING')),
  created_at      timestamptz not null,
  removed_at      timestamptz,
  primary key (platform_id, id),
  check ((kind in ('endpoint', 'listener')) = (event_types is not null)),
  check ((disabled_at is null) = (disabled_reason is null))
);

-- New events of a payment: the URLs of its parties. A user has one webhook_uri.
create unique index endpoints_webhook_uri on endpoints (platform_id, user_id)
where kind = 'webhook_uri' and removed_at is null;

-- New events of a payment that an application made. An application has one URL.
create unique index endpoints_application on endpoints (platform_id, application_id)
where kind = 'application' and removed_at is null;

-- New events: the endpoints and listeners of an owner.
create index endpoints_asking on endpoints (platform_id)
where kind in ('endpoint', 'listener') and removed_at is null;

-- Failing endpoints, to warn their owner or to disable them.
create index endpoints_failing on endpoints (failing_since)
where kind = 'endpoint' and removed_at is null and disabled_at is null and failing_since is not null;

-- Worker step "sweep endpoints": removed endpoints without deliveries.
create index endpoints_removed on endpoints (removed_at) where removed_at is not null;

-- Worker step "sweep listeners": listeners that have stopped polling.
create index endpoints_silent on endpoints (leased_until) where kind = 'listener' and removed_at is null;

-- The body is text because receivers verify the signature over these exact bytes.
create table events (
  platform_id uuid not null,
  id          uuid not null,
  type        text not null,
  subject_id  uuid not null,
  body        text not null,
  created_at  timestamptz not null,
  primary key (platform_id, id)
);

-- GET /v3/webhook/event with a type, newest first. Nearly all events have the type CHECK: the primary key serves those.
create index events_of_other_types on events (platform_id, type, id) where type <> 'CHECK';

-- The delivery of one event to one endpoint.
create table deliveries (
  platform_id     uuid not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  subject_id      uuid not null,
  position        bigint not null generated always as identity, -- the order of events: ids of one millisecond have none
  status          text not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  attempt_count   integer not null default 0,
  attempts_before integer not null default 0, -- attempts before the last replay, which restarts the retry schedule
  next_attempt_at timestamptz,
  primary key (platform_id, endpoint_id, event_id),
  check ((status = 'PENDING') = (next_attempt_at is not null))
);

-- Worker step "deliver webhooks": the due deliveries of an endpoint, in order.
create index deliveries_due on deliveries (platform_id, endpoint_id, next_attempt_at, position) where status = 'PENDING';

-- GET /v3/webhook/event/{id}: the deliveries of an event. GET /v3/webhook/delivery: those of a platform, newest first.
create index deliveries_by_event on deliveries (platform_id, event_id, endpoint_id);

-- POST /v3/webhook/replay, and GET /v3/webhook/delivery with the status PENDING or FAILED. Without it, the pending deliveries of a
-- platform are found by reading all of its deliveries or its whole backlog.
create index deliveries_undelivered on deliveries (platform_id, status, event_id, endpoint_id) where status <> 'DELIVERED';

-- The bodies of endpoints with full bodies, sealed because they contain objects. The first attempt writes one, and later attempts repeat it.
create table full_bodies (
  platform_id uuid not null,
  endpoint_id uuid not null,
  event_id    uuid not null,
  body_sealed bytea not null,
  primary key (platform_id, endpoint_id, event_id)
);

-- One HTTP POST each, recorded when its outcome is known.
create table delivery_attempts (
  platform_id     uuid not null,
  endpoint_id     uuid not null,
  event_id        uuid not null,
  number          integer not null,
  started_at      timestamptz not null,
  duration_ms     integer not null,
  outcome         text not null check (outcome in ('acknowledged', 'rejected', 'timed_out', 'unreachable')),
  http_status     integer,
  error           text,
  request_headers text,  -- as JSON
  response_body   bytea, -- the first 1,024 bytes
  primary key (platform_id, endpoint_id, event_id, number)
);
