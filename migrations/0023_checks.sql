-- Checks drawn on the operator's accounts. The status of a check is the status of its leg. Account and serial number
-- identify a check to the bank. Files contain all platforms. On a cluster their rows may be on another node, so nothing references them.
create table paper_checks (
  platform_id    uuid not null,
  leg_id         uuid not null,
  payment_id     uuid not null,
  connection_id  text not null,  -- whose account it is drawn on
  account_digest bytea not null, -- HMAC of the account number
  serial         bigint not null check (serial > 0),
  cents          bigint not null check (cents > 0),
  issued_on      date not null,  -- the date on the check
  payee          text not null,  -- as printed on the check
  print_file_id  uuid,           -- null: the recipient prints the check
  issue_file_id  uuid,           -- the file that lists it as issued
  stopped_at     timestamptz,
  stop_file_id   uuid,
  void_file_id   uuid,           -- the file that lists it as void
  paid_file_id   uuid,           -- null for a check that arrived in a mailbox: it is paid without a list of the bank
  paid_line      integer,
  paid_on        date,
  primary key (platform_id, leg_id),
  check (stop_file_id is null or stopped_at is not null),
  check (void_file_id is null or stopped_at is not null)
);

-- Worker step "write check files": checks to list as issued, as stopped or as void.
create index paper_checks_to_issue on paper_checks (serial) where issue_file_id is null and paid_on is null;
create index paper_checks_to_stop on paper_checks (stopped_at) where stopped_at is not null and stop_file_id is null;
create index paper_checks_to_void on paper_checks (serial) where stopped_at is not null and void_file_id is null;

-- Worker step "follow bank files": the checks of a platform in a file.
create index paper_checks_print_file on paper_checks (print_file_id, platform_id) where print_file_id is not null;
create index paper_checks_issue_file on paper_checks (issue_file_id, platform_id) where issue_file_id is not null;
create index paper_checks_stop_file on paper_checks (stop_file_id, platform_id) where stop_file_id is not null;
create index paper_checks_void_file on paper_checks (void_file_id, platform_id) where void_file_id is not null;

-- The numbers of checks, each given once on its account. The platforms share accounts, so the number determines the platform.
create table check_numbers (
  account_digest bytea not null, -- as in paper_checks
  serial         bigint not null,
  platform_id    uuid not null,
  leg_id         uuid not null,
  primary key (account_digest, serial)
);

-- The last serial number of each account of the operator. Checks are numbered by account, not by sender.
create table check_serials (
  account_digest bytea primary key, -- as in paper_checks
  connection_id  text not null,     -- as in paper_checks
  account_sealed bytea not null,
  last_serial    bigint not null
);

-- Checks in print files that a restore of the database had lost. A check without matched_at is not assigned to a payment yet.
create table recovered_checks (
  payment_id uuid primary key, -- before the restore
  file_id    uuid not null,
  number     bigint not null,
  cents      bigint not null,
  payee      text not null,    -- as printed
  matched_at timestamptz
);

-- The bank's files about paid checks. Equal content is used only once, regardless of the name of the file.
create table paid_files (
  id           uuid primary key,
  connection_id text not null,
  name         text not null,
  content_hash bytea not null,
  is_used      boolean not null,
  report       text, -- items that were set aside, and why; without account numbers
  read_at      timestamptz not null,
  unique (connection_id, content_hash, name)
);

-- Worker step "read paid checks": whether the content has been used before.
create unique index paid_files_used on paid_files (connection_id, content_hash) where is_used;
