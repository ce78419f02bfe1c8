-- What holds for the whole database: which environment it belongs to, and the id of the key that makes digests.
create table settings (
  name  text primary key,
  value text not null
);

-- One row for each key of the ring that has sealed something here, so that a start without it is refused.
create table master_keys (
  id          text primary key,
  fingerprint bytea not null
);

-- Anyone who holds money here. The owner of a platform is the user whose id is the platform's.
create table users (
  platform_id        uuid not null,
  id                 uuid not null,
  external_id        text,                  -- user_id of POST /v3/user; null for an owner
  name               text not null,
  status             text not null check (status in ('UNVERIFIED', 'PENDING', 'VERIFIED', 'SUSPENDED', 'CLOSED')),
  first_name         text,
  last_name          text,
  business_name      text,
  dob                date,
  phone              text,
  ssn_sealed         bytea,
  tax_id_sealed      bytea,
  merchant           json not null,         -- as in PUT /v3/user, without the tax id
  brand              json not null,
  expiration_days    integer not null default 90 check (expiration_days between 10 and 180),
  webhook_key_sealed bytea not null,
  created_at         timestamptz not null,
  deleted_at         timestamptz,
  primary key (platform_id, id)
);

-- user_id is unique in a platform; a recipient is looked up by it.
create unique index users_external_id on users (platform_id, external_id) where deleted_at is null;

-- GET /v3/user/list, sorted by date.
create index users_created_at on users (platform_id, created_at, id) where deleted_at is null;

-- The row that every change of what a user may send locks first: a payment, its banks, its status.
create table user_counters (
  platform_id         uuid not null,
  user_id             uuid not null,
  next_check_number   bigint not null default 1 check (next_check_number > 0),
  next_invoice_number bigint not null default 1 check (next_invoice_number > 0),
  primary key (platform_id, user_id)
) with (fillfactor = 50);

-- E-mail and password of an owner. Looked up by the e-mail, in lower case, across platforms.
create table logins (
  email             text primary key,
  platform_id       uuid not null unique,
  password_hash     text not null,
  email_verified_at timestamptz,
  created_at        timestamptz not null
);

create table api_keys (
  key             uuid primary key,
  platform_id     uuid not null,
  user_id         uuid not null,
  secret_hash     bytea not null,
  name            text,
  expiration_date date,                     -- the last day on which it works, UTC
  created_at      timestamptz not null
);

-- GET /v3/user/api_key.
create index api_keys_user on api_keys (platform_id, user_id, created_at);

create table signatures (
  platform_id uuid not null,
  user_id     uuid not null,
  image_sealed bytea not null,
  primary key (platform_id, user_id)
);

create table banks (
  platform_id           uuid not null,
  id                    uuid not null,
  user_id               uuid not null,
  routing               text not null,
  account_sealed        bytea not null,
  account_digest        bytea not null,     -- HMAC of routing and account number: the same bank twice
  type                  text not null check (type in ('CHECKING', 'SAVINGS', 'BUSINESS')),
  name                  text,
  status                text not null check (status in ('DEPOSIT_ONLY', 'PENDING', 'VERIFIED')),
  is_billing            boolean not null,
  is_default            boolean not null,
  micro_deposits_sealed bytea,              -- the two amounts, while PENDING
  lapses_at             timestamptz,        -- while PENDING
  created_at            timestamptz not null,
  deleted_at            timestamptz,
  primary key (platform_id, id)
);

-- The banks of a user, and the same bank twice.
create unique index banks_account on banks (platform_id, user_id, account_digest) where deleted_at is null;

-- Banks that lapse because nobody verified them.
create index banks_lapses_at on banks (lapses_at) where status = 'PENDING' and deleted_at is null;

-- Releases and wrong amounts of one account number: deleting the bank and adding it again resets nothing.
create table bank_trials (
  platform_id    uuid not null,
  user_id        uuid not null,
  account_digest bytea not null,
  wrong_tries    integer not null default 0,
  released_at    timestamptz[] not null default '{}',
  primary key (platform_id, user_id, account_digest)
);

-- Answers of successful POSTs with an Idempotency-Key, kept 24 hours.
create table idempotency_records (
  platform_id   uuid not null,
  key_digest    bytea not null,             -- HMAC of user, method, path and key
  fingerprint   bytea not null,             -- HMAC of the body
  status        smallint not null,
  answer        text,                       -- the bytes that were sent
  answer_sealed bytea,                      -- instead of answer, when it holds a secret
  created_at    timestamptz not null,
  primary key (platform_id, key_digest),
  check ((answer is null) <> (answer_sealed is null))
);

-- The sweep of old records.
create index idempotency_records_created_at on idempotency_records (created_at);

-- First half of the idempotency of a POST, in its transaction. `outcome` is 'new', 'replayed', 'mismatch', or
-- 'in_flight' when another process runs the request now. Each statement of a volatile function has its own snapshot:
-- the record is looked up after the lock was got, so the commit of the last holder is seen.
create function claim_idempotency_key(
  _platform_id uuid, _key_digest bytea, _fingerprint bytea, _lock bigint, _now timestamptz,
  out outcome text, out status smallint, out answer text, out answer_sealed bytea
) language plpgsql as $$
declare
  known bytea;
begin
  if not pg_try_advisory_xact_lock(_lock) then
    outcome := 'in_flight';
    return;
  end if;
  select r.fingerprint, r.status, r.answer, r.answer_sealed
  into known, status, answer, answer_sealed
  from idempotency_records r
  where r.platform_id = _platform_id and r.key_digest = _key_digest and r.created_at > _now - interval '24 hours';
  outcome := case when known is null then 'new' when known = _fingerprint then 'replayed' else 'mismatch' end;
end $$;

-- Second half: the record commits with the effect. A record older than 24 hours, which the sweep has not met yet, is
-- replaced.
create function record_idempotent_answer(
  _platform_id uuid, _key_digest bytea, _fingerprint bytea, _status integer, _answer text, _answer_sealed bytea,
  _now timestamptz
) returns void language sql as $$
  insert into idempotency_records (platform_id, key_digest, fingerprint, status, answer, answer_sealed, created_at)
  values (_platform_id, _key_digest, _fingerprint, _status, _answer, _answer_sealed, _now)
  on conflict (platform_id, key_digest) do update
  set fingerprint = excluded.fingerprint,
      status = excluded.status,
      answer = excluded.answer,
      answer_sealed = excluded.answer_sealed,
      created_at = excluded.created_at
$$;
