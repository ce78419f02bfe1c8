-- Books of blank checks that a user orders for one of its banks.
create table checkbooks (
  platform_id  uuid not null,
  id           uuid not null,
  user_id      uuid not null,
  bank_id      uuid not null,
  first_number bigint not null,
  last_number  bigint not null, -- the numbers are reserved unless CANCELED
  name         text not null,   -- of the recipient
  address      json not null,
  mail_type    text not null,
  status       text not null check (status in ('PENDING', 'IN_PROCESS', 'MAILED', 'CANCELED', 'RETURNED')),
  due_at       timestamptz,     -- the next event of the simulated printer
  print_at     timestamptz,     -- when a print file takes it; null with the simulated printer
  file_id      uuid,            -- the print file with it
  created_at   timestamptz not null,
  printed_at   timestamptz,
  mailed_at    timestamptz,
  ended_at     timestamptz,     -- canceled or returned
  primary key (platform_id, id),
  check (last_number >= first_number)
);

-- GET /v3/checkbook.
create index checkbooks_user on checkbooks (platform_id, user_id, created_at, id);

-- A new checkbook: the numbers that are reserved for an account.
create index checkbooks_bank on checkbooks (platform_id, bank_id);

-- Due work: the due checkbooks of one platform, and the platforms that have any.
create index checkbooks_due on checkbooks (platform_id, due_at) where due_at is not null;
create index checkbooks_due_at on checkbooks (due_at) where due_at is not null;

-- Worker step "write check files": checkbooks to print.
create index checkbooks_print_at on checkbooks (print_at) where status = 'PENDING' and print_at is not null;

-- Worker step "follow bank files": the checkbooks of a print file.
create index checkbooks_file on checkbooks (file_id) where file_id is not null;
