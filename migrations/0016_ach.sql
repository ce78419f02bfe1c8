-- NACHA files for the bank. All platforms share them, so that there are few.
create table ach_files (
  id             uuid primary key references exchanges,
  creation_date  date not null,   -- the bank distinguishes files by this date and the modifier
  modifier       text not null,
  effective_date date not null,
  company_id     text not null,   -- that a return must match
  sent_before    bigint not null, -- number of entries in all earlier files: trace numbers continue from it
  entry_count    bigint not null,
  debit_cents    bigint not null, -- limits of the bank count the files of a day
  credit_cents   bigint not null,
  balancing_debit_cents  bigint not null default 0, -- of entries that balance their batches, which these limits do not count
  balancing_credit_cents bigint not null default 0,
  unique (creation_date, modifier)
);

-- The last file, which the next trace number depends on.
create unique index ach_files_sent_before on ach_files (sent_before);

-- The entries of a file. A leg is in one file only. An entry without a leg balances its batch.
create table ach_entries (
  file_id        uuid not null references ach_files,
  trace_number   text not null,
  platform_id    uuid,
  leg_id         uuid,
  rdfi           text not null check (rdfi ~ '^[0-9]{8}$'), -- that a return must match
  account_digest bytea not null,                            -- HMAC of the account number that was sent
  is_rejected    boolean not null default false,            -- this entry only, in a file that was accepted
  recalled_at    timestamptz,                               -- frees the leg for another file: the entry or its file was rejected or canceled
  primary key (file_id, trace_number)
);

-- The file of a leg.
create unique index ach_entries_leg on ach_entries (platform_id, leg_id) where recalled_at is null;

-- Worker step "follow bank files": the legs of a platform in a file.
create index ach_entries_platform on ach_entries (file_id, platform_id, trace_number);

-- Matching of returns and notifications of change. Trace numbers start over eventually: the latest entry counts.
create index ach_entries_trace_number on ach_entries (trace_number);

-- Entries that the bank has and a restored database lacks. A leg that matches one is not sent again.
create table ach_recovered_entries (
  file_id        uuid not null references exchanges,
  trace_number   text not null,
  direction      text not null check (direction in ('debit', 'credit')),
  cents          bigint not null check (cents > 0),
  description    text not null,  -- of its batch
  receiver_id    text not null,
  account_digest bytea not null, -- as in ach_entries
  matched_at     timestamptz,
  primary key (file_id, trace_number)
);

-- A new leg: the entries of a file that no leg has matched yet.
create index ach_recovered_entries_open on ach_recovered_entries (file_id) where matched_at is null;

-- Files from the bank. Equal content is used only once, regardless of the name of the file. The entries of a file are used in groups, one
-- transaction for each. After a crash, the service continues after the last group.
create table ach_inbound_files (
  id           uuid primary key,
  connection_id text not null,
  name         text not null,
  content_hash bytea not null,
  kind         text check (kind in ('nacha', 'acknowledgement')), -- null: the file could not be read
  is_used      boolean not null,
  entries_done integer not null default 0,
  report       text,        -- entries that were set aside, and why; without account numbers
  read_at      timestamptz not null,
  completed_at timestamptz, -- when all entries were tried and the report was written
  unique (connection_id, content_hash, name)
);

-- Worker step "read ACH files": whether the content has been used before.
create unique index ach_inbound_files_used on ach_inbound_files (connection_id, content_hash) where is_used;

-- The NACHA files within a file from the bank. A file can contain several, and each is checked separately.
create table ach_inbound_parts (
  inbound_file_id uuid not null references ach_inbound_files,
  connection_id   text not null,
  line            integer not null, -- its first line
  content_hash    bytea not null,   -- of its records, regardless of line breaks
  primary key (inbound_file_id, line)
);

-- Worker step "read ACH files": whether the content has been used before.
create unique index ach_inbound_parts_content_hash on ach_inbound_parts (connection_id, content_hash);

-- Returns that were applied.
create table ach_returns (
  inbound_file_id uuid not null references ach_inbound_files,
  line            integer not null,
  platform_id     uuid not null,
  leg_id          uuid not null,
  return_code     text not null,
  account_sealed  bytea, -- the account number in the return, if it is not the one that was sent
  primary key (inbound_file_id, line)
);

-- Notifications of change, with the corrected data.
create table ach_corrections (
  inbound_file_id  uuid not null references ach_inbound_files,
  line             integer not null,
  platform_id      uuid not null,
  leg_id           uuid not null,
  change_code      text not null,
  corrected_sealed bytea not null,
  is_applied       boolean not null,
  primary key (inbound_file_id, line)
);

-- The bank's acknowledgements of files, in the order of its reports.
create table ach_acknowledgements (
  inbound_file_id uuid not null references ach_inbound_files,
  position        integer not null,
  file_id         uuid not null references ach_files,
  outcome         text not null check (outcome in ('accepted', 'accepted_with_errors', 'pending', 'duplicate', 'rejected')),
  errors          json not null,
  primary key (inbound_file_id, position)
);

-- Entries that only the operator can resolve.
create table ach_set_aside (
  inbound_file_id uuid not null references ach_inbound_files,
  line            integer not null,
  trace_number    text,
  reason          text not null,
  primary key (inbound_file_id, line)
);
