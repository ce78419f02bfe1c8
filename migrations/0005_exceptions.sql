-- Cases of a platform that only the operator can decide: money or a file that the service does not move automatically.
create table exceptions (
  platform_id uuid not null,
  id          uuid not null,
  kind        text not null, -- a row of exception-rules.ts
  payment_id  uuid,
  leg_id      uuid,
  user_id     uuid,
  cents       bigint check (cents > 0),
  note        text not null, -- what happened; contains no account number
  created_at  timestamptz not null,
  closed_at   timestamptz,
  resolution  text,          -- what the operator did
  closed_by   text,          -- the operator, as `--by` named the person
  primary key (platform_id, id),
  check ((closed_at is null) = (resolution is null))
);

-- remit exceptions list: open exceptions, oldest first.
create index exceptions_open on exceptions (created_at) where closed_at is null;

-- A new exception: each leg has at most one open exception of a kind, however often it is reported.
create unique index exceptions_open_leg on exceptions (platform_id, kind, leg_id)
where closed_at is null and leg_id is not null;

-- Whether a payment has an open exception of some kinds.
create index exceptions_payment on exceptions (platform_id, payment_id) where closed_at is null;

-- Entries and files from the bank that the service cannot use, until the operator decides. All platforms share them, as they share
-- the bank.
create table bank_cases (
  id              uuid primary key,
  kind            text not null,    -- a row of bank-case-rules.ts
  connection_id   text not null,    -- in connections.json
  source          text not null check (source in ('ach', 'paid', 'mail', 'transfer', 'statement', 'order', 'payout')),
  inbound_file_id uuid not null,    -- in ach_inbound_files, paid_files, exchanges, statement_files, bank_statements, statement_lines, iso_orders, payouts, or inbound_contents alone
  file_name       text not null,
  line            integer not null, -- from 1; 0: the whole file
  event           text not null,    -- distinguishes cases about one leg, file of ours or statement; empty for lines of files
  is_bank_wide    boolean not null, -- while it is open, it holds everything that the silence of this bank would decide
  platform_id     uuid,
  payment_id      uuid,
  leg_id          uuid,
  user_id         uuid,
  account_sealed  bytea,            -- routing and account number; an open case holds the next debit to this account
  cents           bigint check (cents > 0),
  note            text not null,    -- contains no account number
  content_sealed  bytea not null,   -- the lines, and the values that were read from them
  created_at      timestamptz not null,
  closed_at       timestamptz,
  resolution      text,
  closed_by       text,             -- the operator, as `--by` named the person; null: it ended by itself
  unique nulls not distinct (inbound_file_id, kind, line, leg_id, event), -- one line of a statement can concern several legs
  check ((closed_at is null) = (resolution is null)),
  check (leg_id is null or platform_id is not null)
);

-- remit exceptions list: open cases, oldest first. Each pass of due work: the cases that hold something.
create index bank_cases_open on bank_cases (created_at, id) where closed_at is null;

-- The bytes of inbound files with a case, so that they can be read again.
create table inbound_contents (
  inbound_file_id uuid primary key,
  connection_id   text not null,
  name            text not null,
  source          text not null check (source in ('ach', 'paid', 'mail', 'order')),
  content_sealed  bytea not null,
  received_at     timestamptz not null
);

-- remit files read NAME --again.
create index inbound_contents_name on inbound_contents (name);
