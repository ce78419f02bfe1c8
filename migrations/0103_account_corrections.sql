-- Corrections of accounts that were given for one payment, by the account as it was given. Each row has a bank of a payment with
-- the same digest, so that a key rotation finds it.
create table account_corrections (
  platform_id    uuid not null,
  account_digest bytea not null,
  routing        text not null,
  account_sealed bytea not null,
  type           text not null check (type in ('CHECKING', 'SAVINGS', 'BUSINESS')),
  corrected_at   timestamptz not null,
  primary key (platform_id, account_digest)
);
