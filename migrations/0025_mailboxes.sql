-- Mailboxes: postal addresses of users, whose mail arrives as scans.
create table mailboxes (
  platform_id uuid not null,
  id          uuid not null,
  user_id     uuid not null,
  number      text not null, -- on the envelope
  status      text not null check (status in ('ACTIVE', 'CLOSED')),
  address     json not null,
  created_at  timestamptz not null,
  primary key (platform_id, id)
);

-- GET /v3/mailbox.
create index mailboxes_user on mailboxes (platform_id, user_id, created_at, id);

-- The mailbox of a number that an envelope shows.
create table mailbox_numbers (
  number      text primary key,
  platform_id uuid not null,
  mailbox_id  uuid not null
);

-- The mail of a mailbox.
create table letters (
  platform_id uuid not null,
  id          uuid not null,
  mailbox_id  uuid not null,
  reference   text not null, -- the id that the provider gave it
  status      text not null check (status in ('RECEIVED')),
  sender      text not null,
  recipient   text not null,
  tags        text[] not null,
  created_at  timestamptz not null,
  primary key (platform_id, id)
);

-- GET /v3/mailbox/{id}/mail.
create index letters_mailbox on letters (platform_id, mailbox_id, created_at, id);

-- Worker step "read mail": a piece of mail is recorded once.
create unique index letters_reference on letters (platform_id, mailbox_id, reference);

create table letter_scans (
  platform_id uuid not null,
  letter_id   uuid not null,
  scan_sealed bytea not null, -- PDF; it can show account numbers
  primary key (platform_id, letter_id)
);

-- Checks in the mail of a mailbox. Each is a payment to the user, drawn on an account that is used for it only.
create table scanned_checks (
  platform_id     uuid not null,
  payment_id      uuid not null,
  letter_id       uuid not null,
  bank_id         uuid not null, -- the account that the check is drawn on
  number          text not null, -- without leading zeros
  -- A check that this service issued: the payment that it pays out, which may be on another platform. All three are set, or none.
  own_platform_id uuid,
  own_payment_id  uuid,
  own_leg_id      uuid,
  primary key (platform_id, payment_id)
);

-- GET /v3/mailbox/{id}/mail: the checks of a letter.
create index scanned_checks_letter on scanned_checks (platform_id, letter_id);

-- Worker step "read mail": a check that was scanned before, on the platform and, in production, on any other one.
create index scanned_checks_number on scanned_checks (platform_id, number);
create index scanned_checks_of_number on scanned_checks (number);

-- The files of the provider that were read.
create table mailbox_files (
  name         text not null,
  content_hash bytea not null,
  report       text, -- null: it was used
  read_at      timestamptz not null,
  primary key (name, content_hash)
);
