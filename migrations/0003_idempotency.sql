-- Responses to successful POST requests with an Idempotency-Key, kept for 24 hours.
create table idempotency_records (
  platform_id   uuid not null,
  key_digest    bytea not null, -- HMAC of user, method, path and key
  fingerprint   bytea not null, -- HMAC of the request body
  status        smallint not null,
  answer        text,           -- the response body, byte for byte
  answer_sealed bytea,          -- replaces answer when the body contains a secret
  created_at    timestamptz not null,
  primary key (platform_id, key_digest),
  check ((answer is null) <> (answer_sealed is null))
);

-- Worker step "sweep idempotency records": records older than 24 hours.
create index idempotency_records_created_at on idempotency_records (created_at);
