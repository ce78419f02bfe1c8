-- A login is a person: email address, password and second factor.
create table logins (
  id                  uuid primary key,
  email               text not null,             -- in lower case
  name                text not null,
  password_hash       text not null,
  totp_sealed         bytea,                     -- two-factor seed
  totp_pending_sealed bytea,                     -- a new seed, until the person confirms it with a code
  totp_last_step      bigint not null default 0, -- time step of the last code: each code works once
  email_verified_at   timestamptz,
  operator_since      timestamptz,               -- set for people who see the pages of the operator, on every platform
  created_at          timestamptz not null
);

-- The login of an email address, by its SHA-256.
create table login_emails (
  email_hash bytea primary key,
  login_id   uuid not null
);

-- The platform that receives payments to an email address: the first owner's. Only a verified address receives.
create table receiving_addresses (
  email_hash  bytea primary key,
  platform_id uuid not null,
  login_id    uuid not null,
  is_new      boolean not null default true, -- whether earlier payments to the address are still to be looked for
  verified_at timestamptz
);

-- The address of a platform. A platform has one.
create unique index receiving_addresses_platform on receiving_addresses (platform_id);

-- Worker step "match recipients": the new addresses.
create index receiving_addresses_new on receiving_addresses (email_hash) where is_new;

-- Recovery codes for two-factor sign-in. Each works once.
create table recovery_codes (
  login_id    uuid not null,
  code_digest bytea not null,
  primary key (login_id, code_digest)
);

-- Browsers in which a person is signed in to a platform. The cookie holds the token.
create table sessions (
  token_hash   bytea primary key,
  login_id     uuid not null,
  platform_id  uuid not null,
  id           uuid not null,        -- identifies the session in the person's list of sessions
  address      text not null,
  user_agent   text,
  created_at   timestamptz not null,
  last_seen_at timestamptz not null, -- accurate to a minute
  proved_at    timestamptz,          -- when the person last confirmed the session by password or code after signing in
  expires_at   timestamptz not null  -- each use extends it
);

-- A person's list of sessions.
create index sessions_login on sessions (login_id, last_seen_at);

-- Worker step "sweep sessions": expired sessions.
create index sessions_expires_at on sessions (expires_at);

-- Requests that wait for a code sent by email. The browser that started one holds the token: the code alone does not
-- complete it.
create table verifications (
  token_hash     bytea primary key,
  purpose        text not null check (purpose in ('sign_up', 'password', 'email')),
  email          text not null,
  login_id       uuid,  -- null for a sign-up and for an unknown email address
  details_sealed bytea, -- name and password hash of a sign-up
  code_digest    bytea not null,
  wrong_tries    integer not null default 0,
  created_at     timestamptz not null,
  expires_at     timestamptz not null
);

-- Worker step "sweep verifications": expired verifications.
create index verifications_expires_at on verifications (expires_at);

-- A change of password or email address deletes the person's verifications.
create index verifications_login on verifications (login_id) where login_id is not null;

-- Recent failed attempts, for example to sign in. A subject is a login or a network address.
create table tries (
  subject_digest bytea primary key,    -- HMAC of the subject
  count          integer not null,
  allowed_at     timestamptz not null, -- no attempt is accepted earlier
  forgotten_at   timestamptz not null
);

-- Worker step "sweep tries": attempts that no longer count.
create index tries_forgotten_at on tries (forgotten_at);
