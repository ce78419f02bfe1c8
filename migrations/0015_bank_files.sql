-- Outgoing files for the bank and the printer. All platforms share them. A file is committed with its bytes before it
-- is written. Payouts depend on its status.
create table bank_files (
  id                      uuid primary key,
  number                  bigint not null unique, -- consecutive: shows whether database and folder are equally old
  kind                    text not null check (kind in ('ach', 'print', 'stop', 'issue', 'checkbook')),
  name                    text not null unique,   -- as operators see it: 20261122-A, print-ID
  status                  text not null check (status in ('WRITTEN', 'TRANSMITTED', 'ACCEPTED', 'REJECTED', 'CANCELED')),
  effective_at            timestamptz,            -- when its entries settle if it is on time; null: no entries
  settles_at              timestamptz,            -- when they settle, set when it is accepted
  created_at              timestamptz not null,
  published_at            timestamptz,            -- when the complete file was in outbound/
  transmitted_at          timestamptz,
  resent_at               timestamptz,            -- the bank may have both copies, so the rejection of one says nothing about the other
  ended_at                timestamptz,            -- when it was accepted, rejected or canceled
  transmission_late_at    timestamptz,            -- when the missing transmission was reported
  acknowledgement_late_at timestamptz,            -- when the missing acknowledgement was reported
  attention               text,                   -- why a person must look at it
  check (status = 'CANCELED' or ended_at is null or transmitted_at is not null)
);

-- Worker step "exchange bank files": files without a final status, oldest first.
create index bank_files_open on bank_files (number) where status in ('WRITTEN', 'TRANSMITTED');

-- The physical files of a bank file, in the order in which they are written.
create table bank_file_parts (
  file_id        uuid not null references bank_files,
  position       integer not null,
  name           text not null unique,
  content_sealed bytea not null,
  primary key (file_id, position)
);

-- The platforms with legs in a file. When the status of the file changes, the legs follow it platform by platform:
-- is_due is true until they have.
create table bank_file_platforms (
  file_id     uuid not null references bank_files,
  platform_id uuid not null,
  is_due      boolean not null default false,
  primary key (file_id, platform_id)
);

-- Worker step "follow bank files": platforms whose legs have not followed a file yet.
create index bank_file_platforms_due on bank_file_platforms (file_id, platform_id) where is_due;

-- Connects the database with its exchange folder. After a restore the two differ, and the service writes no file until
-- the operator has stated which files the bank has.
create table bank_file_exchange (
  is_only     boolean primary key default true check (is_only),
  exchange_id uuid not null
);

-- Statements of the operator about the files that the bank has, made after a restore of the database.
create table bank_file_recoveries (
  recovered_at timestamptz primary key,
  has_gaps     boolean not null, -- some content is unknown: older legs need a person's decision
  statement    json not null
);
