-- Everyone who holds money here. The owner of a platform is the user whose id equals platform_id.
create table users (
  platform_id                 uuid not null,
  id                          uuid not null,
  external_id                 text,                           -- user_id of POST /v3/user; null for an owner
  name                        text not null,
  status                      text not null check (status in ('UNVERIFIED', 'PENDING', 'VERIFIED', 'SUSPENDED', 'CLOSED')),
  is_guest                    boolean not null default false, -- a person without an account who pays an invoice; no list shows it
  first_name                  text,
  last_name                   text,
  business_name               text,
  dob                         date,
  phone                       text,
  ssn_sealed                  bytea,
  tax_id_sealed               bytea,
  merchant                    json not null,                  -- as in PUT /v3/user, without the tax id
  brand                       json not null,
  expiration_days             integer not null default 90 check (expiration_days between 10 and 180),
  dual_control                boolean not null default false, -- whether the user's payments need the release of a second person
  has_approval_policy         boolean not null default false, -- read with each sender, so that platforms without rules read nothing else
  webhook_key_sealed          bytea not null,
  previous_webhook_key_sealed bytea,                          -- also signs for 24 hours of real time after webhook_key_rotated_at
  webhook_key_rotated_at      timestamptz,
  created_at                  timestamptz not null,
  deleted_at                  timestamptz,
  primary key (platform_id, id)
);

-- Lookup of a user or a recipient by user_id, which is unique within a platform.
create unique index users_external_id on users (platform_id, external_id) where deleted_at is null;

-- GET /v3/user/list, sorted by date.
create index users_created_at on users (platform_id, created_at, id) where deleted_at is null;

-- Counters of a sender. Everything that affects what a user may send locks this row first: a new payment and a change
-- of the user's banks or status.
create table user_counters (
  platform_id         uuid not null,
  user_id             uuid not null,
  next_check_number   bigint not null default 1 check (next_check_number > 0),
  reserved_numbers    int8multirange,            -- the check numbers of the user's checkbooks; null without a checkbook
  next_invoice_number bigint not null default 1 check (next_invoice_number > 0),
  sent_on             date,                      -- the day of the business of the last payment
  sent_day_cents      bigint not null default 0, -- sent on that day; voided payments stay counted
  sent_month_cents    bigint not null default 0, -- sent in the month of that day
  -- What the user owes because a debit was returned after the money had been paid out: the balance of its receivable account.
  -- Each payment locks this row, so refusing a debtor costs no further query.
  debt_cents          bigint not null default 0 check (debt_cents >= 0),
  primary key (platform_id, user_id)
) with (fillfactor = 50);

-- remit debt list: users with debts.
create index user_counters_debt on user_counters (platform_id, user_id) where debt_cents > 0;

-- Limits of one user. Null, or a missing row, means the limit of the environment.
create table user_limits (
  platform_id         uuid not null,
  user_id             uuid not null,
  payment_cents       bigint check (payment_cents > 0),       -- set by the operator
  day_cents           bigint check (day_cents > 0),
  month_cents         bigint check (month_cents > 0),
  owner_payment_cents bigint check (owner_payment_cents > 0), -- set by the owner of the platform, who can only lower limits
  owner_day_cents     bigint check (owner_day_cents > 0),
  owner_month_cents   bigint check (owner_month_cents > 0),
  primary key (platform_id, user_id)
);

-- Users whose status changed, until their legs and payments are updated.
create table user_status_changes (
  platform_id uuid not null,
  user_id     uuid not null,
  changed_at  timestamptz not null,
  primary key (platform_id, user_id)
);

-- The signature that is printed on a user's checks.
create table signatures (
  platform_id  uuid not null,
  user_id      uuid not null,
  image_sealed bytea not null,
  primary key (platform_id, user_id)
);

create table api_keys (
  key             uuid primary key,
  platform_id     uuid not null,
  user_id         uuid not null,
  secret_hash     bytea not null,
  name            text,
  permissions     text[],     -- null: everything
  created_by      uuid,       -- a login; null for keys of the API, and for keys of platform users
  made_by         uuid,       -- the login that has seen the secret
  expiration_date date,       -- the last UTC day on which the key works
  created_at      timestamptz not null,
  last_used_at    timestamptz -- accurate to a minute
);

-- GET /v3/user/api_key.
create index api_keys_user on api_keys (platform_id, user_id, created_at);

-- Removal of a member: the keys whose secret the member has seen.
create index api_keys_made_by on api_keys (platform_id, made_by) where made_by is not null;
