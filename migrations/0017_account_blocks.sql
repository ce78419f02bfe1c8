-- Bank accounts that a return code blocks for debits, or for debits and credits. A block belongs to the account number:
-- it remains when a user deletes a bank and adds it again, and a return can block the account of a deleted bank.
create table account_blocks (
  platform_id    uuid not null,
  holder_id      uuid not null,             -- a user; all zeros means every user of the platform
  account_digest bytea not null,            -- as in banks
  return_code    text not null,
  blocks_credits boolean not null,          -- debits are always blocked
  leg_id         uuid not null,             -- the leg that was returned
  created_at     timestamptz not null,
  primary key (platform_id, holder_id, account_digest)
);

-- The banks that a block covers. The index omits the platform, because PostgreSQL would otherwise choose it for other
-- queries.
create index banks_of_account on banks (account_digest) where deleted_at is null;

-- When a notification of change replaced the account number. A return of an earlier entry concerns the old number.
alter table banks add column corrected_at timestamptz;
