-- Further values that a return must match, besides trace number, amount and direction. Null: the entry was sent before
-- these columns existed.
alter table ach_files
  add column company_id text;
alter table ach_entries
  add column rdfi           text check (rdfi ~ '^[0-9]{8}$'),
  add column account_digest bytea;          -- HMAC of the account number that was sent

-- Returns that were applied.
create table ach_returns (
  inbound_file_id uuid not null references ach_inbound_files,
  line            integer not null,
  platform_id     uuid not null,
  leg_id          uuid not null,
  return_code     text not null,
  account_sealed  bytea,                    -- the account number in the return, if it is not the one that was sent
  primary key (inbound_file_id, line)
);
