-- A login at an institution that waits for the answer to its challenge. It holds no credentials.
create table institution_logins (
  platform_id    uuid not null,
  id             uuid not null,
  user_id        uuid not null,
  institution_id uuid not null,
  state_sealed   bytea not null,             -- what the institution needs to continue
  tries          integer not null default 0, -- answers so far
  expires_at     timestamptz not null,       -- real time
  primary key (platform_id, id)
);
create index institution_logins_expires_at on institution_logins (expires_at);

-- Accounts that an institution confirmed for a user. A bank that is added from one is VERIFIED at once.
create table confirmed_accounts (
  platform_id    uuid not null,
  id             uuid not null,
  user_id        uuid not null,
  account_sealed bytea not null,             -- routing and account number
  expires_at     timestamptz not null,       -- real time
  primary key (platform_id, id)
);
-- POST /v3/bank.
create index confirmed_accounts_user on confirmed_accounts (platform_id, user_id);
create index confirmed_accounts_expires_at on confirmed_accounts (expires_at);
