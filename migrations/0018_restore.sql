-- Statements of the operator about the files that the bank has, made after a restore of the database.
create table bank_file_recoveries (
  recovered_at timestamptz primary key,
  has_gaps     boolean not null,            -- some content is unknown: older legs need a person's decision
  statement    json not null
);

-- Entries that the bank has and the restored database lacks. A leg that matches one is not sent again.
create table ach_recovered_entries (
  file_id        uuid not null references bank_files,
  trace_number   text not null,
  direction      text not null check (direction in ('debit', 'credit')),
  cents          bigint not null check (cents > 0),
  receiver_id    text not null,
  account_digest bytea not null,            -- as in ach_entries
  matched_at     timestamptz,
  primary key (file_id, trace_number)
);

-- Entries that no leg has matched yet.
create index ach_recovered_entries_open on ach_recovered_entries (file_id) where matched_at is null;

-- Checks that the printer has and the restored database lacks.
create table recovered_checks (
  payment_id uuid primary key,
  number     bigint not null,
  file_name  text not null
);
