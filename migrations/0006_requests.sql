-- The requests of the last seven days, for GET /v3/request. The service fills one partition a day, in turn, and empties the one that
-- comes next. That costs nothing, while deleting single rows costs as much as writing them. The service cannot create partitions, so
-- there are nine: today, seven days before, and one that is empty.
create table request_log (
  platform_id     uuid not null,
  id              uuid not null,     -- the x-request-id, in order of time
  slot            smallint not null, -- the day since 1970 modulo 9
  user_id         uuid not null,
  credential_kind text not null check (credential_kind in ('api_key', 'session', 'token')),
  credential_id   uuid not null,     -- the API key, the person, or the application
  method          text not null,
  path            text not null,     -- without the query, which may contain a search text
  status          smallint not null,
  code            text,              -- of an error
  duration_ms     integer not null,
  address         text not null,
  payment_id      uuid,              -- that the request made or named
  body_sealed     bytea,             -- masked, if the platform keeps bodies
  primary key (platform_id, id, slot)
) partition by list (slot);

create table request_log_0 partition of request_log for values in (0);
create table request_log_1 partition of request_log for values in (1);
create table request_log_2 partition of request_log for values in (2);
create table request_log_3 partition of request_log for values in (3);
create table request_log_4 partition of request_log for values in (4);
create table request_log_5 partition of request_log for values in (5);
create table request_log_6 partition of request_log for values in (6);
create table request_log_7 partition of request_log for values in (7);
create table request_log_8 partition of request_log for values in (8);

-- Worker step "sweep request log", when a platform no longer keeps bodies.
create index request_log_bodies on request_log (platform_id, id) where body_sealed is not null;

-- The platforms that keep the bodies of requests, and those that no longer do and whose bodies are being deleted.
create table request_settings (
  platform_id  uuid primary key,
  keeps_bodies boolean not null
);
