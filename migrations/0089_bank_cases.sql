-- What the bank's files say and Remit cannot use, until a person decides. All platforms share them, as they share the bank.
create table bank_cases (
  id              uuid primary key,
  kind            text not null,
  source          text not null check (source in ('ach', 'paid', 'mail')),
  inbound_file_id uuid not null, -- in ach_inbound_files, paid_files, or inbound_contents alone
  file_name       text not null,
  line            integer not null, -- from 1; 0: the whole file
  is_bank_wide    boolean not null, -- an open one holds all that trusts the bank's silence
  platform_id     uuid,
  payment_id      uuid,
  leg_id          uuid,
  user_id         uuid,
  account_sealed  bytea, -- routing and account number; an open one holds the next debit to this account
  cents           bigint check (cents > 0),
  note            text not null, -- without account numbers
  content_sealed  bytea not null, -- the lines, and what was read of them
  created_at      timestamptz not null,
  closed_at       timestamptz,
  resolution      text,
  unique (inbound_file_id, kind, line),
  check ((closed_at is null) = (resolution is null)),
  check (leg_id is null or platform_id is not null)
);

-- "remit exceptions list", and what is held: each pass of due work asks.
create index bank_cases_open on bank_cases (created_at, id) where closed_at is null;

-- The bytes of inbound files with a case, so that they can be read again.
create table inbound_contents (
  inbound_file_id uuid primary key,
  name            text not null,
  source          text not null check (source in ('ach', 'paid', 'mail')),
  content_sealed  bytea not null,
  received_at     timestamptz not null
);

-- "remit files read NAME --again"
create index inbound_contents_name on inbound_contents (name);
