create table banks (
  platform_id           uuid not null,
  id                    uuid not null,
  user_id               uuid not null,
  routing               text not null,
  account_sealed        bytea not null,
  account_digest        bytea not null, -- HMAC of routing and account number, to recognize the same account
  type                  text not null check (type in ('CHECKING', 'SAVINGS', 'BUSINESS')),
  name                  text,           -- printed on checks
  nickname              text,           -- on the pages of the user
  status                text not null check (status in ('DEPOSIT_ONLY', 'PENDING', 'VERIFIED')),
  is_billing            boolean not null,
  is_default            boolean not null,
  micro_deposits_sealed bytea,          -- the two amounts, while PENDING
  lapses_at             timestamptz,    -- while PENDING
  corrected_at          timestamptz,    -- when a notification of change replaced the number; returns of earlier entries concern the old one
  created_at            timestamptz not null,
  deleted_at            timestamptz,
  primary key (platform_id, id)
);

-- GET /v3/bank, and the check that a user does not add the same account twice. Digests ignore leading zeros, so a user can have two
-- banks with one digest.
create index banks_account on banks (platform_id, user_id, account_digest) where deleted_at is null;

-- Key rotation: all banks of an account, deleted ones too. The banks that a block covers. The index omits the platform, because
-- PostgreSQL would otherwise choose it for other queries.
create index banks_of_account on banks (account_digest);

-- Due work: the next platform with a bank whose verification lapses, and the first such bank of a platform.
create index banks_lapses_at on banks (lapses_at) where status = 'PENDING' and deleted_at is null;
create index banks_platform_lapses_at on banks (platform_id, lapses_at) where status = 'PENDING' and deleted_at is null;

-- Micro-deposits and wrong amounts per account number. The counts survive when a user deletes a bank and adds it again.
create table bank_trials (
  platform_id    uuid not null,
  user_id        uuid not null,
  account_digest bytea not null,
  routing        text not null,
  account_sealed bytea not null,         -- so that a key rotation can compute the digest with another key
  wrong_tries    integer not null default 0,
  wrong_at       timestamptz[] not null default '{}', -- counted for an account over all users of a platform
  released_at    timestamptz[] not null default '{}',
  primary key (platform_id, user_id, account_digest)
);

-- POST /v3/bank/{id}/verify: the wrong pairs of an account.
create index bank_trials_account on bank_trials (platform_id, account_digest);

-- The numbers of wrong and right pairs of micro-deposits on a platform, by day of the business.
create table platform_trials (
  platform_id uuid not null,
  day         date not null,
  wrong       integer not null default 0,
  verified    integer not null default 0,
  primary key (platform_id, day)
);

-- Bank accounts that a return code blocks for debits, or for debits and credits. A block belongs to the account number:
-- it remains when a user deletes a bank and adds it again, and a return can block the account of a deleted bank.
create table account_blocks (
  platform_id    uuid not null,
  holder_id      uuid not null,    -- a user; all zeros means every user of the platform
  account_digest bytea not null,   -- as in banks
  routing        text not null,
  account_sealed bytea not null,   -- so that a key rotation can compute the digest with another key
  return_code    text not null,
  blocks_credits boolean not null, -- debits are always blocked
  leg_id         uuid not null,    -- the leg that was returned
  created_at     timestamptz not null,
  primary key (platform_id, holder_id, account_digest)
);

-- Corrections of accounts that were given for one payment: the present account, by an account before a correction. If the present account
-- is corrected, all rows that name it change.
create table account_corrections (
  platform_id      uuid not null,
  account_digest   bytea not null,   -- of the account before the correction
  given_routing    text not null,
  given_sealed     bytea not null,   -- so that a key rotation can compute the digest with another key
  routing          text not null,
  account_sealed   bytea not null,
  corrected_digest bytea not null,   -- of the present account
  type             text not null check (type in ('CHECKING', 'SAVINGS', 'BUSINESS')),
  corrected_at     timestamptz not null,
  primary key (platform_id, account_digest)
);

-- A correction of a corrected account, and the limits of a debited account: the former numbers of an account.
create index account_corrections_corrected on account_corrections (platform_id, corrected_digest);

-- A login at an institution that waits for the answer to its challenge. It holds no credentials.
create table institution_logins (
  platform_id    uuid not null,
  id             uuid not null,
  user_id        uuid not null,
  institution_id uuid not null,
  state_sealed   bytea not null,             -- data with which the institution continues
  tries          integer not null default 0, -- answers so far
  expires_at     timestamptz not null,       -- real time
  primary key (platform_id, id)
);

-- Worker step "sweep institution logins": expired logins.
create index institution_logins_expires_at on institution_logins (expires_at);

-- Accounts that an institution confirmed for a user. A bank that is added from one is VERIFIED at once.
create table confirmed_accounts (
  platform_id    uuid not null,
  id             uuid not null,
  user_id        uuid not null,
  account_sealed bytea not null,       -- routing and account number
  expires_at     timestamptz not null, -- real time
  primary key (platform_id, id)
);

-- POST /v3/bank: whether the account was confirmed for the user.
create index confirmed_accounts_user on confirmed_accounts (platform_id, user_id);

-- Worker step "sweep institution logins": expired confirmations.
create index confirmed_accounts_expires_at on confirmed_accounts (expires_at);
